#include "server/takeover/takeover_messages.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;

const TakeoverOffer kOffer{.process = 42,
                           .version = "0.2",
                           .schema = 3,
                           .stops_within = milliseconds(5000),
                           .socket = "/data/\"oriel\".sock",
                           .owns_socket_file = true};

TEST(TakeoverMessages, EachIsOneLineThatReadsBack) {
  const TakeoverRequest request{.protocol = kTakeoverProtocol, .version = "0.2"};
  for (const std::string& line :
       {to_line(request), to_line(kOffer), to_line(DrainRequest{.takes_socket_file = true})}) {
    EXPECT_THAT(line, EndsWith("}\n"));
    EXPECT_EQ(line.find('\n'), line.size() - 1);
  }
  EXPECT_EQ(parse_takeover_request(to_line(request)).value(), request);
  EXPECT_EQ(parse_takeover_offer(to_line(kOffer)).value(), kOffer);
  EXPECT_EQ(parse_drain_request("{\"step\":\"drain\"}").value(), DrainRequest{});
  EXPECT_TRUE(parse_drain_request(to_line(DrainRequest{.takes_socket_file = true}))
                  .value()
                  .takes_socket_file);
}

TEST(TakeoverMessages, ARefusalIsTheErrorOfTheOffer) {
  const Error refusal{.kind = ErrorKind::kFailed, .message = "not now", .hint = "retry"};
  EXPECT_EQ(parse_takeover_offer(refusal_line(refusal)).error(), refusal);
}

TEST(TakeoverMessages, AnotherProtocolIsNamedAsSuch) {
  const TakeoverRequest newer{.protocol = kTakeoverProtocol + 1, .version = "9"};
  EXPECT_THAT(parse_takeover_request(to_line(newer)).error().message,
              HasSubstr("another way to hand over"));
}

TEST(TakeoverMessages, AnythingElseIsRejected) {
  for (const std::string line :
       {"", "\n", "GET / HTTP/1.1\r\n", "{}", "[1]", "{\"step\":7}", "{\"step\":\"released\"}\n"}) {
    EXPECT_THAT(parse_takeover_request(line).error().message, HasSubstr("unexpected answer"));
    EXPECT_THAT(parse_takeover_offer(line).error().message, HasSubstr("unexpected answer"));
    EXPECT_THAT(parse_drain_request(line).error().message, HasSubstr("unexpected answer"));
  }
  EXPECT_FALSE(parse_takeover_offer("{\"step\":\"offer\",\"process\":\"42\"}"));
}

}  // namespace
}  // namespace oriel
