#include "supervisor/retrying_writer.h"

#include "base/eventually_testing.h"
#include "runtime/deadline.h"
#include "runtime/shards.h"
#include "supervisor/full_engine_testing.h"

#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <new>

namespace oriel {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kForever = std::chrono::hours(24);

asio::awaitable<Proposal> batch_of(std::string value) {
  return ready_batch({.records = {}, .documents = {{.key = "key", .value = std::move(value)}}});
}

class RetryingWriterTest : public testing::Test {
 protected:
  RetryingWriterTest() {
    journal_.start();
    shards_.start();
  }

  ~RetryingWriterTest() override {
    // The writer's timer belongs to its shard.
    asio::post(shards_[0].executor(), asio::use_future([this] { writer_.reset(); })).get();
    journal_.stop();
    shards_.join();
  }

  void make_writer(RetryPolicy policy) {
    writer_.emplace(shards_[0].executor(), journal_, failures_, std::move(policy));
  }

  std::future<bool> begin(RetryingWriter::BatchSource source) {
    source_ = std::move(source);
    auto limited = with_deadline(std::chrono::minutes(1), writer_->write(owner_, source_));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future);
  }

  void hurry() {
    asio::post(shards_[0].executor(), asio::use_future([this] { writer_->hurry(); })).get();
  }

  std::optional<Error> failure() {
    auto look = asio::use_future([this] { return writer_->failure(); });
    return asio::post(shards_[0].executor(), std::move(look)).get();
  }

  void wait_for_failures(std::uint64_t count) {
    EXPECT_TRUE(eventually([&] { return journal_.counts().failures >= count; }));
  }

  std::string stored_value() {
    auto reading =
        asio::co_spawn(shards_[0].executor(), journal_.read_documents("key"), asio::use_future);
    const std::vector<Document> documents = reading.get();
    return documents.empty() ? "" : documents.front().value;
  }

  std::atomic<bool> is_full_{false};
  Shards shards_{1};
  Journal journal_{std::make_unique<FullEngine>(is_full_), {}};
  FailureLog failures_;
  std::string owner_ = "test";
  RetryingWriter::BatchSource source_;
  std::optional<RetryingWriter> writer_;
};

TEST_F(RetryingWriterTest, RetriesUntilItIsStored) {
  make_writer({.first_pause = milliseconds(1), .max_pause = milliseconds(2)});
  is_full_ = true;
  auto writing = begin([] { return batch_of("one"); });
  wait_for_failures(4);
  is_full_ = false;
  EXPECT_TRUE(writing.get());
  EXPECT_EQ(stored_value(), "one");
  EXPECT_FALSE(failure());
}

TEST_F(RetryingWriterTest, EachAttemptStoresWhatIsCurrent) {
  make_writer({.first_pause = milliseconds(1)});
  is_full_ = true;
  std::atomic<int> attempts{0};
  auto writing = begin([&attempts] { return batch_of(std::to_string(++attempts)); });
  wait_for_failures(2);
  is_full_ = false;
  EXPECT_TRUE(writing.get());
  EXPECT_EQ(stored_value(), std::to_string(attempts));
}

TEST_F(RetryingWriterTest, GivesUpWhenThePolicySaysSo) {
  std::atomic<int> asked{0};
  make_writer({.first_pause = milliseconds(1), .gives_up = [&asked](const Error& failure) {
                 EXPECT_EQ(failure.kind, ErrorKind::kJournalFailed);
                 return ++asked == 3;
               }});
  is_full_ = true;
  EXPECT_FALSE(begin([] { return batch_of("one"); }).get());
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(journal_.counts().failures, 3U);
  EXPECT_THAT(failure().value().message, HasSubstr("disk full"));
}

TEST_F(RetryingWriterTest, ABatchThatCannotBeMadeIsAFailedAttempt) {
  make_writer({.first_pause = milliseconds(1)});
  std::atomic<int> attempts{0};
  auto writing = begin([&attempts] {
    if (++attempts < 3) throw std::bad_alloc();
    return batch_of("one");
  });
  EXPECT_TRUE(writing.get());
  EXPECT_EQ(attempts, 3);
}

TEST_F(RetryingWriterTest, HurryEndsThePause) {
  make_writer({.first_pause = kForever, .max_pause = kForever});
  is_full_ = true;
  auto writing = begin([] { return batch_of("one"); });
  wait_for_failures(1);
  is_full_ = false;
  hurry();
  EXPECT_TRUE(writing.get());
}

TEST_F(RetryingWriterTest, HurryLeavesNoPauseAfterLaterFailures) {
  make_writer({.first_pause = kForever, .max_pause = kForever});
  hurry();
  is_full_ = true;
  auto writing = begin([] { return batch_of("one"); });
  wait_for_failures(3);
  is_full_ = false;
  EXPECT_TRUE(writing.get());
}

}  // namespace
}  // namespace oriel
