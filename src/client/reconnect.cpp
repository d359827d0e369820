#include "client/reconnect.h"

#include "base/quantity.h"

#include <algorithm>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{1000};
constexpr milliseconds kLongestWait{30'000};
constexpr std::chrono::hours kLongestRetry{24};

}  // namespace

AfterAnswer after_answer(const HttpAnswer& answer) {
  if (answer.status == 200) {
    const std::string_view type = answer.header("content-type").value_or("");
    return type.starts_with("text/event-stream") ? AfterAnswer::kStream : AfterAnswer::kGiveUp;
  }
  return may_pass(answer) ? AfterAnswer::kRetry : AfterAnswer::kGiveUp;
}

bool may_pass(const HttpAnswer& answer) {
  return answer.status == 408 || answer.status == 429 || answer.status >= 500;
}

bool is_worth_a_retry(const Error& error) {
  return error.kind != ErrorKind::kTlsUntrusted && error.kind != ErrorKind::kBadAnswer;
}

std::optional<milliseconds> retry_after(const HttpAnswer& answer) {
  const auto seconds = parse_number(answer.header("retry-after").value_or(""));
  if (!seconds) return std::nullopt;
  const auto most = std::chrono::seconds(kLongestRetry).count();
  return std::chrono::seconds(std::min<std::uint64_t>(*seconds, static_cast<std::uint64_t>(most)));
}

milliseconds Backoff::next(double random, milliseconds at_least) {
  const milliseconds retry = std::min<milliseconds>(retry_, kLongestRetry);
  const milliseconds longest = std::max(kLongestWait, retry);
  const unsigned doublings = std::min(tries_, 16U);
  const milliseconds ceiling = std::min(longest, std::max(kFirstWait, retry) * (1 << doublings));
  const bool is_told = tries_ == 0 && retry.count() > 0;
  ++tries_;
  if (is_told) return std::max(retry, at_least);
  const milliseconds wait(
      static_cast<milliseconds::rep>(random * static_cast<double>(ceiling.count())));
  return std::max(wait, at_least);
}

}  // namespace oriel
