#include "server/option_kinds.h"

#include "base/id.h"
#include "base/log.h"
#include "base/media_type.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "http/url.h"
#include "server/agent_config.h"

#include <boost/asio/ip/address.hpp>
#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace oriel {
namespace {

using std::chrono::milliseconds;

const ServeOptions& defaults() {
  static const ServeOptions options;
  return options;
}

Error refusal(std::string_view text, const std::string& allowed, std::string hint = {}) {
  return {.kind = ErrorKind::kBadOption,
          .message = quote(text) + " is not " + allowed,
          .hint = std::move(hint)};
}

// An option whose text either reads as a value or is not what is allowed.
template <class T>
ServeOption value_option(ServeOption option, T ServeOptions::*field,
                         std::function<std::optional<T>(std::string_view)> read) {
  option.set = [=, allowed = option.allowed](std::string_view text,
                                             ServeOptions& options) -> Result<void> {
    auto value = read(text);
    if (!value) return refusal(text, allowed);
    options.*field = std::move(*value);
    return {};
  };
  return option;
}

template <class T>
std::optional<T> in_range(std::optional<T> value, T min, T max) {
  if (!value || *value < min || *value > max) return std::nullopt;
  return value;
}

template <class T>
ServeOption count_option(ServeOption option, T ServeOptions::*field, std::uint64_t min,
                         std::uint64_t max) {
  option.allowed = fmt::format("a whole number from {} to {}", min, max);
  if (option.default_text.empty()) option.default_text = std::to_string(defaults().*field);
  return value_option<T>(std::move(option), field, [=](std::string_view text) -> std::optional<T> {
    return in_range(parse_number(text), min, max);
  });
}

template <class T>
ServeOption any_path_option(ServeOption option, T ServeOptions::*field) {
  option.allowed = "a path";
  // No shell has seen a path of oriel.toml: "~" would silently name a directory of that name.
  option.set = [=](std::string_view text, ServeOptions& options) -> Result<void> {
    if (text.empty() || text.find('\0') != text.npos) return refusal(text, "a path");
    if (text == "~" || text.starts_with("~/")) {
      return refusal(text, "a path that can be used as it is: ~ is not expanded",
                     "write the whole path");
    }
    options.*field = T(text);
    return {};
  };
  return option;
}

template <class T>
ServeOption choice_option(ServeOption option, T ServeOptions::*field,
                          std::vector<std::pair<std::string, T>> choices) {
  for (const auto& [name, value] : choices) {
    option.allowed += (option.allowed.empty() ? "" : " or ") + name;
    if (defaults().*field == value) option.default_text = name;
  }
  return value_option<T>(std::move(option), field,
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
  if (colon == text.npos || text.ends_with(']')) return refusal(text, kEndpoint, "add a port");
  std::string_view host = text.substr(0, colon);
  if (host.empty()) {
    return refusal(text, kEndpoint,
                   "add the address: 127.0.0.1 for this machine alone, 0.0.0.0 for every network");
  }
  const bool has_brackets = host.starts_with('[') && host.ends_with(']');
  if (has_brackets) host = host.substr(1, host.size() - 2);
  const bool has_colon = host.find(':') != host.npos;
  if (has_colon && !has_brackets) return refusal(text, kEndpoint, "put an IPv6 address in [ ]");
  const auto port = parse_number(text.substr(colon + 1));
  if (!port || *port > 65'535)
    return refusal(text, kEndpoint, "a port is a number from 0 to 65535");
  if (host == "localhost") host = "127.0.0.1";
  boost::system::error_code problem;
  boost::asio::ip::make_address(std::string(host), problem);
  if (problem || has_colon != has_brackets) {
    return refusal(text, kEndpoint, "the address is given in numbers; the only name is localhost");
  }
  return Endpoint{.host = std::string(host), .port = static_cast<std::uint16_t>(*port)};
}

Result<void> check_public_url(std::string_view text) {
  const auto url = http::parse_url(text);
  if (!url)
    return Error{
        .kind = ErrorKind::kBadOption, .message = url.error().message, .hint = url.error().hint};
  if (url->path.empty()) return {};
  return refusal(text, "a URL without a path", "write " + url->origin());
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

using Roots = std::optional<std::vector<std::string>>;

std::optional<Roots> parse_roots(std::string_view text) {
  std::vector<std::string> roots;
  if (text == "none") return Roots(roots);
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view root = text.substr(0, colon);
    if (!root.starts_with('/') || root.find('\0') != root.npos) return std::nullopt;
    roots.emplace_back(root);
    if (colon == text.npos) return Roots(roots);
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

ServeOption number_option(ServeOption option, unsigned ServeOptions::*field, std::uint64_t min,
                          std::uint64_t max) {
  return count_option(std::move(option), field, min, max);
}

ServeOption number_option(ServeOption option, std::uint64_t ServeOptions::*field, std::uint64_t min,
                          std::uint64_t max) {
  return count_option(std::move(option), field, min, max);
}

ServeOption duration_option(ServeOption option, milliseconds ServeOptions::*field, milliseconds min,
                            milliseconds max) {
  option.default_text = format_duration(defaults().*field);
  option.allowed = fmt::format("a duration from {} to {}, such as {}", format_duration(min),
                               format_duration(max), option.default_text);
  return value_option<milliseconds>(std::move(option), field, [=](std::string_view text) {
    return in_range(parse_duration(text), min, max);
  });
}

ServeOption bytes_option(ServeOption option, std::uint64_t ServeOptions::*field, std::uint64_t min,
                         std::uint64_t max) {
  option.default_text = format_bytes(defaults().*field);
  option.allowed = fmt::format("a size from {} to {}, such as {}", format_bytes(min),
                               format_bytes(max), option.default_text);
  return value_option<std::uint64_t>(std::move(option), field, [=](std::string_view text) {
    return in_range(parse_bytes(text), min, max);
  });
}

ServeOption path_option(ServeOption option, std::string ServeOptions::*field) {
  return any_path_option(std::move(option), field);
}

ServeOption path_option(ServeOption option, std::filesystem::path ServeOptions::*field) {
  return any_path_option(std::move(option), field);
}

ServeOption listen_option(ServeOption option) {
  option.allowed = kEndpoint;
  option.default_text = defaults().listen_host + ":" + std::to_string(defaults().listen_port);
  option.set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    auto endpoint = parse_listen(text);
    if (!endpoint) return endpoint.error();
    options.listen_host = std::move(endpoint->host);
    options.listen_port = endpoint->port;
    return {};
  };
  return option;
}

ServeOption public_url_option(ServeOption option) {
  option.allowed = "a URL without a path, such as https://oriel.example.org";
  option.default_text = "none";
  option.set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    const auto checked = check_public_url(text);
    if (checked) options.public_url = std::string(text);
    return checked;
  };
  return option;
}

ServeOption log_level_option(ServeOption option) {
  option.allowed = "trace, debug, info, warn, error or off";
  option.default_text = defaults().log_level;
  return value_option<std::string>(std::move(option), &ServeOptions::log_level,
                                   [](std::string_view text) -> std::optional<std::string> {
                                     if (!is_log_level(text)) return std::nullopt;
                                     return std::string(text);
                                   });
}

ServeOption store_option(ServeOption option) {
  option =
      choice_option<StoreKind>(std::move(option), &ServeOptions::store,
                               {{"sqlite", StoreKind::kSqlite}, {"memory", StoreKind::kMemory}});
  option.set = [set = option.set](std::string_view text, ServeOptions& options) -> Result<void> {
    if (!text.starts_with("nats:")) return set(text, options);
    return refusal(text, "a store of this build, which has sqlite and memory");
  };
  return option;
}

ServeOption durability_option(ServeOption option) {
  return choice_option<Durability>(
      std::move(option), &ServeOptions::durability,
      {{"process", Durability::kProcess}, {"power", Durability::kPower}});
}

ServeOption agent_option(ServeOption option) {
  option.allowed = "NAME=COMMAND";
  option.default_text = "none";
  option.set = [](std::string_view text, ServeOptions& options) -> Result<void> {
    auto agents = parse_agent_flag(text);
    if (!agents) return agents.error();
    options.agents = merge_agents(std::move(options.agents), *std::move(agents));
    return {};
  };
  return option;
}

ServeOption default_agent_option(ServeOption option) {
  option.allowed = "the name of an agent";
  option.default_text = "the first configured one, else demo";
  return value_option<std::string>(std::move(option), &ServeOptions::default_agent,
                                   [](std::string_view text) -> std::optional<std::string> {
                                     if (!is_name(text)) return std::nullopt;
                                     return std::string(text);
                                   });
}

ServeOption transcript_roots_option(ServeOption option) {
  option.allowed = "none, or absolute directories with : between them";
  option.default_text = "~/.claude/projects, ~/.codex/sessions and ~/.factory/sessions";
  return value_option<Roots>(std::move(option), &ServeOptions::transcript_roots, parse_roots);
}

ServeOption upload_types_option(ServeOption option) {
  option.allowed = "media types such as text/* or application/pdf with , between them, or */*";
  option.default_text = fmt::format("{}", fmt::join(defaults().upload_types, ", "));
  return value_option<std::vector<std::string>>(std::move(option), &ServeOptions::upload_types,
                                                parse_types);
}

ServeOption open_duration_option(ServeOption option, milliseconds ServeOptions::*field,
                                 milliseconds min, milliseconds max) {
  option.default_text = format_duration(defaults().*field);
  option.allowed = fmt::format("0 or a duration from {} to {}, such as {}", format_duration(min),
                               format_duration(max), format_duration(max / 2));
  return value_option<milliseconds>(std::move(option), field, [=](std::string_view text) {
    const auto duration = parse_duration(text);
    if (duration == milliseconds(0)) return duration;
    return in_range(duration, min, max);
  });
}

ServeOption retain_bytes_option(ServeOption option) {
  option.default_text = format_bytes(defaults().retain_bytes);
  option.allowed = "0 or a size from 64KiB to 1024TiB, such as 4GiB";
  return value_option<std::uint64_t>(std::move(option), &ServeOptions::retain_bytes,
                                     [](std::string_view text) {
                                       const auto bytes = parse_bytes(text);
                                       if (bytes == 0U) return bytes;
                                       return in_range<std::uint64_t>(bytes, 64 << 10, 1ULL << 50);
                                     });
}

}  // namespace oriel
