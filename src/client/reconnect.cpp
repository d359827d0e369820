#include "client/reconnect.h"

#include "base/text/quantity.h"

#include <algorithm>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{1000};
constexpr milliseconds kLongestWait{30'000};
constexpr std::chrono::hours kLongestRetry{24};

}  // namespace

AfterResponse after_response(const HttpResponse& response) {
  if (response.status == 200) {
    const std::string_view type = response.header("content-type").value_or("");
    return type.starts_with("text/event-stream") ? AfterResponse::kStream : AfterResponse::kGiveUp;
  }
  return may_retry(response) ? AfterResponse::kRetry : AfterResponse::kGiveUp;
}

bool may_retry(const HttpResponse& response) {
  return response.status == 408 || response.status == 429 || response.status >= 500;
}

bool may_retry(const Error& error) {
  return error.kind != ErrorKind::kTlsUntrusted && error.kind != ErrorKind::kBadAnswer;
}

std::optional<milliseconds> retry_after(const HttpResponse& response) {
  const auto seconds = parse_number(response.header("retry-after").value_or(""));
  if (!seconds) return std::nullopt;
  const auto most = std::chrono::seconds(kLongestRetry).count();
  return std::chrono::seconds(std::min<std::uint64_t>(*seconds, static_cast<std::uint64_t>(most)));
}

milliseconds Backoff::next(double random, milliseconds at_least) {
  const milliseconds retry = std::min<milliseconds>(retry_, kLongestRetry);
  const milliseconds longest = std::max(kLongestWait, retry);
  const unsigned doublings = std::min(tries_, 16U);
  const milliseconds ceiling = std::min(longest, std::max(kFirstWait, retry) * (1 << doublings));
  const bool uses_retry = tries_ == 0 && retry.count() > 0;
  ++tries_;
  if (uses_retry) return std::max(retry, at_least);
  const milliseconds wait(
      static_cast<milliseconds::rep>(random * static_cast<double>(ceiling.count())));
  return std::max(wait, at_least);
}

}  // namespace oriel
