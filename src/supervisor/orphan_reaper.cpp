#include "supervisor/orphan_reaper.h"

#include "base/log.h"
#include "posix/process_marker.h"
#include "posix/process_tree.h"
#include "runtime/keep_running.h"

namespace oriel {
namespace {

constexpr std::chrono::seconds kReapInterval{10};

}  // namespace

OrphanReaper::OrphanReaper(asio::any_io_executor shard, BlockingThread& blocking)
    : shard_(shard),
      blocking_(blocking),
      abandoned_(std::async(std::launch::async, end_abandoned)),
      tasks_(shard) {}

asio::awaitable<void> OrphanReaper::start() {
  auto take = [this] { return abandoned_.get(); };
  const std::size_t ended = co_await blocking_.run(take);
  if (ended > 0) log()->warn("ended {} processes that agents of a killed server left", ended);
  auto reap = [this] { return reap_periodically(); };
  tasks_.spawn("orphans", keep_running("orphans", std::move(reap)));
}

asio::awaitable<void> OrphanReaper::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
}

asio::awaitable<void> OrphanReaper::reap_periodically() {
  asio::steady_timer timer(shard_);
  while (true) {
    timer.expires_after(kReapInterval);
    co_await timer.async_wait(asio::use_awaitable);
    auto reap = [] { reap_orphans(); };
    co_await blocking_.run(reap);
  }
}

}  // namespace oriel
