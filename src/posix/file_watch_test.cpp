#include "posix/file_watch.h"

#include "base/temp_directory_testing.h"
#include "posix/process_testing.h"
#include "runtime/condition.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace oriel {
namespace {

// How often a subscriber was notified whose first notification throws.
asio::awaitable<int> notify_twice(const TempDirectory& directory) {
  const auto shard = co_await asio::this_coro::executor;
  FileWatch watch(shard);
  Condition changed(shard);
  int notifications = 0;
  auto on_change = [&] {
    if (++notifications == 1) throw std::runtime_error("the first fails");
    changed.notify();
  };
  {
    const auto ticket = watch.watch((directory / "file").string(), on_change);
    directory.add("file", "text");
    while (notifications < 2)
      co_await changed.wait();
  }
  co_await watch.stop();
  co_return notifications;
}

TEST(FileWatch, NotifiesAgainAfterAFailure) {
  const TempDirectory directory;
  EXPECT_GE(run_here(notify_twice(directory)), 2);
}

}  // namespace
}  // namespace oriel
