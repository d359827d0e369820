#include "mcp/streams/stream_tracker.h"

#include "base/eventually_testing.h"
#include "mcp/streams/event_id.h"
#include "mcp/streams/fake_connection_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <functional>
#include <list>

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
  explicit Streams(StreamOptions options = {}, std::size_t store_bytes = 10 << 20,
                   StreamSource* source = nullptr, const StreamsState& before = {})
      : options_(std::move(options)), budget_(store_bytes), store_(budget_), shards_(1) {
    shards_.start();
    run([&] {
      tracker_ = std::make_unique<StreamTracker>("s1", store_, options_, source, before);
      tracker_->on_missed([this](std::uint64_t missed) {
        return budget_.hold("missed " + std::to_string(missed));
      });
    });
  }

  ~Streams() {
    run([&] {
      tracker_.reset();
      connections_.drop_all();
    });
    EXPECT_TRUE(eventually([this] { return connections_.size() == 0; }));
    shards_.join();
  }

  // On the shard, and then all that follows from it.
  void run(const std::function<void()>& work) {
    asio::co_spawn(shards_[0].executor(), call(work), asio::use_future).get();
    for (int i = 0; i < 10; ++i)
      asio::co_spawn(shards_[0].executor(), call([] {}), asio::use_future).get();
  }

  void say(Stream& stream, const std::string& text, EventKind kind = EventKind::kMessage,
           std::uint64_t position = 0) {
    run([&] { tracker_->send(stream, budget_.hold(text), kind, position); });
  }

  void connect(Stream& stream, FakeClient& client, StreamPlace after = {}) {
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

  Stream& open(std::string_view rpc) { return open(rpc, random_id()); }

  Stream& open(std::string_view rpc, const std::string& id) {
    Stream* stream = nullptr;
    run([&] { stream = &tracker_->open(rpc, id); });
    return *stream;
  }

  void finish(Stream& stream) {
    run([&] { tracker_->finish(stream); });
  }

  StreamTracker& tracker() { return *tracker_; }

  StoreBudget& budget() { return budget_; }

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
  streams.connect(stream, first);
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
  streams.connect(stream, client);
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
  streams.connect(stream, client);
  const std::string id = client.last_id();
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  const Resume resume = streams.resume(id);
  EXPECT_EQ(resume.outcome, ResumeOutcome::kPurged);
  EXPECT_EQ(resume.newest, 20U);
  EXPECT_GT(resume.oldest, 1U);
}

TEST(R_RESUME_3, AClientThatReadsSlowerThanEventsArePurgedIsNotifiedAndGetsTheRest) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client);
  client.is_slow = true;
  std::vector<std::string> said;
  for (int i = 0; i < 20; ++i) {
    said.push_back(std::to_string(i) + std::string(500, 'x'));
    streams.say(stream, said.back());
  }
  streams.run([&] { client.release(); });
  EXPECT_FALSE(client.is_closed);
  const std::vector<std::string> events = client.events();
  ASSERT_GE(events.size(), 3U);
  EXPECT_EQ(events[0], said[0]);
  const std::size_t rest = events.size() - 2;
  EXPECT_EQ(events[1], "missed " + std::to_string(said.size() - 1 - rest));
  EXPECT_TRUE(std::equal(events.begin() + 2, events.end(), said.end() - rest));
}

TEST(R_RESUME_4, AResponseArrivesThoughTheMessagesBeforeItWerePurged) {
  FakeClient first;
  FakeClient second;
  Streams streams({}, 2000);
  Stream& stream = streams.open("7");
  streams.connect(stream, first);
  const std::string id = first.last_id();
  streams.run([&] { first.close(); });
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  streams.say(stream, "response", EventKind::kResponse);
  streams.finish(stream);
  const Resume resume = streams.resume(id);
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, second, resume.after);
  EXPECT_THAT(second.events().front(), StartsWith("missed "));
  EXPECT_EQ(second.events().back(), "response");
  EXPECT_TRUE(second.is_closed);
}

TEST(R_RESUME_4, ARequestsStreamIsResumedUpToItsResponseAndThenDone) {
  FakeClient first;
  FakeClient second;
  Streams streams;
  Stream& stream = streams.open("7");
  streams.connect(stream, first);
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
  streams.connect(stream, old);
  streams.connect(stream, fresh);
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
  streams.connect(stream, client);
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
  streams.connect(stream, client);
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
  streams.connect(stream, first);
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
  streams.connect(stream, first);
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

TEST(R_RESUME_3, WhatIsGoneBeforeAnyConnectionIsReportedToTheFirstThatNamesNoEvent) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  for (int i = 0; i < 20; ++i)
    streams.say(stream, std::string(500, 'x'));
  const Resume resume = streams.resume_unnamed();
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(stream, client, resume.after);
  const std::size_t held = client.events().size() - 1;
  EXPECT_GT(held, 0U);
  EXPECT_EQ(client.events().front(), "missed " + std::to_string(20 - held));
  streams.say(stream, "live");
  EXPECT_EQ(client.events().back(), "live");
}

TEST(R_STORE_2, AnEventLargerThanTheStoreReachesAClientThatReads) {
  FakeClient client;
  Streams streams({}, 2000);
  Stream& stream = streams.tracker().standalone();
  const std::string huge(10'000, 'x');
  streams.connect(stream, client);
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
  streams.connect(stream, client, streams.resume_unnamed().after);
  EXPECT_THAT(client.events(), ElementsAre("missed 1", huge));

  streams.run([&] { client.close(); });
  streams.say(stream, huge);
  streams.say(stream, "after");
  streams.connect(stream, late, streams.resume_unnamed().after);
  EXPECT_THAT(late.events(), ElementsAre("missed 1", "after"));
}

TEST(R_STORE_2, AFloodOnOneStreamLeavesTheUnsentResponseOfAnother) {
  FakeClient client;
  Streams streams({}, 5000);
  Stream& calm = streams.open("1");
  streams.say(calm, "response", EventKind::kResponse);
  streams.finish(calm);
  for (int i = 0; i < 100; ++i)
    streams.say(streams.tracker().standalone(), std::string(500, 'x'));
  streams.connect(calm, client);
  EXPECT_THAT(client.events(), ElementsAre("response"));
}

TEST(R_STREAM_1, EachStreamHasAnIdOfItsOwnAndIsListed) {
  FakeClient client;
  Streams streams;
  Stream& stream = streams.open("1");
  EXPECT_NE(stream.id(), streams.tracker().standalone().id());
  EXPECT_GE(stream.id().size(), 16U);
  streams.connect(stream, client);
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
  streams.run([&] { streams.tracker().tick(now + 30s); });
  EXPECT_NE(streams.tracker().find(id), nullptr);
  streams.run([&] { streams.tracker().tick(now + 2min); });
  EXPECT_EQ(streams.tracker().find(id), nullptr);
}

TEST(StreamTracker, AConnectionCanBeEndedBeforeItIsThere) {
  FakeClient first;
  FakeClient second;
  Streams streams;
  Stream& stream = streams.open("1");
  streams.run([&] { streams.tracker().end_connection(stream); });
  streams.connect(stream, first);
  EXPECT_THAT(first.received, StartsWith("id: "));
  EXPECT_TRUE(first.is_closed);
  streams.say(stream, "late");
  const Resume resume = streams.resume(first.last_id());
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, second, resume.after);
  EXPECT_THAT(second.events(), ElementsAre("late"));
  EXPECT_FALSE(second.is_closed);
}

// Numbers from 1 on, as messages.
class Numbers : public StreamSource {
 public:
  class Reader : public SourceReader {
   public:
    Reader(Numbers& numbers, std::uint64_t after, std::function<void()> on_ready)
        : numbers_(numbers), position_(after), on_ready_(std::move(on_ready)) {
      numbers_.reader_ = this;
    }

    ~Reader() override { numbers_.reader_ = nullptr; }

    void take(std::vector<SourceEvent>& events, std::size_t max_events, std::size_t) override {
      for (; position_ < numbers_.head_ && max_events > 0; --max_events) {
        ++position_;
        events.push_back({.position = position_,
                          .message = std::make_shared<Message>(std::to_string(position_))});
      }
    }

    std::uint64_t position() const override { return numbers_.head_; }

   private:
    friend class Numbers;

    Numbers& numbers_;
    std::uint64_t position_;
    std::function<void()> on_ready_;
  };

  void add(std::uint64_t count) {
    head_ += count;
    if (reader_ != nullptr) reader_->on_ready_();
  }

  std::unique_ptr<SourceReader> read_after(std::uint64_t position,
                                           std::function<void()> on_ready) override {
    return std::make_unique<Reader>(*this, position, std::move(on_ready));
  }

  std::uint64_t head() const override { return head_; }

  bool is_renumbered() const override { return is_renumbered_; }

  asio::awaitable<std::optional<Removed>> removed_after(std::uint64_t) override {
    co_return std::nullopt;
  }

  void settled(std::uint64_t position) override { settled_ = position; }

  std::uint64_t settled_ = 0;
  bool is_renumbered_ = false;

 private:
  std::uint64_t head_ = 0;
  Reader* reader_ = nullptr;
};

TEST(R_RESUME_1, EventsOfASourceComeInOrderWithTheStreamsOwnMessages) {
  FakeClient client;
  Numbers numbers;
  Streams streams({}, 10 << 20, &numbers);
  Stream& stream = streams.tracker().standalone();
  streams.run([&] { numbers.add(2); });
  streams.say(stream, "own");
  streams.run([&] { numbers.add(1); });
  streams.connect(stream, client, streams.resume_unnamed().after);
  EXPECT_THAT(client.events(), ElementsAre("1", "2", "own", "3"));
  streams.say(stream, "own again");
  streams.run([&] { numbers.add(1); });
  EXPECT_THAT(client.events(), ElementsAre("1", "2", "own", "3", "own again", "4"));
  EXPECT_THAT(client.last_id(), testing::EndsWith("-4_2"));
}

TEST(R_RESUME_1, AStreamWithASourceResumesAfterEachOfItsEvents) {
  FakeClient whole;
  std::vector<FakeClient> clients(11);  // they outlive their connections
  Numbers numbers;
  Streams streams({}, 10 << 20, &numbers);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, whole, streams.resume_unnamed().after);
  std::vector<std::string> ids = {whole.last_id()};
  for (int i = 0; i < 5; ++i) {
    streams.run([&] { numbers.add(1); });
    ids.push_back(whole.last_id());
    streams.say(stream, "own");
    ids.push_back(whole.last_id());
  }
  const std::vector<std::string> all = whole.events();
  ASSERT_EQ(all.size(), 10U);
  ASSERT_EQ(ids.size(), clients.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    streams.connect(stream, clients[i], streams.resume(ids[i]).after);
    EXPECT_EQ(clients[i].events(),
              std::vector<std::string>(all.begin() + static_cast<long>(i), all.end()));
  }
}

TEST(R_RESUME_1, ASlowClientOfASourceGetsEverythingOnceItReads) {
  FakeClient client;
  Numbers numbers;
  Streams streams({}, 2000, &numbers);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, client, streams.resume_unnamed().after);
  client.is_slow = true;
  for (int i = 0; i < 3000; ++i)
    streams.run([&] { numbers.add(1); });
  streams.run([&] { client.release(); });
  EXPECT_EQ(client.events().size(), 3000U);
  EXPECT_EQ(client.events().back(), "3000");
}

TEST(R_RESUME_2, APositionThatWasNotReachedYetIsUnknown) {
  Numbers numbers;
  Streams streams({}, 10 << 20, &numbers);
  streams.run([&] { numbers.add(3); });
  EventId id{.session = "s1",
             .stream = streams.tracker().standalone().id(),
             .node = "",
             .rpc = "",
             .position = 3,
             .counter = 0};
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kAttach);
  id.position = 4;
  EXPECT_EQ(streams.resume(to_string(id)).outcome, ResumeOutcome::kUnknown);
}

TEST(RestartedStreams, AfterARestartTheStreamContinuesFromTheClientsEvent) {
  Numbers numbers;
  FakeClient before;
  FakeClient after;
  StreamsState state;
  std::string id;
  {
    Streams streams({}, 10 << 20, &numbers);
    streams.connect(streams.tracker().standalone(), before, streams.resume_unnamed().after);
    streams.run([&] { numbers.add(2); });
    streams.say(streams.tracker().standalone(), "own");
    id = before.last_id();
    state = streams.tracker().state();
  }
  numbers.add(2);
  Streams streams({}, 10 << 20, &numbers, state);
  const Resume resume = streams.resume(id);
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  streams.connect(*resume.stream, after, resume.after);
  streams.say(*resume.stream, "own of the next process");
  EXPECT_THAT(after.events(), ElementsAre("3", "4", "own of the next process"));
}

TEST(RestartedStreams, AfterARestartAClientThatNamesNoEventGetsAllThatItHasNotAcknowledged) {
  Numbers numbers;
  FakeClient client;
  StreamsState state;
  FakeClient before;
  {
    Streams streams({}, 10 << 20, &numbers);
    streams.connect(streams.tracker().standalone(), before, streams.resume_unnamed().after);
    streams.run([&] { numbers.add(2); });
    streams.resume(before.last_id());
    streams.run([&] { numbers.add(2); });
    state = streams.tracker().state();
  }
  EXPECT_EQ(numbers.settled_, 2U);
  Streams streams({}, 10 << 20, &numbers, state);
  streams.connect(streams.tracker().standalone(), client, streams.resume_unnamed().after);
  EXPECT_THAT(client.events(), ElementsAre("3", "4"));
}

TEST(RestartedStreams, ANewCallsStreamBeginsWithItsFirstMessage) {
  const StreamsState before{.standalone = "s", .position = 0, .processes = 2};
  for (const bool is_connected_first : {true, false}) {
    FakeClient client;
    Streams streams({}, 10 << 20, nullptr, before);
    Stream& stream = streams.open("7");
    if (is_connected_first) streams.connect(stream, client, streams.tracker().beginning());
    streams.say(stream, "1");
    if (!is_connected_first) streams.connect(stream, client, {});
    streams.say(stream, "2");
    EXPECT_THAT(client.events(), ElementsAre("1", "2"));
  }
}

TEST(RestartedStreams, OfASourceThatNumbersItsEventsAnewNoEventOfBeforeIsKnown) {
  Numbers numbers;
  FakeClient before;
  FakeClient after;
  StreamsState state;
  {
    Streams streams({}, 10 << 20, &numbers);
    streams.connect(streams.tracker().standalone(), before, streams.resume_unnamed().after);
    streams.run([&] { numbers.add(2); });
    state = streams.tracker().state();
  }
  numbers.is_renumbered_ = true;
  Streams streams({}, 10 << 20, &numbers, state);
  EXPECT_EQ(streams.resume(before.last_id()).outcome, ResumeOutcome::kUnknown);
  streams.connect(streams.tracker().standalone(), after, streams.resume_unnamed().after);
  streams.run([&] { numbers.add(1); });
  EXPECT_THAT(after.events(), ElementsAre("3"));
}

TEST(RestartedStreams, ACallThatRunsAgainRepeatsNothingThatItsClientHas) {
  FakeClient before;
  FakeClient after;
  StreamsState state;
  std::string id;
  std::string stream_id;
  {
    Streams streams;
    Stream& stream = streams.open("7");
    streams.connect(stream, before);
    streams.say(stream, "event 11", EventKind::kMessage, 11);
    streams.say(stream, "event 12", EventKind::kMessage, 12);
    streams.say(stream, "still at work");
    id = before.last_id();
    stream_id = stream.id();
    state = streams.tracker().state();
  }
  Streams streams({}, 10 << 20, nullptr, state);
  EXPECT_TRUE(streams.tracker().is_lost_request(*parse_event_id(id)));
  Stream& stream = streams.open("7", stream_id);
  const Resume resume = streams.resume(id);
  ASSERT_EQ(resume.outcome, ResumeOutcome::kAttach);
  for (const int event : {11, 12, 13})
    streams.say(stream, "event " + std::to_string(event), EventKind::kMessage, event);
  streams.say(stream, "response", EventKind::kResponse);
  streams.finish(stream);
  streams.connect(stream, after, resume.after);
  EXPECT_THAT(after.events(), ElementsAre("event 13", "response"));
  EXPECT_EQ(streams.resume(after.last_id()).outcome, ResumeOutcome::kDone);
}

TEST(R_RESUME_8, WhatAnOpenConnectionWasSentLongAgoHasArrived) {
  Numbers numbers;
  FakeClient first;
  FakeClient next;
  Streams streams({}, 10 << 20, &numbers);
  Stream& stream = streams.tracker().standalone();
  streams.connect(stream, first, streams.resume_unnamed().after);
  streams.run([&] { numbers.add(2); });
  const auto now = StreamTracker::Clock::now();
  streams.run([&] { streams.tracker().tick(now + 61s); });
  streams.run([&] { numbers.add(1); });
  streams.run([&] { streams.tracker().tick(now + 122s); });
  streams.run([&] { first.close(); });
  streams.connect(stream, next, streams.resume_unnamed().after);
  EXPECT_THAT(next.events(), ElementsAre("3"));
}

}  // namespace
}  // namespace oriel::mcp
