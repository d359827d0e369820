#pragma once
// Reads what /metrics says, as strictly as a scraper may.

#include <map>
#include <string>
#include <string_view>

namespace oriel {

struct Metric {
  std::string type;  // counter, gauge, histogram
  std::string help;
  std::map<std::string, double>
      samples;  // by what follows the name: `_bucket{le="1"}`, `_sum`, ``, `{x="y"}`
};

using Metrics = std::map<std::string, Metric>;

// Throws on a line that is not of the format, or a sample whose HELP and TYPE did not come before.
Metrics parse_prometheus(std::string_view text);

}  // namespace oriel
