#include "base/event/usage.h"

#include "base/text/json_access.h"

#include <array>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

using Count = std::optional<std::int64_t> Usage::*;

constexpr std::array<std::pair<std::string_view, Count>, 4> kTokens = {{
    {"input_tokens", &Usage::input_tokens},
    {"output_tokens", &Usage::output_tokens},
    {"cache_read_tokens", &Usage::cache_read_tokens},
    {"cache_write_tokens", &Usage::cache_write_tokens},
}};
constexpr std::array<std::pair<std::string_view, Count>, 2> kContext = {{
    {"context_used", &Usage::context_used},
    {"context_size", &Usage::context_size},
}};
constexpr std::string_view kCost = "cost_usd";

void replace(auto& number, const auto& newer) {
  if (newer) number = newer;
}

// Agents may report any number: unsigned arithmetic cannot overflow into undefined behaviour.
std::int64_t wrapped(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

std::uint64_t bits(const std::optional<std::int64_t>& number) {
  return static_cast<std::uint64_t>(number.value_or(0));
}

}  // namespace

void update(Usage& usage, const Usage& newer) {
  for (const auto& [name, count] : kTokens)
    replace(usage.*count, newer.*count);
  for (const auto& [name, count] : kContext)
    replace(usage.*count, newer.*count);
  replace(usage.cost_usd, newer.cost_usd);
}

void add(Usage& total, const Usage& usage) {
  for (const auto& [name, count] : kTokens) {
    if (usage.*count) total.*count = wrapped(bits(total.*count) + bits(usage.*count));
  }
  for (const auto& [name, count] : kContext)
    replace(total.*count, usage.*count);
  if (usage.cost_usd) total.cost_usd = total.cost_usd.value_or(0) + *usage.cost_usd;
}

Usage usage_since(const Usage& before, const Usage& total) {
  Usage usage;
  for (const auto& [name, count] : kTokens) {
    if (total.*count) usage.*count = wrapped(bits(total.*count) - bits(before.*count));
  }
  return usage;
}

json::object to_json(const Usage& usage) {
  json::object object;
  for (const auto& [name, count] : kTokens) {
    if (usage.*count) object.emplace(name, *(usage.*count));
  }
  for (const auto& [name, count] : kContext) {
    if (usage.*count) object.emplace(name, *(usage.*count));
  }
  if (usage.cost_usd) object.emplace(kCost, *usage.cost_usd);
  return object;
}

Usage parse_usage(const json::value& json) {
  Usage usage;
  for (const auto& [name, count] : kTokens)
    usage.*count = number_of(member(json, name));
  for (const auto& [name, count] : kContext)
    usage.*count = number_of(member(json, name));
  const json::value& cost = member(json, kCost);
  if (cost.is_number()) usage.cost_usd = cost.to_number<double>();
  return usage;
}

}  // namespace oriel
