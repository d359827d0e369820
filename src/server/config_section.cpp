#include "server/config_section.h"

#include "base/text/quantity.h"
#include "base/text/quote.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

constexpr const char* kNetwork = R"(write "full", "none" or ["HOST:PORT", ...])";

}  // namespace

Error bad_config(const std::string& where, const std::string& problem, const std::string& hint) {
  return {.kind = ErrorKind::kBadConfig, .message = where + ": " + problem, .hint = hint};
}

void ConfigSection::read(std::string_view key, std::string& value) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  if (!node->is_string()) return fail(where(*node, key), "is not a string", "put it in quotes");
  value = node->as_string()->get();
}

void ConfigSection::read(std::string_view key, std::vector<std::string>& list) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::array* const array = node->as_array();
  const auto is_string = [](const toml::node& item) { return item.is_string(); };
  if (array == nullptr || !std::all_of(array->begin(), array->end(), is_string))
    return fail(where(*node, key), "is not a list of strings", R"(write ["one", "two"])");
  list.clear();
  for (const toml::node& item : *array)
    list.push_back(item.as_string()->get());
}

void ConfigSection::read(std::string_view key,
                         std::vector<std::pair<std::string, std::string>>& map) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const toml::table* const table = node->as_table();
  if (table == nullptr)
    return fail(where(*node, key), "is not a table", R"(write { NAME = "value" })");
  for (const auto& [name, value] : *table) {
    if (!value.is_string())
      return fail(where(value, key), std::string(name.str()) + " is not a string",
                  "put it in quotes");
    map.emplace_back(name.str(), value.as_string()->get());
  }
}

void ConfigSection::read(std::string_view key, bool& flag) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  if (!node->is_boolean())
    return fail(where(*node, key), "is not true or false", "write it without quotes");
  flag = node->as_boolean()->get();
}

void ConfigSection::read(std::string_view key, std::uint64_t& number) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  const auto value = node->value_exact<std::int64_t>();
  if (!value || *value < 0)
    return fail(where(*node, key), "is not a whole number from 0 on", "write it without quotes");
  number = static_cast<std::uint64_t>(*value);
}

void ConfigSection::read(std::string_view key, NetworkPolicy& policy) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  if (node->is_string()) return read_network_word(*node, key, policy);
  const toml::array* const array = node->as_array();
  if (array == nullptr) return fail(where(*node, key), "is neither a string nor a list", kNetwork);
  policy = {.kind = NetworkKind::kList, .allowed = {}};
  for (const toml::node& item : *array) {
    if (!item.is_string())
      return fail(where(item, key), "has an entry that is not a string", kNetwork);
    auto destination = parse_host_port(item.as_string()->get());
    if (!destination)
      return fail(where(item, key), destination.error().message, destination.error().hint);
    policy.allowed.push_back(*std::move(destination));
  }
}

void ConfigSection::read_bytes(std::string_view key, std::uint64_t& bytes) {
  const toml::node* const node = find(key);
  if (node == nullptr) return;
  std::optional<std::uint64_t> value;
  if (node->is_string()) value = parse_bytes(node->as_string()->get());
  const auto number = node->value_exact<std::int64_t>();
  if (number && *number >= 0) value = static_cast<std::uint64_t>(*number);
  if (!value) return fail(where(*node, key), "is not a size", R"(write for example "4GiB")");
  bytes = *value;
}

void ConfigSection::reject_unknown_keys() {
  for (const auto& [key, node] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
      fail(where(node, key.str()), "no such key",
           fmt::format("the keys are {}", fmt::join(known_, ", ")));
  }
}

void ConfigSection::require(bool holds, const std::string& problem, const std::string& hint) {
  if (holds) return;
  fail(fmt::format("{} line {}, section [{}]", file_, table_.source().begin.line, name_), problem,
       hint);
}

const toml::node* ConfigSection::find(std::string_view key) {
  known_.push_back(key);
  return table_.get(key);
}

void ConfigSection::read_network_word(const toml::node& node, std::string_view key,
                                      NetworkPolicy& policy) {
  const std::string& word = node.as_string()->get();
  if (word == "full") {
    policy = {.kind = NetworkKind::kFull, .allowed = {}};
  } else if (word == "none") {
    policy = {.kind = NetworkKind::kNone, .allowed = {}};
  } else {
    fail(where(node, key), quote(word) + " is not full, none or a list", kNetwork);
  }
}

void ConfigSection::reject_name(std::string_view key, const std::string& name,
                                std::string_view allowed) {
  fail(where(*table_.get(key), key), quote(name) + " is not " + std::string(allowed), "");
}

std::string ConfigSection::where(const toml::node& node, std::string_view key) const {
  return fmt::format("{} line {}, key {}.{}", file_, node.source().begin.line, name_, key);
}

void ConfigSection::fail(const std::string& where, const std::string& problem,
                         const std::string& hint) {
  if (!error_) error_ = bad_config(where, problem, hint);
}

}  // namespace oriel
