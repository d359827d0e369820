#pragma once
// A thread for blocking calls, so that shards never block.

#include "runtime/shards.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace oriel {

// Runs calls one after another; the caller resumes on its own shard. Destruction waits for the
// running call and drops queued ones. A deadline does not interrupt a call.
class BlockingThread {
 public:
  template <class Work>
  asio::awaitable<std::invoke_result_t<Work>> run(Work work) {
    return run_on(thread_.get_executor(), std::move(work));
  }

  // Fire and forget.
  template <class Work>
  void post(Work work) {
    asio::post(thread_, std::move(work));
  }

 private:
  asio::thread_pool thread_{1};
};

// A blocking thread that is started by its first call. Belongs to one shard.
class LazyThread {
 public:
  // As BlockingThread::run.
  template <class Work>
  asio::awaitable<std::invoke_result_t<Work>> run(Work work) {
    if (!thread_) thread_ = std::make_shared<BlockingThread>();
    return run_on_thread(thread_, std::move(work));
  }

  // Ends the thread, after calls that wait for it. The next call starts another.
  void release() { thread_.reset(); }

  bool is_running() const { return thread_ != nullptr; }

 private:
  template <class Work>
  static asio::awaitable<std::invoke_result_t<Work>> run_on_thread(
      std::shared_ptr<BlockingThread> thread, Work work) {
    auto running = thread->run(std::move(work));
    co_return co_await std::move(running);
  }

  std::shared_ptr<BlockingThread> thread_;
};

}  // namespace oriel
