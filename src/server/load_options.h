#pragma once
// From flags, environment and oriel.toml to ServeOptions: a flag wins over the environment, that
// over oriel.toml, that over the default. Every wrong value is an error, also one that another
// source overrides.

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

// The config file to read: the one asked for by flag or ORIEL_CONFIG, else ./oriel.toml when it
// exists, else none.
Result<std::optional<ConfigText>> find_config(const std::optional<std::string>& flag,
                                              const Environment& environment);

// An error names where the value stands, the value, and what is allowed.
Result<ServeOptions> load_serve_options(const OptionSources& sources);

}  // namespace oriel
