#pragma once
// A thread for blocking calls, so that shards never block.

#include "runtime/shards.h"

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

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

}  // namespace oriel
