#include "client/reconnect.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr double kAlmostOne = 0.999999;

HttpResponse answer_with_header(int status, std::string header = {}, std::string value = {}) {
  return {.status = status, .headers = {{std::move(header), std::move(value)}}, .body = {}};
}

TEST(Reconnect, ReadsAnEventStream) {
  EXPECT_EQ(after_response(answer_with_header(200, "content-type", "text/event-stream")),
            AfterResponse::kStream);
  EXPECT_EQ(
      after_response(answer_with_header(200, "content-type", "text/event-stream; charset=utf-8")),
      AfterResponse::kStream);
}

TEST(Reconnect, GivesUpIfTheResponseIsNotAStream) {
  EXPECT_EQ(after_response(answer_with_header(200, "content-type", "text/html")),
            AfterResponse::kGiveUp);
  EXPECT_EQ(after_response(answer_with_header(200)), AfterResponse::kGiveUp);
}

TEST(Reconnect, RetriesIfItMayHelp) {
  for (const int status : {408, 429, 500, 502, 503, 504}) {
    EXPECT_EQ(after_response(answer_with_header(status)), AfterResponse::kRetry) << status;
  }
}

TEST(Reconnect, GivesUpIfARetryWouldFail) {
  for (const int status : {204, 301, 302, 400, 401, 403, 404, 405, 410}) {
    EXPECT_EQ(after_response(answer_with_header(status)), AfterResponse::kGiveUp) << status;
  }
}

TEST(Reconnect, RetriesAnUnreachableButNotAnUntrustedServer) {
  EXPECT_TRUE(may_retry({.kind = ErrorKind::kConnectFailed, .message = {}, .hint = {}}));
  EXPECT_TRUE(may_retry({.kind = ErrorKind::kTimedOut, .message = {}, .hint = {}}));
  EXPECT_FALSE(may_retry({.kind = ErrorKind::kTlsUntrusted, .message = {}, .hint = {}}));
}

TEST(Reconnect, ReadsRetryAfterInSeconds) {
  EXPECT_EQ(retry_after(answer_with_header(503, "retry-after", "7")), milliseconds(7000));
  EXPECT_EQ(retry_after(answer_with_header(503, "retry-after", "99999999999")),
            std::chrono::hours(24));
  EXPECT_EQ(retry_after(answer_with_header(503, "retry-after", "Fri, 31 Dec 1999 23:59:59 GMT")),
            std::nullopt);
  EXPECT_EQ(retry_after(answer_with_header(503)), std::nullopt);
}

TEST(Backoff, DoublesItsCeilingFromOneToThirtySeconds) {
  Backoff backoff;
  for (const int seconds : {1, 2, 4, 8, 16, 30, 30, 30}) {
    EXPECT_EQ(backoff.next(kAlmostOne), milliseconds(seconds * 1000 - 1));
  }
}

TEST(Backoff, StaysAtItsCeiling) {
  Backoff backoff;
  for (int i = 0; i < 100; ++i)
    backoff.next(0.5);
  EXPECT_EQ(backoff.next(0.5), milliseconds(15'000));
}

TEST(Backoff, WaitsARandomPartOfItsCeiling) {
  Backoff backoff;
  EXPECT_EQ(backoff.next(0), milliseconds(0));
  EXPECT_EQ(backoff.next(0.25), milliseconds(500));
}

TEST(Backoff, StartsAgainAfterAReset) {
  Backoff backoff;
  for (int i = 0; i < 5; ++i)
    backoff.next(0.5);
  backoff.reset();
  EXPECT_EQ(backoff.next(0.5), milliseconds(500));
}

TEST(Backoff, StartsWithTheRetryOfTheStream) {
  Backoff backoff;
  backoff.set_retry(milliseconds(3000));
  EXPECT_EQ(backoff.next(0), milliseconds(3000));
  EXPECT_EQ(backoff.next(0.5), milliseconds(3000));
  EXPECT_EQ(backoff.next(0.5), milliseconds(6000));
}

TEST(Backoff, FollowsARetryOfMoreThanThirtySeconds) {
  Backoff backoff;
  backoff.set_retry(milliseconds(60'000));
  EXPECT_EQ(backoff.next(0), milliseconds(60'000));
  EXPECT_EQ(backoff.next(0.5), milliseconds(30'000));
}

TEST(Backoff, NeverWaitsLessThanRetryAfter) {
  Backoff backoff;
  EXPECT_EQ(backoff.next(0, milliseconds(5000)), milliseconds(5000));
  EXPECT_EQ(backoff.next(0.5, milliseconds(100)), milliseconds(1000));
}

}  // namespace
}  // namespace oriel
