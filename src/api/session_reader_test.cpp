#include "api/session_reader.h"

#include "api/api_testing.h"

namespace oriel {
namespace {

using namespace std::chrono_literals;

EventsQuery query_of(const std::string& session_id, std::int64_t after_index) {
  EventsQuery wanted;
  wanted.query.session_id = session_id;
  wanted.query.after_index = after_index;
  wanted.query.max_records = 100;
  wanted.query.max_bytes = kMaxEventsBytes;
  return wanted;
}

class SessionReaderTest : public ApiFixture {
 protected:
  EventsAnswer read(EventsQuery wanted) {
    return wait(reader_.read(principal_, std::move(wanted), shards_[0])).value();
  }
};

TEST_F(SessionReaderTest, ReadsTheEventsAfterAnIndex) {
  const std::string id = create_session();
  const EventsAnswer all = read(query_of(id, -1));
  ASSERT_FALSE(all.page.records.empty());
  EXPECT_EQ(all.page.scanned_until, all.page.last_index);
  EXPECT_FALSE(all.has_more());
  EXPECT_FALSE(all.is_purged);
  EXPECT_EQ(all.status, SessionStatus::kIdle);
  EXPECT_TRUE(read(query_of(id, all.page.last_index)).page.records.empty());
}

TEST_F(SessionReaderTest, WaitsForTheNextEvent) {
  const std::string id = create_session();
  EventsQuery wanted = query_of(id, read(query_of(id, -1)).page.last_index);
  wanted.wait = 1min;
  auto reading = asio::co_spawn(shards_[0].executor(), reader_.read(principal_, wanted, shards_[0]),
                                asio::use_future);
  wait(supervisor_.end(id, "local"));
  EXPECT_FALSE(reading.get().value().page.records.empty());
}

TEST_F(SessionReaderTest, ReturnsNothingWhenTheWaitIsOver) {
  const std::string id = create_session();
  EventsQuery wanted = query_of(id, read(query_of(id, -1)).page.last_index);
  wanted.wait = 1ms;
  EXPECT_TRUE(read(wanted).page.records.empty());
}

TEST_F(SessionReaderTest, AWaitEndsSoonAfterItsCredential) {
  const std::string id = create_session();
  EventsQuery wanted = query_of(id, read(query_of(id, -1)).page.last_index);
  wanted.wait = 1min;
  int asked = 0;
  const AccessCheck access{.is_valid = [&](const Principal&) { return ++asked < 4; }, .every = 1ms};
  SessionReader reader(journal_, hub_, sessions_, access);
  const auto answer = wait(reader.read(principal_, wanted, shards_[0]));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kUnauthorized);
  EXPECT_EQ(asked, 4);
}

TEST_F(SessionReaderTest, EventsAfterTheEndOfACredentialAreNotReturned) {
  const std::string id = create_session();
  const AccessCheck access{.is_valid = [](const Principal&) { return false; }};
  SessionReader reader(journal_, hub_, sessions_, access);
  EXPECT_EQ(wait(reader.read(principal_, query_of(id, -1), shards_[0])).error().kind,
            ErrorKind::kUnauthorized);
}

TEST_F(SessionReaderTest, KnowsItsSessions) {
  const auto answer = wait(reader_.read(principal_, query_of("ses_none", -1), shards_[0]));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::kUnknownSession);
}

class PurgedSession : public ApiFixture {
 protected:
  PurgedSession() : ApiFixture({.max_events_per_session = 1}) {}
};

TEST_F(PurgedSession, AnIndexThatIsNoLongerHeldIsPurged) {
  const std::string id = create_session();
  wait(supervisor_.end(id, "local"));
  const auto from_start = wait(reader_.read(principal_, query_of(id, 0), shards_[0])).value();
  EXPECT_GT(from_start.page.oldest_index, 1);
  EXPECT_TRUE(from_start.is_purged);
  EXPECT_FALSE(wait(reader_.read(principal_, query_of(id, -1), shards_[0])).value().is_purged);
}

TEST(PurgedError, NamesTheIndexToContinueFrom) {
  const Error error = purged_error(7);
  EXPECT_EQ(error.kind, ErrorKind::kEventsPurged);
  EXPECT_EQ(error.message, "events before index 7 were purged (oldest held: 7)");
  EXPECT_THAT(error.hint, testing::HasSubstr("since_index=6"));
}

}  // namespace
}  // namespace oriel
