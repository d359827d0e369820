#pragma once
// The wire form of a call between nodes and of its answer: a JSON object in one line, then the body
// as it is. Pure.

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

struct CallRequest {
  std::string method;
  std::string body;
  std::uint64_t place = 0;  // that the caller has applied: the other node sees no less
  std::chrono::milliseconds deadline{0};

  bool operator==(const CallRequest&) const = default;
};

struct CallAnswer {
  Result<std::string> result = std::string();
  std::uint64_t place = 0;  // that the node had applied when it answered

  bool operator==(const CallAnswer&) const = default;
};

std::string to_message(const CallRequest& request);
std::string to_message(const CallAnswer& answer);

// None if it is not one.
std::optional<CallRequest> parse_call_request(std::string_view message);
std::optional<CallAnswer> parse_call_answer(std::string_view message);

}  // namespace oriel
