#include "server/config_file.h"

#include "base/text/printable.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace oriel {
namespace {

constexpr std::size_t kMaxConfigBytes = 1 << 20;

Error bad_file(const std::filesystem::path& file, const std::string& problem) {
  return {.kind = ErrorKind::kBadConfig,
          .message = "config file " + quote(file.native()) + " " + problem,
          .hint = "name a TOML file with --config FILE or ORIEL_CONFIG"};
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

// A quoted key keeps its quotes: "a.b" is not b in section a.
std::string dotted(const std::string& section, std::string_view key) {
  const std::string part = is_bare_key(key) ? std::string(key) : quote(key);
  return section.empty() ? part : section + "." + part;
}

std::string type_name(const toml::node& node) {
  if (node.is_boolean()) return "a boolean";
  if (node.is_floating_point()) return "a number with a fraction";
  if (node.is_array()) return "an array";
  return "a date or time";
}

ConfigEntry make_entry(std::string key, const toml::node& node) {
  ConfigEntry entry{.key = std::move(key), .value = {}, .line = node.source().begin.line};
  if (node.is_table()) {
    entry.kind = ConfigEntryKind::kSection;
  } else if (const auto* text = node.as_string()) {
    entry.value = text->get();
  } else if (const auto* number = node.as_integer()) {
    entry.value = std::to_string(number->get());
  } else {
    entry.kind = ConfigEntryKind::kOther;
    entry.value = type_name(node);
  }
  return entry;
}

void flatten(const toml::table& table, const std::string& section,
             std::vector<ConfigEntry>& entries) {
  for (const auto& [key, node] : table) {
    entries.push_back(make_entry(dotted(section, key.str()), node));
    const std::string name = entries.back().key;
    if (const auto* inner = node.as_table()) flatten(*inner, name, entries);
  }
}

}  // namespace

Result<ConfigText> read_config_file(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(file.c_str(), "rbe"),
                                                               std::fclose);
  if (!opened) return bad_file(file, std::string("cannot be opened: ") + std::strerror(errno));
  ConfigText config{.name = printable(file.native()),
                    .text = std::string(kMaxConfigBytes + 1, '\0')};
  config.text.resize(std::fread(config.text.data(), 1, config.text.size(), opened.get()));
  if (std::ferror(opened.get()) != 0) {
    return bad_file(file, std::string("cannot be read: ") + std::strerror(errno));
  }
  if (config.text.size() > kMaxConfigBytes) return bad_file(file, "is larger than 1MiB");
  return config;
}

Result<std::vector<ConfigEntry>> parse_config(const ConfigText& config) {
  std::vector<ConfigEntry> entries;
  try {
    flatten(toml::parse(config.text), "", entries);
  } catch (const toml::parse_error& problem) {
    return Error{.kind = ErrorKind::kBadConfig,
                 .message = fmt::format("{} line {}: {}", config.name, problem.source().begin.line,
                                        printable(problem.description())),
                 .hint = "the file is TOML: key = value lines under [section] headings"};
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return entries;
}

}  // namespace oriel
