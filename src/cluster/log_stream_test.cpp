#include "cluster/log_stream.h"

#include "cluster/nats_server_testing.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>

namespace oriel {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LogStreamTest : public testing::Test {
 protected:
  NatsServer server_;
  NatsConnection connection_{server_.options(), 10s};
};

TEST_F(LogStreamTest, TheFirstNodeMakesTheLogAndOthersFindIt) {
  const auto made = open_log_stream(connection_, {.new_log = "left"}, 10s);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->log, "left");
  EXPECT_EQ(made->generation, 1);
  EXPECT_EQ(made->first, 1);
  EXPECT_EQ(made->last, 0);
  const auto found = open_log_stream(connection_, {.new_log = "right"}, 10s);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->log, "left");
}

TEST_F(LogStreamTest, TellsItsFirstAndLastPlace) {
  ASSERT_TRUE(open_log_stream(connection_, {.new_log = "left"}, 10s));
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(connection_.request("oriel.log.a", "x", 10s));
  const auto found = open_log_stream(connection_, {}, 10s);
  EXPECT_EQ(found->first, 1);
  EXPECT_EQ(found->last, 3);
  ASSERT_TRUE(connection_.request("$JS.API.STREAM.PURGE.ORIEL_LOG", "", 10s));
  const auto purged = open_log_stream(connection_, {}, 10s);
  EXPECT_EQ(purged->first, 4);
  EXPECT_EQ(purged->last, 3);
}

TEST_F(LogStreamTest, WhatIsStoredIsRepeatedLive) {
  ASSERT_TRUE(open_log_stream(connection_, {.new_log = "left"}, 10s));
  std::atomic<std::uint64_t> sequence = 0;
  connection_.subscribe(
      "oriel.live.>", [&](const NatsMessage& m) { sequence = m.stream_sequence; }, 1 << 20);
  ASSERT_TRUE(connection_.publish("oriel.log.a", "x"));
  ASSERT_TRUE(connection_.publish("oriel.log.a", "y"));
  EXPECT_TRUE(happens([&] { return sequence == 2; }));
}

TEST_F(LogStreamTest, TheNextGenerationTakesTheFirstOnesPlace) {
  ASSERT_TRUE(open_log_stream(connection_, {.new_log = "left"}, 10s));
  const LogOrigin origin{.generation = 1, .place = 42, .chain = 0xabcd, .epoch = "k7q2mzx4"};
  const auto next = make_next_stream(connection_, 2, origin, {.log = "left"}, 10s);
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->log, "left");
  EXPECT_EQ(next->generation, 2);
  EXPECT_EQ(next->origin, origin);
  const auto found = open_log_stream(connection_, {.log = "left"}, 10s);
  EXPECT_EQ(found->generation, 2);
  EXPECT_EQ(found->origin, origin);
}

TEST_F(LogStreamTest, OfTwoThatMakeAGenerationTheFirstDecidesWhereItGoesOn) {
  const LogOrigin first{.generation = 1, .place = 42, .chain = 7, .epoch = "k7q2mzx4"};
  ASSERT_TRUE(make_next_stream(connection_, 2, first, {.log = "left"}, 10s));
  LogOrigin other = first;
  other.place = 40;
  const auto made = make_next_stream(connection_, 2, other, {.log = "left"}, 10s);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->origin, first);
}

TEST_F(LogStreamTest, ALogThatIsGoneIsWaitedFor) {
  const auto found = open_log_stream(connection_, {.log = "left"}, 300ms);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kNodeUnreachable);
  EXPECT_THAT(found.error().hint, HasSubstr("oriel cluster refound"));
}

TEST_F(LogStreamTest, ReadsWhatIsStoredAtAPlace) {
  ASSERT_TRUE(open_log_stream(connection_, {.new_log = "left"}, 10s));
  ASSERT_TRUE(connection_.request("oriel.log.a", "x", 10s));
  EXPECT_EQ(read_message(connection_, 1, 1).value(), "x");
  EXPECT_EQ(read_message(connection_, 1, 2).error().kind, ErrorKind::kCannotRead);
}

TEST_F(LogStreamTest, AnotherLogIsRefused) {
  ASSERT_TRUE(open_log_stream(connection_, {.new_log = "left"}, 10s));
  const auto found = open_log_stream(connection_, {.log = "right", .new_log = "right"}, 10s);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kBadConfig);
  EXPECT_THAT(found.error().message, HasSubstr("belongs to the log right"));
}

TEST_F(LogStreamTest, AForeignStreamIsRefused) {
  ASSERT_TRUE(connection_.request("$JS.API.STREAM.CREATE.ORIEL_LOG",
                                  R"({"name": "ORIEL_LOG", "subjects": ["a.>"]})", 10s));
  const auto found = open_log_stream(connection_, {.new_log = "left"}, 10s);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::kBadConfig);
  EXPECT_THAT(found.error().message, HasSubstr("not Oriel's"));
}

TEST_F(LogStreamTest, AServerOnItsOwnCannotKeepThreeCopies) {
  const auto made = open_log_stream(connection_, {.new_log = "left", .replicas = 3}, 10s);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::kBadConfig);
}

TEST(LogStream, NeedsJetStream) {
  const NatsServer server("", {.has_jetstream = false});
  NatsConnection connection(server.options(), 10s);
  const auto made = open_log_stream(connection, {.new_log = "left"}, 1s);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().hint, HasSubstr("JetStream"));
}

TEST(R_CLUSTER_7, TheLogIsWaitedForUntilTheServersAnswer) {
  NatsServer server("", {.is_started = false});
  NatsConnection connection(server.options(), 0ms);
  EXPECT_EQ(open_log_stream(connection, {.new_log = "left"}, 300ms).error().kind,
            ErrorKind::kNodeUnreachable);
  auto made = std::async(std::launch::async,
                         [&] { return open_log_stream(connection, {.new_log = "left"}, 30s); });
  server.start();
  EXPECT_TRUE(made.get());
}

TEST(LogStream, WarnsOfServersWhoseCopiesMayDiffer) {
  const LogStream replicated{.log = "left", .generation = 1, .replicas = 3};
  EXPECT_THAT(stream_warnings(replicated, "2.9.10"), SizeIs(1));
  EXPECT_THAT(stream_warnings(replicated, "2.10.26"), SizeIs(1));
  EXPECT_THAT(stream_warnings(replicated, "2.10.27"), IsEmpty());
  EXPECT_THAT(stream_warnings(replicated, "2.11.0"), IsEmpty());
  EXPECT_THAT(stream_warnings({.log = "left", .generation = 1}, "2.9.10"), IsEmpty());
}

}  // namespace
}  // namespace oriel
