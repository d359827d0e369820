#pragma once
// A TOML file as a flat list of its keys, each with its line. What the keys mean is for others to
// say.

#include "base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ConfigText {
  std::string name;  // what errors call the file
  std::string text;
};

enum class ConfigEntryKind {
  kSection,  // [sse]
  kValue,    // a string or a whole number, as text
  kOther,    // a value of another type, whose name is in `value`: "a boolean"
};

struct ConfigEntry {
  std::string key;  // dotted: "sse.heartbeat"
  std::string value;
  ConfigEntryKind kind = ConfigEntryKind::kValue;
  unsigned line = 0;
};

// The file's bytes, or an error that names it. More than 1 MiB is refused.
Result<ConfigText> read_config_file(const std::filesystem::path& file);

// Total: any bytes give entries, in the order of their lines, or an error with the line.
Result<std::vector<ConfigEntry>> parse_config(const ConfigText& config);

}  // namespace oriel
