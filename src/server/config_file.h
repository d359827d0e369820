#pragma once
// A TOML file as a flat list of keys with their lines.

#include "base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct ConfigText {
  std::string name;  // in error messages
  std::string text;
};

enum class ConfigEntryKind {
  kSection,  // [sse]
  kValue,    // a string or a whole number, as text
  kOther,    // another type; its name is in `value`: "a boolean"
};

struct ConfigEntry {
  std::string key;  // dotted: "sse.heartbeat"
  std::string value;
  ConfigEntryKind kind = ConfigEntryKind::kValue;
  unsigned line = 0;
};

// Reads up to 1 MiB. The error names the file.
Result<ConfigText> read_config_file(const std::filesystem::path& file);

// Accepts any bytes. Entries are in the order of their lines; an error names the line.
Result<std::vector<ConfigEntry>> parse_config(const ConfigText& config);

}  // namespace oriel
