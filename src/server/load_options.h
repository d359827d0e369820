#pragma once
// Loads ServeOptions: flags win over the environment, the environment over oriel.toml, oriel.toml
// over defaults. Every invalid value is an error, even one that another source overrides.

#include "posix/environment.h"
#include "server/config_file.h"
#include "server/serve_options.h"

#include <map>
#include <optional>
#include <string>

namespace oriel {

struct OptionSources {
  std::map<std::string, std::string> flags;  // by ServeOption::flag
  Environment environment;
  std::optional<ConfigText> config;
};

// Reads the config file named by the flag or ORIEL_CONFIG, else ./oriel.toml if it exists, else
// none.
Result<std::optional<ConfigText>> find_config(const std::optional<std::string>& flag,
                                              const Environment& environment);

// An error names the source, the value, and what is allowed.
Result<ServeOptions> load_serve_options(const OptionSources& sources);

// Oriel's own directories, which no sandbox shows: the data, with its tokens, and the machine's
// configuration, if there is one. Their links are resolved.
std::vector<std::filesystem::path> secret_directories(const ServeOptions& options);

// The server's Unix socket, which no sandbox shows either, with its links resolved. Empty if it
// does not exist: there is none, or no server runs.
std::filesystem::path secret_socket(const ServeOptions& options);

// The configuration in use, the key of TLS and the credentials of a cluster, as far as they exist.
std::vector<std::filesystem::path> secret_files(const ServeOptions& options);

}  // namespace oriel
