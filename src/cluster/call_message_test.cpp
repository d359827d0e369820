#include "cluster/call_message.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

const std::string kAnyBytes("{\"a\":1}\n\n\0\xff end", 16);

TEST(CallMessage, RequestReadsBackAsItWasWritten) {
  const CallRequest request{.method = "session.message",
                            .body = kAnyBytes,
                            .place = 1042,
                            .deadline = std::chrono::milliseconds(5000)};
  EXPECT_EQ(parse_call_request(to_message(request)), request);
}

TEST(CallMessage, AnswerReadsBackAsItWasWritten) {
  const CallAnswer answer{.result = kAnyBytes, .place = 7};
  EXPECT_EQ(parse_call_answer(to_message(answer)), answer);
}

TEST(CallMessage, ErrorReadsBackWithItsKind) {
  const CallAnswer answer{.result = Error{.kind = ErrorKind::kSessionEnded,
                                          .message = "the session \"a\"\nhas ended",
                                          .hint = "create another one"},
                          .place = 7};
  EXPECT_EQ(parse_call_answer(to_message(answer)), answer);
}

TEST(CallMessage, GarbageIsNone) {
  for (const char* text : {"", "\n", "x\n", "{}\n", "[]\nbody", R"({"method":""})",
                           R"({"method":"a","place":1})", "{\"method\":1}\n"}) {
    EXPECT_FALSE(parse_call_request(text)) << text;
    EXPECT_FALSE(parse_call_answer(text)) << text;
  }
}

TEST(CallMessage, NegativeNumbersCountAsNone) {
  const auto request = parse_call_request("{\"method\":\"a\",\"place\":-1,\"deadline\":-5}\nbody");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->place, 0);
  EXPECT_EQ(request->deadline.count(), 0);
}

}  // namespace
}  // namespace oriel
