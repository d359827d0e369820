#pragma once
// An outgoing JSON-RPC message: one line in up to three pieces, so that the middle can share bytes
// with other owners.

#include "base/bytes.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace oriel::mcp {

struct Message {
  // NOLINTNEXTLINE(google-explicit-constructor): a line is a message
  Message(std::string line) : rest(std::move(line)) {}

  // `first` has static lifetime. `others` is kept alive and accounted with `cost` bytes.
  Message(std::string_view first, SharedBytes others, std::size_t cost, std::string last)
      : lead(first), shared(std::move(others)), shared_cost(cost), rest(std::move(last)) {}

  std::size_t size() const { return lead.size() + (shared ? shared->size() : 0) + rest.size(); }

  std::string_view lead;
  SharedBytes shared;  // may be null
  std::size_t shared_cost = 0;
  std::string rest;
};

using SharedMessage = std::shared_ptr<const Message>;

}  // namespace oriel::mcp
