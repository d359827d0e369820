#include "transcript/transcript_tail.h"

#include "base/temp_directory_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::seconds;

using Lines = std::vector<std::string>;

class TranscriptTailTest : public testing::Test {
 protected:
  // Without polling, so that only the watch reports changes.
  TranscriptTailTest() {
    options_.poll_watched_every = hours(1);
    options_.piece_bytes = 16;
    follow({.path = path("a.jsonl")});
  }

  ~TranscriptTailTest() override {
    tail_.reset();
    bool is_stopped = false;
    asio::co_spawn(io_, watch_.stop(), [&](std::exception_ptr) { is_stopped = true; });
    run_until([&] { return is_stopped; });
  }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  void follow(TranscriptPosition position) {
    tail_ = std::make_unique<TranscriptTail>(watch_, files_, roots_, io_.get_executor(),
                                             std::move(position), options_);
  }

  void append(const std::string& name, std::string_view bytes) const {
    std::ofstream(directory_ / name, std::ios::binary | std::ios::app) << bytes;
  }

  void begin_next() {
    answer_.reset();
    asio::co_spawn(io_, tail_->next(),
                   [this](std::exception_ptr failure, Result<TranscriptBatch> batch) {
                     EXPECT_FALSE(failure);
                     answer_ = std::move(batch);
                   });
    for (int i = 0; i < 50; ++i)
      io_.run_one_for(std::chrono::milliseconds(1));
  }

  Lines finish_next() {
    run_until([&] { return answer_.has_value(); });
    Lines lines;
    if (!answer_ || !*answer_) return {"no answer"};
    for (const JsonlLine& line : (*answer_)->lines)
      lines.push_back(line.is_too_long ? "too long at " + std::to_string(line.offset) : line.text);
    return lines;
  }

  Lines next() {
    begin_next();
    return finish_next();
  }

  Lines take(std::size_t count) {
    Lines all;
    while (all.size() < count) {
      const Lines lines = next();
      if (lines.empty() && !(*answer_)->is_from_start) break;
      all.insert(all.end(), lines.begin(), lines.end());
    }
    return all;
  }

  template <class Predicate>
  void run_until(Predicate is_so) {
    const auto limit = std::chrono::steady_clock::now() + seconds(10);
    while (!is_so() && std::chrono::steady_clock::now() < limit) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(100));
    }
    EXPECT_TRUE(is_so()) << "nothing came within 10 s";
  }

  TempDirectory directory_;
  asio::io_context io_{1};
  BlockingThread files_;
  TranscriptRoots roots_{{directory_.path().string()}};
  TranscriptTailOptions options_;
  FileWatch watch_{io_.get_executor()};
  std::unique_ptr<TranscriptTail> tail_;
  std::optional<Result<TranscriptBatch>> answer_;
};

TEST_F(TranscriptTailTest, CompleteLinesArriveAsTheyAreWritten) {
  append("a.jsonl", "one\ntwo");
  EXPECT_EQ(next(), Lines{"one"});
  begin_next();
  EXPECT_FALSE(answer_);
  append("a.jsonl", " and a half\n");
  EXPECT_EQ(finish_next(), Lines{"two and a half"});
  EXPECT_EQ(tail_->position().offset, 19U);
}

TEST_F(TranscriptTailTest, AFileThatDoesNotExistYetIsWaitedFor) {
  begin_next();
  EXPECT_FALSE(answer_);
  append("a.jsonl", "one\n");
  EXPECT_EQ(finish_next(), Lines{"one"});
}

TEST_F(TranscriptTailTest, ADirectoryThatDoesNotExistYetIsWaitedFor) {
  options_.poll_every = std::chrono::milliseconds(20);
  follow({.path = path("later/a.jsonl")});
  begin_next();
  EXPECT_FALSE(answer_);
  directory_.add("later/a.jsonl", "one\n");
  EXPECT_EQ(finish_next(), Lines{"one"});
}

TEST_F(TranscriptTailTest, ARestartContinuesAtThePosition) {
  append("a.jsonl", "one\ntwo\nthr");
  EXPECT_EQ(take(2), (Lines{"one", "two"}));
  const TranscriptPosition position = tail_->position();
  append("a.jsonl", "ee\n");
  follow(position);
  EXPECT_EQ(next(), Lines{"three"});
}

TEST_F(TranscriptTailTest, ATruncatedFileIsReadFromItsStart) {
  append("a.jsonl", "one\ntwo\n");
  EXPECT_EQ(take(2), (Lines{"one", "two"}));
  std::ofstream(directory_ / "a.jsonl", std::ios::trunc) << "1\n";
  EXPECT_EQ(next(), Lines{"1"});
  EXPECT_TRUE((*answer_)->is_from_start);
}

TEST_F(TranscriptTailTest, ALongerRewrittenFileIsReadFromItsStart) {
  append("a.jsonl", "one\ntwo\n");
  EXPECT_EQ(take(2), (Lines{"one", "two"}));
  const TranscriptPosition position = tail_->position();
  std::ofstream(directory_ / "a.jsonl", std::ios::trunc) << "another beginning\nx\n";
  follow(position);
  EXPECT_EQ(take(2), (Lines{"another beginning", "x"}));
}

TEST_F(TranscriptTailTest, AReplacedFileIsReadToItsEndAndThenTheNewOne) {
  append("a.jsonl", "one\n");
  EXPECT_EQ(next(), Lines{"one"});
  append("a.jsonl", "two\n");
  append("b.jsonl", "three\n");
  fs::rename(directory_ / "a.jsonl", directory_ / "old.jsonl");
  fs::rename(directory_ / "b.jsonl", directory_ / "a.jsonl");
  EXPECT_EQ(take(2), (Lines{"two", "three"}));
  EXPECT_TRUE((*answer_)->is_from_start);
}

TEST_F(TranscriptTailTest, ALineThatIsTooLongIsSkippedAndTheRestIsRead) {
  options_.max_line = 40;
  follow({.path = path("a.jsonl")});
  append("a.jsonl", "one\n" + std::string(100, 'x') + "\ntwo\n");
  EXPECT_EQ(take(3), (Lines{"one", "too long at 4", "two"}));
}

TEST_F(TranscriptTailTest, AForbiddenFileIsAnError) {
  follow({.path = "/etc/hostname"});
  begin_next();
  run_until([&] { return answer_.has_value(); });
  EXPECT_EQ(answer_->error().kind, ErrorKind::kPathNotAllowed);
}

TEST_F(TranscriptTailTest, NextNowDoesNotWait) {
  append("a.jsonl", "one\n");
  for (const std::size_t expected : {1U, 0U}) {
    std::optional<Result<TranscriptBatch>> batch;
    asio::co_spawn(io_, tail_->next_now(), [&](std::exception_ptr, Result<TranscriptBatch> got) {
      batch = std::move(got);
    });
    run_until([&] { return batch.has_value(); });
    EXPECT_EQ((*batch)->lines.size(), expected);
  }
}

TEST_F(TranscriptTailTest, ReleaseEndsTheWait) {
  append("a.jsonl", "one\nhalf");
  EXPECT_EQ(next(), Lines{"one"});
  begin_next();
  EXPECT_FALSE(answer_);
  tail_->release();
  EXPECT_EQ(finish_next(), Lines{});
  append("a.jsonl", " a line\n");
  EXPECT_EQ(next(), Lines{"half a line"});
}

TEST_F(TranscriptTailTest, FilesOfOneDirectoryAreFollowedSeparately) {
  append("a.jsonl", "one\n");
  EXPECT_EQ(next(), Lines{"one"});
  begin_next();
  append("other.jsonl", "not mine\n");
  for (int i = 0; i < 20; ++i)
    io_.run_one_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(answer_);
  append("a.jsonl", "two\n");
  EXPECT_EQ(finish_next(), Lines{"two"});
}

}  // namespace
}  // namespace oriel
