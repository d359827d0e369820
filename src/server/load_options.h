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

}  // namespace oriel
