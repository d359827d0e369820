#include "cli/mcp/mcp_merge.h"

#include "base/text/ascii.h"
#include "base/text/json_access.h"
#include "base/text/quote.h"
#include "cli/render/pretty_json.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

namespace oriel {
namespace {

namespace json = boost::json;

using Merged = Result<std::optional<std::string>>;

constexpr std::string_view kBearer = "Bearer ";
constexpr std::string_view kHeaders = "headers";
constexpr std::string_view kAuthorization = "Authorization";
constexpr std::string_view kTokenVariable = "ORIEL_TOKEN";

Error unfit_config(std::string problem) {
  return {.kind = ErrorKind::kUnfitFile,
          .message = std::move(problem),
          .hint = "it was not changed: add by hand what --setup shows without --write"};
}

// The token of an older entry, of either transport; empty if it has none.
std::string token_in(const json::object& old, const McpClient& client) {
  const json::value whole = old;
  std::string_view token = text_of(member(whole, kHeaders, kAuthorization));
  if (token.starts_with(kBearer))
    token.remove_prefix(kBearer.size());
  else
    token = text_of(member(whole, client.env_key, kTokenVariable));
  return token == kTokenPlaceholder ? "" : std::string(token);
}

// Removes a member of a member, and the latter if nothing else is in it.
void remove_within(json::object& object, std::string_view key, std::string_view inner) {
  json::value* const value = object.if_contains(key);
  if (value == nullptr || !value->is_object()) return;
  value->get_object().erase(inner);
  if (value->get_object().empty()) object.erase(key);
}

bool is_extra(const McpClient& client, std::string_view key) {
  return client.extras.contains(key);
}

// Sets a header or variable beside those of the user.
void add_within(json::value& place, const json::object& wanted, bool is_token_given) {
  if (!place.is_object()) place = json::object();
  for (const auto& [key, value] : wanted) {
    json::value& old = place.get_object()[key];
    const bool is_kept = !is_token_given && !old.is_null() &&
                         text_of(old).find(kTokenPlaceholder) == std::string_view::npos;
    if (!is_kept) old = value;
  }
}

void merge_entry(json::object& object, const McpClient& client, McpEntry entry) {
  if (!entry.is_token_given) entry.kept_token = token_in(object, client);
  entry.has_token = entry.has_token || !entry.kept_token.empty();
  if (transport_of(client, entry) == McpTransport::kHttp) {
    object.erase("command");
    object.erase("args");
    remove_within(object, client.env_key, kTokenVariable);
  } else {
    object.erase(client.url_key);
    remove_within(object, kHeaders, kAuthorization);
  }
  for (const auto& [key, value] : mcp_json_entry(client, entry)) {
    if (is_extra(client, key) && object.contains(key)) continue;
    if (const json::object* const inner = value.if_object())
      add_within(object[key], *inner, entry.is_token_given);
    else
      object[key] = value;
  }
}

// TOML is changed line by line, to keep comments and order.

constexpr std::string_view kTable = "[mcp_servers.oriel]";

const std::set<std::string_view> kHttpKeys = {"url", "bearer_token_env_var", "http_headers",
                                              "env_http_headers"};
const std::set<std::string_view> kStdioKeys = {"command", "args", "env", "env_vars", "cwd"};

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(std::move(line));
  return lines;
}

// The index of the line after the table's header; none if it is written in another way.
std::optional<std::size_t> find_body(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (stripped(lines[i].substr(0, lines[i].find('#'))) == kTable) return i + 1;
  }
  return std::nullopt;
}

std::vector<std::string> passed_variables(const toml::table& table) {
  std::vector<std::string> names;
  if (const toml::array* const list = table["env_vars"].as_array()) {
    for (const toml::node& name : *list)
      names.push_back(name.value_or(std::string()));
  }
  return names;
}

bool has_name(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What to set in the table. If no token is given, the variable that it names stays.
std::vector<McpTomlLine> lines_to_set(const toml::table& old, McpEntry entry) {
  std::vector<std::string> passed = passed_variables(old);
  const bool passes_token = has_name(passed, kTokenVariable);
  const bool had_token = old.contains("bearer_token_env_var") || passes_token;
  const bool is_kept = !entry.is_token_given && had_token;
  entry.has_token = entry.has_token || is_kept;
  std::vector<McpTomlLine> lines = mcp_toml_lines(entry);
  std::erase_if(lines, [&](const McpTomlLine& line) {
    if (line.key == "bearer_token_env_var") return is_kept && old.contains(line.key);
    return line.key == "env_vars" && passes_token;
  });
  passed.emplace_back(kTokenVariable);
  for (McpTomlLine& line : lines) {
    if (line.key == "env_vars") line.value = json::serialize(json::value_from(passed));
  }
  return lines;
}

bool is_equal(const McpTomlLine& line, const toml::node& value) {
  toml::table old;
  old.insert(line.key, value);
  return old == toml::parse(line.key + " = " + line.value);
}

struct Region {
  std::size_t begin = 0;  // of lines, from 0
  std::size_t end = 0;    // after the last
};

Region region_of(const toml::key& key, const toml::node& value) {
  return {.begin = key.source().begin.line - 1, .end = value.source().end.line};
}

// The table's lines with these keys. An error if the keys of the other transport are elsewhere.
Result<std::vector<std::string>> merge_lines(std::vector<std::string> lines, std::size_t body,
                                             const toml::table& old, const McpEntry& entry) {
  const auto& foreign = entry.transport == McpTransport::kHttp ? kStdioKeys : kHttpKeys;
  std::vector<McpTomlLine> wanted = lines_to_set(old, entry);
  std::vector<std::pair<Region, std::string>> changes;  // replaced by this line, or nothing
  for (const auto& [name, value] : old) {
    const std::string_view key = name.str();
    const Region region = region_of(name, value);
    if (foreign.contains(key)) {
      const bool is_elsewhere = value.is_table() && !value.as_table()->is_inline();
      if (region.begin < body || is_elsewhere)
        return unfit_config("has [mcp_servers.oriel." + std::string(key) +
                            "], which belongs to another transport");
      changes.emplace_back(region, "");
    }
    const auto line = std::find_if(wanted.begin(), wanted.end(),
                                   [&](const McpTomlLine& each) { return each.key == key; });
    if (line == wanted.end()) continue;
    if (!is_equal(*line, value)) changes.emplace_back(region, line->key + " = " + line->value);
    wanted.erase(line);
  }
  // From the end, so that the numbers of earlier lines stay true.
  std::sort(changes.begin(), changes.end(),
            [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
  using Offset = std::vector<std::string>::difference_type;
  for (const auto& [region, line] : changes) {
    const auto first = lines.begin() + static_cast<Offset>(region.begin);
    const auto at = lines.erase(first, lines.begin() + static_cast<Offset>(region.end));
    if (!line.empty()) lines.insert(at, line);
  }
  auto at = lines.begin() + static_cast<Offset>(body);
  for (const McpTomlLine& line : wanted)
    at = lines.insert(at, line.key + " = " + line.value) + 1;
  return lines;
}

std::string with_table(const std::string& text, const McpEntry& entry) {
  std::string whole = text;
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  if (!whole.empty()) whole += '\n';
  return whole + mcp_toml_entry(entry);
}

Merged changed_table(const std::string& text, const toml::table& old, const McpEntry& entry) {
  std::vector<std::string> lines = split_lines(text);
  const auto body = find_body(lines);
  if (!body) return unfit_config("has mcp_servers.oriel, but not as a table with this header");
  auto merged = merge_lines(lines, *body, old, entry);
  if (!merged) return merged.error();
  if (*merged == lines) return Merged(std::nullopt);
  std::string whole;
  for (const std::string& line : *merged)
    whole += line + "\n";
  return Merged(std::optional(std::move(whole)));
}

}  // namespace

Merged merge_mcp_json(const std::string& text, const McpClient& client, McpEntry entry) {
  json::error_code problem;
  json::value whole = is_blank(text) ? json::value(json::object()) : json::parse(text, problem);
  if (problem) return unfit_config("is not plain JSON: " + problem.message());
  if (!whole.is_object()) return unfit_config("is not a JSON object");
  json::value& servers = whole.get_object()[client.section];
  if (servers.is_null()) servers = json::object();
  if (!servers.is_object())
    return unfit_config("has a value other than an object at " + quote(client.section));
  json::value& own = servers.get_object()["oriel"];
  if (own.is_null()) own = json::object();
  if (!own.is_object()) return unfit_config("has a value other than an object at \"oriel\"");
  const json::object before = own.get_object();
  merge_entry(own.get_object(), client, std::move(entry));
  if (own.get_object() == before) return Merged(std::nullopt);
  return Merged(std::optional(pretty_json(whole, indent_of(text)) + "\n"));
}

Merged merge_mcp_toml(const std::string& text, McpEntry entry) {
  try {
    const toml::table before = toml::parse(text);
    const auto old = before["mcp_servers"]["oriel"];
    if (old && old.as_table() == nullptr)
      return unfit_config("has a value other than a table at mcp_servers.oriel");
    Merged merged = old ? changed_table(text, *old.as_table(), entry)
                        : Merged(std::optional(with_table(text, entry)));
    if (!merged || !*merged) return merged;
    // A table written in an unusual way must not become two, or another.
    const toml::table after = toml::parse(**merged);
    const toml::table* const now = after["mcp_servers"]["oriel"].as_table();
    const std::string key = mcp_toml_lines(entry).front().key;
    if (now == nullptr || !now->contains(key))
      return unfit_config("has mcp_servers.oriel in an unusual form");
    return merged;
  } catch (const toml::parse_error& problem) {
    return unfit_config("is not TOML to which a table can be appended: " +
                        std::string(problem.description()));
  }
}

}  // namespace oriel
