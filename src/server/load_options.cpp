#include "server/load_options.h"

#include "base/failpoint.h"
#include "base/text/nearest.h"
#include "base/text/printable.h"
#include "base/text/quote.h"
#include "posix/socket_file.h"
#include "server/agent_config.h"
#include "server/option_table.h"
#include "transcript/transcript_roots.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <unistd.h>

namespace oriel {
namespace {

constexpr const char* kDefaultConfig = "oriel.toml";
constexpr const char* kDefaultSocket = "oriel.sock";  // in the data directory

// Variables of Oriel that are not options of `serve`.
constexpr std::array<std::string_view, 3> kOtherVariables = {"ORIEL_CONFIG", "ORIEL_TOKEN",
                                                             "ORIEL_URL"};

Error bad_option(std::string message, std::string hint) {
  return {.kind = ErrorKind::kBadOption, .message = std::move(message), .hint = std::move(hint)};
}

// `name` is a field or method of ServeOption that returns a name: &ServeOption::flag.
template <class Name>
const ServeOption* find_option(Name name, std::string_view value) {
  const auto& table = serve_option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& option) {
    return std::invoke(name, option) == value;
  });
  return found == table.end() ? nullptr : &*found;
}

bool is_section(std::string_view key) {
  const std::string prefix = std::string(key) + ".";
  const auto& table = serve_option_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const auto& option) { return option.key.starts_with(prefix); });
}

// Accepts the key, its last part alone, or the flag's name.
std::string suggest_key(std::string_view key) {
  std::vector<Spelling> spellings;
  for (const ServeOption& option : serve_option_table()) {
    spellings.push_back({.spelling = option.key, .name = option.key});
    spellings.push_back(
        {.spelling = option.key.substr(option.key.find('.') + 1), .name = option.key});
    std::string flag = option.flag;
    std::replace(flag.begin(), flag.end(), '-', '_');
    spellings.push_back({.spelling = std::move(flag), .name = option.key});
  }
  return did_you_mean(nearest(key, spellings), "oriel serve --help lists the keys");
}

std::string suggest_section(std::string_view name) {
  std::vector<Spelling> spellings;
  for (const ServeOption& option : serve_option_table()) {
    const std::string section = option.key.substr(0, option.key.find('.'));
    if (section == option.key) continue;
    spellings.push_back({.spelling = section, .name = "[" + section + "]"});
  }
  return did_you_mean(nearest(name, spellings), "oriel serve --help lists the keys");
}

std::string suggest_variable(std::string_view name) {
  std::vector<Spelling> spellings;
  for (const ServeOption& option : serve_option_table()) {
    spellings.push_back({.spelling = option.variable(), .name = option.variable()});
  }
  for (const std::string_view other : kOtherVariables) {
    spellings.push_back({.spelling = std::string(other), .name = std::string(other)});
  }
  return did_you_mean(nearest(name, spellings), "oriel serve --help lists the variables");
}

// Applies the sources in order, so that later ones win. Keeps the source of each option for
// messages.
class Loader {
 public:
  Result<void> apply_config(const ConfigText& config) {
    const auto entries = parse_config(config);
    if (!entries) return entries.error();
    auto agents = parse_agent_config(config);
    if (!agents) return agents.error();
    options_.agents = std::move(agents->agents);
    options_.projects = std::move(agents->projects);
    options_.secret_patterns = std::move(agents->patterns);
    for (const ConfigEntry& entry : *entries) {
      if (is_agent_key(entry.key)) continue;
      const auto applied = apply_entry(config.name, entry);
      if (!applied) return applied;
    }
    return {};
  }

  static bool is_option(const std::string& variable) {
    if (!variable.starts_with("ORIEL_")) return false;
    // Unknown in a build without failpoints, where it would have no effect.
    if (variable == kFailpointsVariable && !failpoint_names().empty()) return false;
    return std::count(kOtherVariables.begin(), kOtherVariables.end(), variable) == 0;
  }

  Result<void> apply_environment(const Environment& environment) {
    for (const auto& [name, value] : environment) {
      if (!is_option(name)) continue;
      const auto applied = apply_variable(name, value);
      if (!applied) return applied;
    }
    return {};
  }

  Result<void> apply_flags(const std::map<std::string, std::string>& flags) {
    for (const auto& [name, value] : flags) {
      const ServeOption* const option = find_option(&ServeOption::flag, name);
      if (option == nullptr) return bad_option("flag --" + name + " is unknown", "");
      const auto applied = set(*option, "flag --" + name, value);
      if (!applied) return applied;
    }
    return {};
  }

  Result<void> set_default_data_dir(const Environment& environment) {
    if (!options_.data_dir.empty()) return {};
    const auto xdg = environment.find("XDG_DATA_HOME");
    const auto home = environment.find("HOME");
    // XDG: a relative path is ignored.
    if (xdg != environment.end() && xdg->second.starts_with('/')) {
      options_.data_dir = std::filesystem::path(xdg->second) / "oriel";
    } else if (home != environment.end() && home->second.starts_with('/')) {
      options_.data_dir = std::filesystem::path(home->second) / ".local/share/oriel";
    } else {
      return bad_option("no data directory: neither XDG_DATA_HOME nor HOME is set",
                        "set --data-dir DIR");
    }
    return {};
  }

  void set_default_socket() {
    if (!options_.socket) options_.socket = options_.data_dir / kDefaultSocket;
  }

  void set_default_roots(const Environment& environment) {
    if (options_.transcript_roots) return;
    const auto home = environment.find("HOME");
    const bool has_home = home != environment.end() && home->second.starts_with('/');
    options_.transcript_roots =
        has_home ? default_transcript_roots(home->second) : std::vector<std::string>();
  }

  Result<void> check_together() const {
    if (options_.tls_cert.empty() != options_.tls_key.empty()) return missing_tls_option();
    if (options_.tls_cert.empty() && !options_.tls_client_ca.empty()) {
      return bad_option(sources_.at("tls-client-ca") + ": client certificates need TLS",
                        "also set --tls-cert FILE and --tls-key FILE");
    }
    for (const auto& [flag, file] :
         {std::pair("tls-cert", options_.tls_cert), std::pair("tls-key", options_.tls_key),
          std::pair("tls-client-ca", options_.tls_client_ca),
          std::pair("cluster-credentials", options_.cluster_credentials),
          std::pair("cluster-ca", options_.cluster_ca)}) {
      const auto readable = check_readable(flag, file);
      if (!readable) return readable;
    }
    if (const auto checked = check_cluster(); !checked) return checked;
    const auto socket = sources_.find("socket");
    const std::size_t socket_bytes = options_.socket->native().size();
    if (socket != sources_.end() && socket_bytes > kMaxSocketPath) {
      return bad_option(
          fmt::format("{}: the path of a socket has at most {} bytes, this one has {}",
                      socket->second, kMaxSocketPath, socket_bytes),
          "choose a shorter path, or none");
    }
    const auto watchers = sources_.find("max-sse-clients");
    if (watchers != sources_.end() && options_.max_sse_clients > options_.max_connections) {
      return bad_option(
          fmt::format("{}: {} watchers exceed the {} connections allowed", watchers->second,
                      options_.max_sse_clients, options_.max_connections),
          "also raise --max-connections (limits.max_connections, ORIEL_MAX_CONNECTIONS)");
    }
    return {};
  }

  ServeOptions take() { return std::move(options_); }

 private:
  Result<void> set(const ServeOption& option, const std::string& source, std::string_view value) {
    const auto done = option.value.set(value, options_);
    if (!done) return bad_option(source + ": " + done.error().message, done.error().hint);
    sources_[option.flag] = source;
    return {};
  }

  Result<void> apply_entry(const std::string& file, const ConfigEntry& entry) {
    const std::string line = fmt::format("{} line {}", file, entry.line);
    const ServeOption* const option = find_option(&ServeOption::key, entry.key);
    if (entry.kind == ConfigEntryKind::kSection) {
      if (is_section(entry.key)) return {};
      if (option != nullptr) {
        return bad_option(line + ": " + entry.key + " is a key, not a section",
                          "write " + entry.key + " = VALUE");
      }
      return bad_option(line + ": unknown section [" + entry.key + "]", suggest_section(entry.key));
    }
    if (is_section(entry.key)) {
      return bad_option(line + ": " + entry.key + " is a section, not a key",
                        "write [" + entry.key + "] and its keys below it");
    }
    if (option == nullptr) {
      return bad_option(line + ": unknown key " + entry.key, suggest_key(entry.key));
    }
    const std::string source = line + ", key " + entry.key;
    if (entry.kind == ConfigEntryKind::kOther) {
      return bad_option(source + ": " + entry.value + " is not " + option->value.allowed,
                        "write it as a string in quotes or as a whole number");
    }
    return set(*option, source, entry.value);
  }

  Result<void> apply_variable(const std::string& name, const std::string& value) {
    const ServeOption* const option = find_option(&ServeOption::variable, name);
    if (option != nullptr) return set(*option, "environment " + name, value);
    return bad_option("unknown environment variable " + printable(name), suggest_variable(name));
  }

  Result<void> check_cluster() const {
    if (!options_.cluster.empty()) {
      if (options_.store == StoreKind::kSqlite) return {};
      return bad_option(sources_.at("cluster") + ": a node of a cluster keeps its journal on disk",
                        "leave out --store memory");
    }
    for (const std::string flag :
         {"node", "cluster-replicas", "node-url", "node-labels", "node-timeout", "place",
          "shared-workspaces", "cluster-credentials", "cluster-ca"}) {
      const auto source = sources_.find(flag);
      if (source != sources_.end())
        return bad_option(source->second + ": this server is not in a cluster",
                          "also set --cluster URLS (cluster.servers, ORIEL_CLUSTER)");
    }
    return {};
  }

  Result<void> missing_tls_option() const {
    const bool has_cert = !options_.tls_cert.empty();
    const ServeOption& missing =
        *find_option(&ServeOption::flag, has_cert ? "tls-key" : "tls-cert");
    return bad_option(
        fmt::format("{}: {} needs its {}", sources_.at(has_cert ? "tls-cert" : "tls-key"),
                    quote(has_cert ? options_.tls_cert : options_.tls_key),
                    has_cert ? "private key" : "certificate"),
        fmt::format("also set --{} FILE ({}, {})", missing.flag, missing.key, missing.variable()));
  }

  Result<void> check_readable(const std::string& flag, const std::string& file) const {
    if (file.empty()) return {};
    std::string problem;
    std::error_code ignored;
    if (::access(file.c_str(), R_OK) != 0) problem = std::strerror(errno);
    if (std::filesystem::is_directory(file, ignored)) problem = "it is a directory";
    if (problem.empty()) return {};
    return bad_option(sources_.at(flag) + ": " + quote(file) + " cannot be read: " + problem,
                      "name a file that this user can read");
  }

  ServeOptions options_;
  std::map<std::string, std::string> sources_;  // where each option was set, by flag
};

// The existing ones of these paths, with symbolic links resolved.
std::vector<std::filesystem::path> existing_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> existing;
  for (const std::filesystem::path& path : paths) {
    std::error_code ec;
    const auto real = std::filesystem::canonical(path, ec);
    if (!ec) existing.push_back(real);
  }
  return existing;
}

}  // namespace

Result<std::optional<ConfigText>> find_config(const std::optional<std::string>& flag,
                                              const Environment& environment) {
  std::optional<std::string> file = flag;
  const auto variable = environment.find("ORIEL_CONFIG");
  if (!file && variable != environment.end()) file = variable->second;
  std::error_code ignored;
  if (!file && std::filesystem::exists(kDefaultConfig, ignored)) file = kDefaultConfig;
  if (!file) return std::optional<ConfigText>();
  auto config = read_config_file(*file);
  if (!config) return config.error();
  return std::optional<ConfigText>(std::move(*config));
}

Result<ServeOptions> load_serve_options(const OptionSources& sources) {
  Loader loader;
  if (sources.config) {
    const auto applied = loader.apply_config(*sources.config);
    if (!applied) return applied.error();
  }
  if (const auto applied = loader.apply_environment(sources.environment); !applied) {
    return applied.error();
  }
  if (const auto applied = loader.apply_flags(sources.flags); !applied) return applied.error();
  if (const auto done = loader.set_default_data_dir(sources.environment); !done) {
    return done.error();
  }
  loader.set_default_socket();
  loader.set_default_roots(sources.environment);
  if (const auto checked = loader.check_together(); !checked) return checked.error();
  auto options = loader.take();
  if (sources.config) options.config_file = sources.config->name;
  return options;
}

std::vector<std::filesystem::path> secret_directories(const ServeOptions& options) {
  return existing_of({options.data_dir, std::filesystem::path("/etc/oriel"),
                      std::filesystem::path(options.shared_workspaces)});
}

std::vector<std::filesystem::path> secret_files(const ServeOptions& options) {
  return existing_of({options.config_file, std::filesystem::path(options.tls_key),
                      std::filesystem::path(options.cluster_credentials)});
}

std::filesystem::path secret_socket(const ServeOptions& options) {
  std::error_code missing;
  return std::filesystem::canonical(options.socket.value_or(std::filesystem::path()), missing);
}

}  // namespace oriel
