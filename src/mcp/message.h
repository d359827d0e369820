#pragma once
// A JSON-RPC message on its way to clients: one line in up to three pieces, so that what it tells
// of can be the very bytes that others hold too.

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

  // `first` lives forever; `others` is held as long as this is, at `cost` bytes with all that is
  // held with it.
  Message(std::string_view first, SharedBytes others, std::size_t cost, std::string last)
      : lead(first), shared(std::move(others)), shared_cost(cost), rest(std::move(last)) {}

  std::size_t size() const { return lead.size() + (shared ? shared->size() : 0) + rest.size(); }

  std::string_view lead;
  SharedBytes shared;  // null: none
  std::size_t shared_cost = 0;
  std::string rest;
};

using SharedMessage = std::shared_ptr<const Message>;

}  // namespace oriel::mcp
