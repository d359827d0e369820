#pragma once
// Reads one section of a TOML file into values, such as [agents.droid].

#include "agent/agent_spec.h"
#include "base/error.h"

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {

Error bad_config(const std::string& where, const std::string& problem, const std::string& hint);

// A value whose key is missing stays as it is. Keeps the first error, which names the file, line
// and key. Does not outlive its table.
class ConfigSection {
 public:
  ConfigSection(std::string file, std::string name, const toml::table& table)
      : file_(std::move(file)), name_(std::move(name)), table_(table) {}

  void read(std::string_view key, std::string& value);
  void read(std::string_view key, std::vector<std::string>& list);
  void read(std::string_view key, std::vector<std::pair<std::string, std::string>>& map);
  void read(std::string_view key, bool& flag);
  void read(std::string_view key, std::uint64_t& number);

  // "full", "none", or a list of destinations.
  void read(std::string_view key, NetworkPolicy& policy);

  // One of the names that `parse` knows.
  template <class Kind>
  void read(std::string_view key, Kind& kind, std::optional<Kind> (*parse)(std::string_view),
            std::string_view allowed) {
    std::string name;
    read(key, name);
    if (!has(key)) return;
    const std::optional<Kind> parsed = parse(name);
    if (!parsed) return reject_name(key, name, allowed);
    kind = *parsed;
  }

  // Bytes: a whole number, or a string with a unit.
  void read_bytes(std::string_view key, std::uint64_t& bytes);

  // Fails on keys that were never read. Call it after the last read().
  void reject_unknown_keys();

  // Fails with the line of the section unless the condition holds.
  void require(bool holds, const std::string& problem, const std::string& hint);

  bool has(std::string_view key) const { return table_.get(key) != nullptr; }

  const std::optional<Error>& error() const { return error_; }

 private:
  const toml::node* find(std::string_view key);
  void read_network_word(const toml::node& node, std::string_view key, NetworkPolicy& policy);
  void reject_name(std::string_view key, const std::string& name, std::string_view allowed);
  std::string where(const toml::node& node, std::string_view key) const;
  void fail(const std::string& where, const std::string& problem, const std::string& hint);

  std::string file_;
  std::string name_;
  const toml::table& table_;
  std::vector<std::string_view> known_;
  std::optional<Error> error_;
};

}  // namespace oriel
