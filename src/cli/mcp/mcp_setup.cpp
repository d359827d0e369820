#include "cli/mcp/mcp_setup.h"

#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "base/text/quote.h"
#include "cli/render/pretty_json.h"
#include "cli/report_error.h"
#include "posix/text_file.h"

#include <boost/json/parse.hpp>
#include <spdlog/fmt/fmt.h>
#include <toml++/toml.h>

#include <ostream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

using Merged = Result<std::optional<std::string>>;

constexpr std::string_view kPlaceholder = "PUT-YOUR-TOKEN-HERE";

Error unfit_config(std::string problem) {
  return {.kind = ErrorKind::kUnfitFile,
          .message = std::move(problem),
          .hint = "it was not changed: add by hand what --setup shows without --write"};
}

McpEntry entry_of(const McpSetupOptions& options) {
  const http::Url& url = options.server.url;
  const bool is_here = url.host == "127.0.0.1" || url.host == "::1" || url.host == "localhost";
  const std::string& token = options.server.token;
  const bool is_shown = !options.is_written || token.empty();
  return {.transport = options.transport,
          .url = url.origin() + url.path,
          .is_default_url = options.is_default_url,
          .program = options.program.string(),
          .has_token = !token.empty() || !is_here,
          .token = is_shown ? std::string(kPlaceholder) : token};
}

std::string token_note(const McpClient& client, const McpEntry& entry) {
  if (!entry.has_token) return "";
  if (!client.token_reference.empty())
    return fmt::format("Start {} with the token in the variable ORIEL_TOKEN.\n", client.title);
  if (entry.token != kPlaceholder) return "The file contains the token: keep it private.\n";
  return fmt::format("Replace {} with your token; `oriel token create NAME` creates one.\n",
                     kPlaceholder);
}

std::string snippet(const McpClient& client, const McpEntry& entry) {
  if (client.section.empty()) return mcp_toml_entry(entry);
  const json::value section{{client.section, {{"oriel", mcp_json_entry(client, entry)}}}};
  return pretty_json(section, "  ") + "\n";
}

int list_clients(const McpSetupOptions& options, std::ostream& out, std::ostream& err) {
  for (const McpClient& client : mcp_clients()) {
    out << fmt::format("{:<16}{:<16}{}\n", client.name, client.title,
                       mcp_config_file(client, options.environment).string());
  }
  out.flush();
  err << "`oriel mcp --setup NAME` shows the entry of a client, --write writes it.\n";
  return out ? 0 : kExitFailure;
}

int write_entry(const McpClient& client, const McpEntry& entry, const fs::path& named,
                std::ostream& err) {
  const fs::path file = file_behind(named);
  const auto text = read_text_file(file);
  if (!text) return report_error(err, text.error(), kExitFailure);
  const Merged merged = client.section.empty()
                            ? merge_mcp_toml(*text, mcp_toml_entry(entry))
                            : merge_mcp_json(*text, client.section, mcp_json_entry(client, entry));
  if (!merged) {
    Error error = merged.error();
    error.message = file.string() + " " + error.message;
    return report_error(err, error, kExitFailure);
  }
  if (!*merged) {
    err << file.string() << " is already up to date.\n";
    return 0;
  }
  const bool is_new = !fs::exists(file);
  const auto changed = change_text_file(file, **merged);
  if (!changed) return report_error(err, changed.error(), kExitFailure);
  err << fmt::format("Configured {}: {}{}\n", client.title, file.string(),
                     is_new ? "" : " (previous version: " + backup_of(file).string() + ")");
  err << token_note(client, entry);
  return 0;
}

Error unknown_client(const std::string& name) {
  std::vector<Spelling> spellings;
  for (const McpClient& client : mcp_clients())
    spellings.push_back({.spelling = client.name, .name = client.name});
  return {.kind = ErrorKind::kBadOption,
          .message = "unknown client " + quote(name),
          .hint = did_you_mean(nearest(name, spellings), "oriel mcp --setup lists them")};
}

}  // namespace

Merged merge_mcp_json(const std::string& text, const std::string& section,
                      const json::object& entry) {
  json::error_code problem;
  json::value whole = is_blank(text) ? json::value(json::object()) : json::parse(text, problem);
  if (problem) return unfit_config("is not plain JSON: " + problem.message());
  if (!whole.is_object()) return unfit_config("is not a JSON object");
  json::value& servers = whole.get_object()[section];
  if (servers.is_null()) servers = json::object();
  if (!servers.is_object())
    return unfit_config("has a value other than an object at " + quote(section));
  json::value& old = servers.get_object()["oriel"];
  if (old == json::value(entry)) return Merged(std::nullopt);
  old = entry;
  return Merged(std::optional(pretty_json(whole, indent_of(text)) + "\n"));
}

Merged merge_mcp_toml(const std::string& text, const std::string& entry) {
  std::string whole = text;
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  if (!whole.empty()) whole += '\n';
  whole += entry;
  try {
    const toml::table before = toml::parse(text);
    const auto old = before["mcp_servers"]["oriel"];
    const toml::table wanted = toml::parse(entry);
    const toml::table* const now = wanted["mcp_servers"]["oriel"].as_table();
    if (old.as_table() != nullptr && *old.as_table() == *now) return Merged(std::nullopt);
    if (old) return unfit_config("has another [mcp_servers.oriel]");
    static_cast<void>(toml::parse(whole));
  } catch (const toml::parse_error& problem) {
    return unfit_config("is not TOML to which a table can be appended: " +
                        std::string(problem.description()));
  }
  return Merged(std::optional(std::move(whole)));
}

int mcp_setup(const McpSetupOptions& options, std::ostream& out, std::ostream& err) {
  if (options.client.empty()) return list_clients(options, out, err);
  const McpClient* const client = find_mcp_client(options.client);
  if (client == nullptr) return report_error(err, unknown_client(options.client), kExitUsage);
  const McpEntry entry = entry_of(options);
  const fs::path file = mcp_config_file(*client, options.environment);
  if (!options.is_written) {
    err << fmt::format("Add this to {} ({}):\n", file.string(), client->title) << std::flush;
    out << snippet(*client, entry) << std::flush;
    err << token_note(*client, entry);
    return out ? 0 : kExitFailure;
  }
  return write_entry(*client, entry, file, err);
}

}  // namespace oriel
