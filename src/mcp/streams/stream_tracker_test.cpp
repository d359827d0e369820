#include "mcp/streams/stream_tracker.h"

#include "mcp/streams/event_id.h"
#include "mcp/streams/fake_connection_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <functional>
#include <thread>

namespace oriel::mcp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using namespace std::chrono_literals;

asio::awaitable<void> call(std::function<void()> work) {
  work();
  co_return;
}

// A session's streams on one shard, with clients in memory.
class Streams {
 public:
  explicit Streams(StreamOptions options = {}, std::size_t store_bytes = 10 << 20)
      : options_(std::move(options)), budget_(store_bytes), store_(budget_), shards_(1) {
    shards_.start();
    run([&] { tracker_ = std::make_unique<StreamTracker>("s1", shards_[0], store_, options_); });
  }

  ~Streams() {
    run([&] {
      tracker_.reset();
      connections_.drop_all();
    });
    while (connections_.size() > 0)
      std::this_thread::sleep_for(1ms);
    shards_.join();
  }

  // On the shard, and then all that follows from it.
  void run(const std::function<void()>& work) {
    asio::co_spawn(shards_[0].executor(), call(work), asio::use_future).get();
    for (int i = 0; i < 10; ++i)
      asio::co_spawn(shards_[0].executor(), call([] {}), asio::use_future).get();
  }

  void say(Stream& stream, const std::string& text, EventKind kind = EventKind::kMessage) {
    run([&] { tracker_->send(stream, budget_.hold(text), kind); });
  }

  void connect(Stream& stream, FakeClient& client, std::uint64_t after) {
    run([&] {
      const auto connection = connections_.make(shards_[0], Principal());
      const StreamConnection* const name = connection.get();
      connection->start(std::make_unique<FakeTransport>(client), tracker_->priming(stream, after),
                        {.drained =
                             [this, name, id = stream.id()] {
                               if (tracker_) tracker_->connection_drained(id, name);
                             },
                         .ended =
                             [this, name, id = stream.id()] {
                               if (tracker_) tracker_->connection_ended(id, name);
                             }});
      tracker_->attach(stream, connection, after);
    });
  }

  Resume resume(const std::string& id) {
    Resume resume;
    run([&] { resume = tracker_->resume(id); });
    return resume;
  }

  Resume resume_unnamed() {
    Resume resume;
    run([&] { resume = tracker_->resume_unnamed(); });
    return resume;
  }

  Stream& open(std::string_view rpc) {
    Stream* stream = nullptr;
    run([&] { stream = &tracker_->open(rpc); });
    return *stream;
  }

  void finish(Stream& stream) {
    run([&] { tracker_->finish(stream); });
  }

  StreamTracker& tracker() { return *tracker_; }

  StoreBudget& budget() { return budget_; }

  EventStore& store() { return store_; }

 private:
  StreamOptions options_;
  StoreBudget budget_;
  EventStore store_;
  StreamConnections connections_;
  Shards shards_;
  std::unique_ptr<StreamTracker> tracker_;
};

TEST(R_RESUME_1, WhatComesAfterAnEventIsSentAgainInOrderAndThenLive) {
  FakeClient first;
  FakeClient second;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, first, 0);
  streams.say(stream, "1");
  const std::string id = first.last_id();
  streams.say(stream, "2");
  streams.say(stream, "3");
  EXPECT_THAT(first.events(), ElementsAre("1", "2", "3"));
  const Resume resume = streams.resume(id);
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, second, resume.after);
  streams.say(stream, "4");
  EXPECT_THAT(second.events(), ElementsAre("2", "3", "4"));
}

TEST(R_RESUME_1, WhatASlowClientHasNotTakenYetComesOnceAndInOrder) {
  FakeClient client;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client, 0);
  client.is_slow = true;
  std::vector<std::string> said;
  for (int i = 0; i < 1500; ++i) {
    said.push_back(std::to_string(i));
    streams.say(stream, said.back());
  }
  streams.run([&] { client.release(); });
  EXPECT_EQ(client.events(), said);
}

TEST(R_RESUME_2, AnotherSessionsEventOrOneThatNeverWasIsUnknown) {
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.say(stream, "1");
  EventId id{.session = "s1", .stream = stream.id(), .node = "", .rpc = "", .counter = 1};
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kAttach);
  id.counter = 2;
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kUnknown);
  id.counter = 1;
  id.session = "s2";
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kUnknown);
  id.session = "s1";
  id.stream = "0123456789abcdef";
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kUnknown);
  id.stream = stream.id();
  id.rpc = "7";
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kUnknown);
  EXPECT_EQ(streams.resume("not an id").outcome, ResumeOutcome::kUnknown);
}

TEST(R_RESUME_3, WhatIsGoneIsSaidWithWhatIsHeld) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client, 0);
  const std::string id = client.last_id();
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  const Resume resume = streams.resume(id);
  EXPECT_EQ(resume.outcome, ResumeOutcome::kPurged);
  EXPECT_EQ(resume.newest, 20U);
  EXPECT_GT(resume.oldest, 1U);
}

TEST(R_RESUME_3, AClientThatReadsSlowerThanEventsArePurgedIsEndedNotGivenAHole) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client, 0);
  client.is_slow = true;
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  streams.run([&] { client.release(); });
  EXPECT_TRUE(client.is_closed);
  EXPECT_LE(client.events().size(), 1U);
}

TEST(R_RESUME_4, ARequestsStreamIsResumedUpToItsResponseAndThenDone) {
  FakeClient first;
  FakeClient second;
  Streams streams;
  Stream& stream = streams.open("7");
  streams.connect(stream, first, 0);
  streams.say(stream, "progress");
  const std::string id = first.last_id();
  streams.run([&] { first.close(); });
  streams.say(stream, "response", EventKind::kResponse);
  streams.finish(stream);
  const Resume resume = streams.resume(id);
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, second, resume.after);
  EXPECT_THAT(second.events(), ElementsAre("response"));
  EXPECT_TRUE(second.is_closed);
  EXPECT_EQ(streams.resume(second.last_id()).outcome, ResumeOutcome::kDone);
}

TEST(R_RESUME_5, ANewConnectionTakesTheStreamOverFromTheOld) {
  FakeClient old;
  FakeClient fresh;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, old, 0);
  streams.connect(stream, fresh, 0);
  EXPECT_TRUE(old.is_closed);
  streams.say(stream, "1");
  EXPECT_THAT(old.events(), IsEmpty());
  EXPECT_THAT(fresh.events(), ElementsAre("1"));
  EXPECT_TRUE(stream.is_connected());
}

TEST(R_RESUME_6, PrimingHasAnIdToComeBackWithAndSaysWhen) {
  FakeClient client;
  Streams streams({.node = "n", .max_streams = 16, .ttl = 1min, .retry = 1500ms});
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client, 0);
  EXPECT_EQ(client.received, "id: " + client.last_id() + "\nretry: 1500\ndata: \n\n");
  EXPECT_EQ(streams.resume(client.last_id()).outcome, ResumeOutcome::kAttach);
}

TEST(R_RESUME_7, WhatIsSaidWithoutAConnectionWaits) {
  FakeClient client;
  Streams streams;
  Stream& stream = streams.open("1");
  streams.say(stream, "1");
  streams.say(stream, "2", EventKind::kResponse);
  streams.finish(stream);
  streams.connect(stream, client, 0);
  EXPECT_THAT(client.events(), ElementsAre("1", "2"));
  EXPECT_TRUE(client.is_closed);
}

TEST(R_LIVE_7, WhatIsSaidWithoutAConnectionComesWithTheFirst) {
  FakeClient client;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.say(stream, "1");
  streams.say(stream, "2");
  streams.connect(stream, client, streams.resume_unnamed().after);
  EXPECT_THAT(client.events(), ElementsAre("1", "2"));
}

TEST(R_RESUME_8, WhatAConnectionTookComesAgainWithTheSameIdsIfTheClientNamesNone) {
  FakeClient cut;
  FakeClient next;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  std::vector<std::string> said;
  for (int i = 0; i < 1500; ++i) {
    said.push_back(std::to_string(i));
    streams.say(stream, said.back());
  }
  streams.connect(stream, cut, streams.resume_unnamed().after);
  EXPECT_EQ(cut.events(), said);
  streams.run([&] { cut.close(); });
  streams.connect(stream, next, streams.resume_unnamed().after);
  EXPECT_EQ(next.events(), said);
  EXPECT_EQ(next.last_id(), cut.last_id());
}

TEST(R_RESUME_8, AnEventThatTheClientHasNamedAndAllBeforeItDoNotComeAgain) {
  FakeClient first;
  FakeClient cut;
  FakeClient next;
  Streams streams;
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, first, 0);
  streams.say(stream, "1");
  streams.say(stream, "2");
  const std::string named = first.last_id();
  streams.say(stream, "3");
  streams.connect(stream, cut, streams.resume(named).after);
  EXPECT_THAT(cut.events(), ElementsAre("3"));
  streams.run([&] { cut.close(); });
  streams.connect(stream, next, streams.resume_unnamed().after);
  EXPECT_THAT(next.events(), ElementsAre("3"));
}

TEST(R_RESUME_8, WhatWasWrittenAndEvictedSinceDoesNotKeepTheClientOut) {
  FakeClient first;
  FakeClient next;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, first, 0);
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  ASSERT_EQ(first.events().size(), 20U);
  streams.run([&] { first.close(); });
  const Resume resume = streams.resume_unnamed();
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(stream, next, resume.after);
  EXPECT_FALSE(next.is_closed);
  EXPECT_EQ(next.last_id(), first.last_id());
}

TEST(R_RESUME_3, WhatIsGoneBeforeAnyConnectionIsSaidOnceAndThenTheRestComes) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  const Resume purged = streams.resume_unnamed();
  ASSERT_EQ(purged.outcome, ResumeOutcome::kPurged);
  const Resume resume = streams.resume_unnamed();
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  EXPECT_EQ(resume.after, purged.oldest - 1);
  streams.connect(stream, client, resume.after);
  EXPECT_EQ(client.events().size(), purged.newest - resume.after);
}

TEST(R_STORE_2, AnEventLargerThanTheStoreReachesAClientThatReads) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  const std::string huge(10'000, 'x');
  streams.connect(stream, client, 0);
  for (const std::string& text : {std::string("before"), huge, huge, std::string("after")})
    streams.say(stream, text);
  EXPECT_THAT(client.events(), ElementsAre("before", huge, huge, "after"));
  EXPECT_FALSE(client.is_closed);
}

TEST(R_STORE_2, AnEventLargerThanTheStoreWaitsForItsClientUntilTheNextEvent) {
  const std::string huge(10'000, 'x');
  FakeClient client;
  FakeClient late;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  streams.say(stream, "before");
  streams.say(stream, huge);
  Resume resume = streams.resume_unnamed();
  EXPECT_EQ(resume.outcome, ResumeOutcome::kPurged) << "the event before it was evicted";
  resume = streams.resume_unnamed();
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(stream, client, resume.after);
  EXPECT_THAT(client.events(), ElementsAre(huge));

  streams.run([&] { client.close(); });
  streams.say(stream, huge);
  streams.say(stream, "after");
  resume = streams.resume_unnamed();
  EXPECT_EQ(resume.outcome, ResumeOutcome::kPurged) << "a client is never given a hole";
  streams.connect(stream, late, streams.resume_unnamed().after);
  EXPECT_THAT(late.events(), ElementsAre("after"));
}

TEST(R_STORE_2, AFloodOnOneStreamLeavesTheUnsentResponseOfAnother) {
  FakeClient client;
  Streams streams({}, 5000);
  Stream& calm = streams.open("1");
  streams.say(calm, "response", EventKind::kResponse);
  streams.finish(calm);
  for (int i = 0; i < 100; ++i)
    streams.say(streams.tracker().standalone(), std::string(500, 'x'));
  streams.connect(calm, client, 0);
  EXPECT_THAT(client.events(), ElementsAre("response"));
}

TEST(R_STREAM_1, EachStreamHasAnIdOfItsOwnAndIsListed) {
  FakeClient client;
  Streams streams;
  Stream& stream = streams.open("1");
  EXPECT_NE(stream.id(), streams.tracker().standalone().id());
  EXPECT_GE(stream.id().size(), 16U);
  streams.connect(stream, client, 0);
  const auto all = streams.tracker().list();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kind, StreamKind::kStandalone);
  EXPECT_FALSE(all[0].is_connected);
  EXPECT_EQ(all[1].id, stream.id());
  EXPECT_EQ(all[1].kind, StreamKind::kRequest);
  EXPECT_TRUE(all[1].is_connected);
  EXPECT_GE(all[1].last_activity, all[1].created);
}

TEST(R_STREAM_3, UnansweredStreamsAreLimitedAndAnsweredOnesAreNot) {
  Streams streams({.node = "0", .max_streams = 2, .ttl = 1min, .retry = 1s});
  Stream& first = streams.open("1");
  EXPECT_FALSE(streams.tracker().is_full());
  streams.open("2");
  EXPECT_TRUE(streams.tracker().is_full());
  streams.finish(first);
  EXPECT_FALSE(streams.tracker().is_full());
}

TEST(R_STREAM_3, AnAnsweredStreamNobodyComesBackForIsForgotten) {
  Streams streams({.node = "0", .max_streams = 2, .ttl = 1min, .retry = 1s});
  Stream& stream = streams.open("1");
  const std::string id = stream.id();
  streams.say(stream, "response", EventKind::kResponse);
  streams.finish(stream);
  const auto now = StreamTracker::Clock::now();
  streams.run([&] { streams.tracker().expire(now + 30s); });
  EXPECT_NE(streams.tracker().find(id), nullptr);
  streams.run([&] { streams.tracker().expire(now + 2min); });
  EXPECT_EQ(streams.tracker().find(id), nullptr);
  EXPECT_EQ(streams.store().find("s1", id), nullptr);
}

TEST(StreamTracker, AConnectionCanBeEndedBeforeItIsThere) {
  FakeClient first;
  FakeClient second;
  Streams streams;
  Stream& stream = streams.open("1");
  streams.run([&] { streams.tracker().end_connection(stream); });
  streams.connect(stream, first, 0);
  EXPECT_THAT(first.received, StartsWith("id: "));
  EXPECT_TRUE(first.is_closed);
  streams.say(stream, "late");
  const Resume resume = streams.resume(first.last_id());
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, second, resume.after);
  EXPECT_THAT(second.events(), ElementsAre("late"));
  EXPECT_FALSE(second.is_closed);
}

}  // namespace
}  // namespace oriel::mcp
