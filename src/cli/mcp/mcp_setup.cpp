#include "cli/mcp/mcp_setup.h"

#include "base/text/nearest.h"
#include "base/text/quote.h"
#include "cli/mcp/mcp_merge.h"
#include "cli/render/pretty_json.h"
#include "cli/report_error.h"
#include "posix/text_file.h"

#include <spdlog/fmt/fmt.h>

#include <ostream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::string_view kCreateToken = "`oriel token create NAME` creates one";

McpEntry entry_of(const McpSetupOptions& options, bool needs_token) {
  const std::string& token = options.server.token;
  const bool is_shown = !options.is_written || token.empty();
  return {.transport = options.transport,
          .url = options.server.url.origin() + options.server.url.path,
          .is_default_url = options.is_default_url,
          .program = options.program.string(),
          .has_token = needs_token,
          .is_token_given = !token.empty(),
          .token = is_shown ? std::string(kTokenPlaceholder) : token};
}

// Whether clients need a token, according to the server if it answers. An error if it rejects the
// one that was given.
Result<bool> needs_token(const McpSetupOptions& options, std::ostream& err) {
  const ServerAccess& server = options.server;
  const bool is_given = !server.token.empty();
  const bool is_likely = is_given || !is_local(server.url);
  if (!options.probe) return is_likely;
  const auto answer = options.probe(server);
  const std::string url = server.url.origin() + server.url.path + "/mcp";
  if (!answer) {
    err << fmt::format("Note: {} was not checked: {}\n", url, answer.error().message);
    return is_likely;
  }
  if (answer->status == 401 && is_given)
    return Error{.kind = ErrorKind::kUnauthorized,
                 .message = url + " rejects the token",
                 .hint = std::string(kCreateToken) + "; --token or ORIEL_TOKEN passes it"};
  if (answer->status == 401) {
    err << fmt::format("{} requires a token: {}.\n", url, kCreateToken);
    return true;
  }
  if (answer->status / 100 != 2) {
    err << fmt::format("Note: {} answered with {}: is it an Oriel server?\n", url, answer->status);
    return is_likely;
  }
  return is_given;
}

// What to do about the token that is in `text`.
std::string token_note(const McpClient& client, const McpEntry& entry, const std::string& text) {
  if (!entry.has_token) return "";
  if (text.find(kTokenPlaceholder) != text.npos)
    return fmt::format("Replace {} with your token; {}.\n", kTokenPlaceholder, kCreateToken);
  if (!client.token_reference.empty())
    return fmt::format("Start {} with the token in the variable ORIEL_TOKEN{}.\n", client.title,
                       entry.is_token_given ? "" : fmt::format("; {}", kCreateToken));
  return "The file contains the token: keep it private.\n";
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
  const auto merged =
      client.section.empty() ? merge_mcp_toml(*text, entry) : merge_mcp_json(*text, client, entry);
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
  err << token_note(client, entry, **merged);
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

int mcp_setup(const McpSetupOptions& options, std::ostream& out, std::ostream& err) {
  if (options.client.empty()) return list_clients(options, out, err);
  const McpClient* const client = find_mcp_client(options.client);
  if (client == nullptr) return report_error(err, unknown_client(options.client), kExitUsage);
  const auto has_token = needs_token(options, err);
  if (!has_token) return report_error(err, has_token.error(), kExitFailure);
  const McpEntry entry = entry_of(options, *has_token);
  const fs::path file = mcp_config_file(*client, options.environment);
  if (!options.is_written) {
    err << fmt::format("Add this to {} ({}):\n", file.string(), client->title) << std::flush;
    const std::string shown = snippet(*client, entry);
    out << shown << std::flush;
    err << token_note(*client, entry, shown);
    return out ? 0 : kExitFailure;
  }
  return write_entry(*client, entry, file, err);
}

}  // namespace oriel
