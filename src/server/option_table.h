#pragma once
// One row per option of `oriel serve`. Flags, environment variables, oriel.toml, the help and
// docs/configuration.md all follow this table.

#include "server/option_values.h"

#include <string>
#include <vector>

namespace oriel {

struct ServeOption {
  std::string flag;  // without dashes: "max-sse-clients"
  std::string key;   // in oriel.toml: "sse.max_clients"
  OptionValue value;
  std::string help;        // without the final period
  std::string group = {};  // heading: "Event stream"

  // ORIEL_MAX_SSE_CLIENTS
  std::string variable() const;
};

// In the order of the help, group by group.
const std::vector<ServeOption>& serve_option_table();

}  // namespace oriel
