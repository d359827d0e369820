#pragma once
// Decides whether and when a client reconnects. Pure.

#include "client/http_client.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace oriel {

enum class AfterResponse {
  kStream,  // read the stream
  kRetry,   // may succeed later
  kGiveUp,  // a retry would fail the same way
};

AfterResponse after_response(const HttpResponse& response);

// Whether a retry may succeed after this response.
bool may_retry(const HttpResponse& response);

// Whether a retry may succeed after this failure to get a response.
bool may_retry(const Error& error);

// Retry-After in seconds, at most a day. Dates, its other form, are ignored.
std::optional<std::chrono::milliseconds> retry_after(const HttpResponse& response);

// Exponential backoff with full jitter: the n-th delay is a random part of 1, 2, 4 ... 30 s. If the
// stream named a `retry`, that is the whole first delay, and doubles afterwards.
class Backoff {
 public:
  // After events have arrived again.
  void reset() { tries_ = 0; }

  // The stream's `retry`; zero if it named none.
  void set_retry(std::chrono::milliseconds retry) { retry_ = retry; }

  // The next delay, at least `at_least`. `random` is in [0, 1).
  std::chrono::milliseconds next(double random, std::chrono::milliseconds at_least = {});

 private:
  unsigned tries_ = 0;  // since the last reset
  std::chrono::milliseconds retry_{0};
};

}  // namespace oriel
