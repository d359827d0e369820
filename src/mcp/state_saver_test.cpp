#include "mcp/state_saver.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include <new>

namespace oriel::mcp {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

// Notes each save; fails or waits as told.
class SlowArchive : public Archive {
 public:
  explicit SlowArchive(asio::any_io_executor shard) : released_(std::move(shard)) {}

  asio::awaitable<Result<void>> save(std::vector<ArchiveEntry> entries) override {
    while (is_held_)
      co_await released_.wait();
    if (failures_ > 0) {
      --failures_;
      co_return Error{.kind = ErrorKind::kJournalFailed, .message = "the disk is full", .hint = {}};
    }
    std::string line;
    for (const ArchiveEntry& entry : entries)
      line += entry.key + "=" + entry.value + " ";
    saves_.push_back(line);
    co_return Result<void>();
  }

  asio::awaitable<std::vector<ArchiveEntry>> load(ArchiveQuery) override {
    co_return std::vector<ArchiveEntry>();
  }

  void release() {
    is_held_ = false;
    released_.notify();
  }

  std::vector<std::string> saves_;
  int failures_ = 0;
  bool is_held_ = false;

 private:
  Condition released_;
};

// What a test's coroutine works with.
struct Saving {
  asio::io_context shard;
  SlowArchive archive{shard.get_executor()};
  StateSaver saver{shard.get_executor(), &archive};
};

using Test = asio::awaitable<void> (*)(Saving&);

StateSaver::Value text(std::string value) {
  return [value = std::move(value)] { return value; };
}

asio::awaitable<void> run_and_stop(Saving& saving, Test test, bool& is_over) {
  co_await test(saving);
  auto stopping = saving.saver.stop(1s);
  co_await std::move(stopping);
  is_over = true;
}

void run(Saving& saving, Test test) {
  saving.saver.start();
  bool is_over = false;
  asio::co_spawn(saving.shard, run_and_stop(saving, test, is_over), asio::detached);
  saving.shard.run();
  EXPECT_TRUE(is_over);
}

asio::awaitable<void> wait_until_saved(Saving& saving) {
  const std::uint64_t change = saving.saver.mark("a", text("1"));
  EXPECT_THAT(saving.archive.saves_, IsEmpty());
  co_await saving.saver.saved(change);
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 "));
}

TEST(StateSaverTest, WaitsUntilAChangeIsSaved) {
  Saving saving;
  run(saving, wait_until_saved);
}

asio::awaitable<void> change_during_a_save(Saving& saving) {
  saving.saver.mark("a", text("1"));
  co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  saving.saver.mark("a", text("2"));
  saving.saver.mark("a", text("3"));
  const std::uint64_t change = saving.saver.remove("b");
  saving.archive.release();
  co_await saving.saver.saved(change);
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 ", "a=3 b= "));
}

TEST(StateSaverTest, SavesTogetherWhatChangesDuringASave) {
  Saving saving;
  saving.archive.is_held_ = true;
  run(saving, change_during_a_save);
}

asio::awaitable<void> wait_while_saves_fail(Saving& saving) {
  const std::uint64_t first = saving.saver.mark("a", text("1"));
  co_await saving.saver.saved(first);
  EXPECT_THAT(saving.archive.saves_, IsEmpty());
  asio::steady_timer timer(saving.shard);
  while (saving.archive.saves_.empty()) {
    timer.expires_after(10ms);
    co_await timer.async_wait(asio::use_awaitable);
  }
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 "));
}

TEST(StateSaverTest, RepeatsAFailedSaveAndHoldsNobodyUpMeanwhile) {
  Saving saving;
  saving.archive.failures_ = 1;
  run(saving, wait_while_saves_fail);
}

// Reads the value of "a" twice: the first time there is no memory.
asio::awaitable<void> save_after_an_exception(Saving& saving) {
  int reads = 0;
  auto fail_once = [&reads]() -> std::string {
    if (++reads == 1) throw std::bad_alloc();
    return "1";
  };
  saving.saver.mark("a", std::move(fail_once));
  saving.saver.mark("b", text("1"));
  asio::steady_timer timer(saving.shard);
  while (reads == 0) {
    timer.expires_after(1ms);
    co_await timer.async_wait(asio::use_awaitable);
  }
  const std::uint64_t change = saving.saver.mark("b", text("2"));
  co_await saving.saver.saved(change);
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 b=2 "));
}

TEST(StateSaverTest, SavesAgainWhatAnExceptionHasInterrupted) {
  Saving saving;
  run(saving, save_after_an_exception);
}

asio::awaitable<void> mark_only(Saving& saving) {
  saving.saver.mark("a", text("1"));
  co_return;
}

TEST(StateSaverTest, SavesTheRestBeforeItStopsAndNothingAfterwards) {
  Saving saving;
  run(saving, mark_only);
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 "));
  saving.saver.mark("b", text("1"));
  EXPECT_THAT(saving.archive.saves_, ElementsAre("a=1 "));
}

}  // namespace
}  // namespace oriel::mcp
