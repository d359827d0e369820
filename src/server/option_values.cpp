#include "server/option_values.h"

#include "base/id.h"
#include "base/log.h"
#include "base/text/media_type.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cluster/heartbeat.h"
#include "http/url.h"
#include "server/agent_config.h"

#include <boost/asio/ip/address.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace oriel::option_value {
namespace {

constexpr std::size_t kMaxNodeLabels = 32;

const ServeOptions& defaults() {
  static const ServeOptions kDefaults;
  return kDefaults;
}

Error rejection(std::string_view text, const std::string& allowed, std::string hint = {}) {
  return {.kind = ErrorKind::kBadOption,
          .message = quote(text) + " is not " + allowed,
          .hint = std::move(hint)};
}

// A value that `parse` reads, or that is not allowed.
template <class T, class Parse>
OptionValue parsed(std::string placeholder, T ServeOptions::*field, std::string allowed,
                   std::string default_text, Parse parse) {
  const auto set = [field, allowed, parse](std::string_view text,
                                           ServeOptions& options) -> Result<void> {
    auto value = parse(text);
    if (!value) return rejection(text, allowed);
    options.*field = T(*std::move(value));
    return {};
  };
  return {std::move(placeholder), std::move(allowed), std::move(default_text), set};
}

template <class T>
std::optional<T> in_range(std::optional<T> value, T min, T max) {
  if (!value || *value < min || *value > max) return std::nullopt;
  return value;
}

template <class T>
OptionValue any_number(T ServeOptions::*field, std::uint64_t min, std::uint64_t max) {
  return parsed("N", field, fmt::format("a whole number from {} to {}", min, max),
                std::to_string(defaults().*field),
                [=](std::string_view text) { return in_range(parse_number(text), min, max); });
}

Result<void> check_path(std::string_view text) {
  if (text.empty() || text.find('\0') != text.npos) return rejection(text, "a path");
  if (text == "~" || text.starts_with("~/")) {
    return rejection(text, "a path that can be used as it is: ~ is not expanded",
                     "write the whole path");
  }
  return {};
}

template <class T>
OptionValue any_path(const std::string& placeholder, T ServeOptions::*field) {
  const auto set = [field](std::string_view text, ServeOptions& options) -> Result<void> {
    const auto checked = check_path(text);
    if (checked) options.*field = T(text);
    return checked;
  };
  return {placeholder, "a path", "none", set};
}

template <class T>
OptionValue choice(T ServeOptions::*field, std::vector<std::pair<std::string, T>> choices) {
  std::string allowed;
  std::string default_text;
  for (const auto& [name, value] : choices) {
    allowed += (allowed.empty() ? "" : " or ") + name;
    if (defaults().*field == value) default_text = name;
  }
  return parsed("KIND", field, allowed, default_text,
                [choices](std::string_view text) -> std::optional<T> {
                  for (const auto& [name, value] : choices) {
                    if (name == text) return value;
                  }
                  return std::nullopt;
                });
}

struct Endpoint {
  std::string host;
  std::uint16_t port = 0;
};

constexpr const char* kEndpoint = "an address and port such as 127.0.0.1:7433 or [::1]:7433";

Result<Endpoint> parse_listen(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || text.ends_with(']')) return rejection(text, kEndpoint, "add a port");
  std::string_view host = text.substr(0, colon);
  if (host.empty()) {
    return rejection(
        text, kEndpoint,
        "add the address: 127.0.0.1 for this machine alone, 0.0.0.0 for every network");
  }
  const bool has_brackets = host.starts_with('[') && host.ends_with(']');
  if (has_brackets) host = host.substr(1, host.size() - 2);
  const bool has_colon = host.find(':') != host.npos;
  if (has_colon && !has_brackets) return rejection(text, kEndpoint, "put an IPv6 address in [ ]");
  const auto port = parse_number(text.substr(colon + 1));
  if (!port || *port > 65'535)
    return rejection(text, kEndpoint, "a port is a number from 0 to 65535");
  if (host == "localhost") host = "127.0.0.1";
  boost::system::error_code problem;
  boost::asio::ip::make_address(std::string(host), problem);
  if (problem || has_colon != has_brackets) {
    return rejection(text, kEndpoint,
                     "the address is given in numbers; the only name is localhost");
  }
  return Endpoint{.host = std::string(host), .port = static_cast<std::uint16_t>(*port)};
}

Result<void> check_public_url(std::string_view text) {
  const auto url = http::parse_url(text);
  if (!url)
    return Error{
        .kind = ErrorKind::kBadOption, .message = url.error().message, .hint = url.error().hint};
  if (url->path.empty()) return {};
  return rejection(text, "a URL without a path", "write " + url->origin());
}

std::optional<std::vector<std::string>> parse_types(std::string_view text) {
  std::vector<std::string> types;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view type = text.substr(0, comma);
    type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
    type = type.substr(0, type.find_last_not_of(' ') + 1);
    if (!is_type_pattern(type)) return std::nullopt;
    types.emplace_back(type);
    if (comma == text.npos) return types;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<std::string>> parse_nats_servers(std::string_view text) {
  std::vector<std::string> servers;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view server = text.substr(0, comma);
    const bool has_scheme = server.starts_with("nats://") || server.starts_with("tls://");
    const std::size_t host = server.find("//") + 2;
    if (!has_scheme || host >= server.size()) return std::nullopt;
    if (server.find_first_of(" \t\r\n") != server.npos) return std::nullopt;
    servers.emplace_back(server);
    if (comma == text.npos) return servers;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<std::string>> parse_node_labels(std::string_view text) {
  std::set<std::string> labels;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view label = text.substr(0, comma);
    if (!is_name(label)) return std::nullopt;
    labels.emplace(label);
    if (comma == text.npos) break;
    text.remove_prefix(comma + 1);
  }
  if (labels.size() > kMaxNodeLabels) return std::nullopt;
  return std::vector<std::string>(labels.begin(), labels.end());
}

std::optional<std::vector<std::string>> parse_roots(std::string_view text) {
  std::vector<std::string> roots;
  if (text == "none") return roots;
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view root = text.substr(0, colon);
    if (!root.starts_with('/') || root.find('\0') != root.npos) return std::nullopt;
    roots.emplace_back(root);
    if (colon == text.npos) return roots;
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

OptionValue number(unsigned ServeOptions::*field, std::uint64_t min, std::uint64_t max) {
  return any_number(field, min, max);
}

OptionValue number(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max) {
  return any_number(field, min, max);
}

OptionValue duration(milliseconds ServeOptions::*field, milliseconds min, milliseconds max) {
  const std::string usual = format_duration(defaults().*field);
  return parsed("DURATION", field,
                fmt::format("a duration from {} to {}, such as {}", format_duration(min),
                            format_duration(max), usual),
                usual,
                [=](std::string_view text) { return in_range(parse_duration(text), min, max); });
}

OptionValue duration_or_zero(milliseconds ServeOptions::*field, milliseconds min,
                             milliseconds max) {
  return parsed("DURATION", field,
                fmt::format("0 or a duration from {} to {}, such as {}", format_duration(min),
                            format_duration(max), format_duration(max / 2)),
                format_duration(defaults().*field), [=](std::string_view text) {
                  const auto value = parse_duration(text);
                  return value == milliseconds(0) ? value : in_range(value, min, max);
                });
}

OptionValue size(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max) {
  const std::string usual = format_bytes(defaults().*field);
  return parsed(
      "BYTES", field,
      fmt::format("a size from {} to {}, such as {}", format_bytes(min), format_bytes(max), usual),
      usual, [=](std::string_view text) { return in_range(parse_bytes(text), min, max); });
}

OptionValue size_or_zero(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max) {
  const std::string usual = format_bytes(defaults().*field);
  return parsed("BYTES", field,
                fmt::format("0 or a size from {} to {}, such as {}", format_bytes(min),
                            format_bytes(max), usual),
                usual, [=](std::string_view text) {
                  const auto value = parse_bytes(text);
                  return value == 0U ? value : in_range(value, min, max);
                });
}

OptionValue path(const std::string& placeholder, std::string ServeOptions::*field) {
  return any_path(placeholder, field);
}

OptionValue path(const std::string& placeholder, std::filesystem::path ServeOptions::*field) {
  return any_path(placeholder, field);
}

OptionValue listen_address() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    auto endpoint = parse_listen(text);
    if (!endpoint) return endpoint.error();
    options.listen_host = std::move(endpoint->host);
    options.listen_port = endpoint->port;
    return {};
  };
  return {"HOST:PORT", kEndpoint,
          defaults().listen_host + ":" + std::to_string(defaults().listen_port), set};
}

OptionValue socket_path() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    const auto checked = check_path(text);
    if (checked) options.socket = text == "none" ? "" : std::filesystem::path(text);
    return checked;
  };
  return {"PATH", "none or a path", "oriel.sock in the data directory", set};
}

OptionValue public_url() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    const auto checked = check_public_url(text);
    if (checked) options.public_url = std::string(text);
    return checked;
  };
  return {"URL", "a URL without a path, such as https://oriel.example.org", "none", set};
}

OptionValue allowed_origins() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    while (true) {
      const std::size_t comma = text.find(',');
      const std::string_view url = text.substr(0, comma);
      if (auto checked = check_public_url(url); !checked) return checked;
      options.allowed_origins.emplace_back(url);
      if (comma == text.npos) return {};
      text.remove_prefix(comma + 1);
    }
  };
  return {"URL", "comma-separated URLs without a path", "none", set, true};
}

OptionValue local_trust() {
  return choice<LocalTrust>(&ServeOptions::local_trust,
                            {{"user", LocalTrust::kSameUser}, {"none", LocalTrust::kNone}});
}

OptionValue log_level() {
  return parsed("LEVEL", &ServeOptions::log_level, "trace, debug, info, warn, error or off",
                defaults().log_level, [](std::string_view text) {
                  return is_log_level(text) ? std::optional(text) : std::nullopt;
                });
}

OptionValue store_kind() {
  return choice<StoreKind>(&ServeOptions::store,
                           {{"sqlite", StoreKind::kSqlite}, {"memory", StoreKind::kMemory}});
}

OptionValue durability() {
  return choice<Durability>(&ServeOptions::durability,
                            {{"process", Durability::kProcess}, {"power", Durability::kPower}});
}

OptionValue nats_servers() {
  return parsed("URLS", &ServeOptions::cluster,
                "URLs of NATS servers such as nats://10.0.0.5:4222, with , between them", "none",
                parse_nats_servers);
}

OptionValue node_name() {
  return parsed("NAME", &ServeOptions::node, "a name of at most 64 of A-Z a-z 0-9 _ -",
                "the machine's name", [](std::string_view text) {
                  return is_node_name(text) ? std::optional(text) : std::nullopt;
                });
}

OptionValue replicas() {
  return parsed("N", &ServeOptions::cluster_replicas, "1 or 3",
                std::to_string(defaults().cluster_replicas), [](std::string_view text) {
                  const bool is_allowed = text == "1" || text == "3";
                  return is_allowed ? parse_number(text) : std::nullopt;
                });
}

OptionValue node_url() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    const auto checked = check_public_url(text);
    if (checked) options.node_url = std::string(text);
    return checked;
  };
  return {"URL", "a URL without a path, such as http://10.0.0.7:7433", "none", set};
}

OptionValue node_labels() {
  return parsed("LABELS", &ServeOptions::node_labels,
                "at most 32 names such as gpu,linux with , between them", "none",
                parse_node_labels);
}

OptionValue placement() {
  return choice<Placement>(&ServeOptions::place,
                           {{"local", Placement::kLocal}, {"spread", Placement::kSpread}});
}

OptionValue agents() {
  const auto set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    auto agents = parse_agent_flag(text);
    if (!agents) return agents.error();
    options.agents = merge_agents(std::move(options.agents), *std::move(agents));
    return {};
  };
  return {"NAME=COMMAND", "NAME=COMMAND", "none", set, true};
}

OptionValue default_agent() {
  return parsed("NAME", &ServeOptions::default_agent, "the name of an agent",
                "the first configured one, else demo", [](std::string_view text) {
                  return is_name(text) ? std::optional(text) : std::nullopt;
                });
}

OptionValue transcript_roots() {
  return parsed("DIRS", &ServeOptions::transcript_roots,
                "none, or absolute directories separated by colons",
                "~/.claude/projects, ~/.codex/sessions and ~/.factory/sessions", parse_roots);
}

OptionValue media_types(std::vector<std::string> ServeOptions::*field) {
  return parsed("TYPES", field,
                "comma-separated media types such as text/* or application/pdf, or */*",
                fmt::format("{}", fmt::join(defaults().*field, ", ")), parse_types);
}

OptionValue with_default(OptionValue value, std::string default_text) {
  value.default_text = std::move(default_text);
  return value;
}

}  // namespace oriel::option_value
