#pragma once
// Tokens and cost of a task or session, as reported by its agent. Values only.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>

namespace oriel {

struct Usage {
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> cache_read_tokens;
  std::optional<std::int64_t> cache_write_tokens;
  std::optional<std::int64_t> context_used;  // tokens in the model's context now
  std::optional<std::int64_t> context_size;  // tokens that fit into it
  std::optional<double> cost_usd;

  bool is_empty() const { return *this == Usage{}; }

  bool operator==(const Usage&) const = default;
};

// Replaces the numbers of `usage` that `newer` has.
void update(Usage& usage, const Usage& newer);

// Adds tokens and cost to a total. The state of the context replaces the earlier one.
void add(Usage& total, const Usage& usage);

// The tokens of `total` that `before` does not count, for agents that report totals.
Usage usage_since(const Usage& before, const Usage& total);

// Keys are the names of the members; unknown numbers are omitted.
boost::json::object to_json(const Usage& usage);

// Ignores unknown keys and values that are not numbers.
Usage parse_usage(const boost::json::value& json);

}  // namespace oriel
