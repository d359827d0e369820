#pragma once
// What a watcher does after a cut or a refusal. Decisions only: no clock, no socket, no dice.

#include "client/http_client.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace oriel {

enum class AfterAnswer {
  kStream,  // read it
  kRetry,   // the server may take us later
  kGiveUp,  // asking again would be answered the same
};

AfterAnswer after_answer(const HttpAnswer& answer);

// Whether the server may take us later, after this refusal.
bool may_pass(const HttpAnswer& answer);

// Whether another try may succeed after this failure to get any answer.
bool is_worth_a_retry(const Error& error);

// Retry-After in seconds, at most a day. Its other form, a date, is not used by Oriel and counts as
// none.
std::optional<std::chrono::milliseconds> retry_after(const HttpAnswer& answer);

// Exponential backoff with full jitter: the n-th wait is a random part of 1, 2, 4 ... 30 s. When
// the stream named a `retry`, that is the first wait, whole, and what doubles afterwards.
class Backoff {
 public:
  // Once events flow again.
  void reset() { tries_ = 0; }

  // The stream's `retry`; zero when it named none.
  void set_retry(std::chrono::milliseconds retry) { retry_ = retry; }

  // How long to wait now; never less than `at_least`. `random` is in [0, 1).
  std::chrono::milliseconds next(double random, std::chrono::milliseconds at_least = {});

 private:
  unsigned tries_ = 0;  // since the last reset
  std::chrono::milliseconds retry_{0};
};

}  // namespace oriel
