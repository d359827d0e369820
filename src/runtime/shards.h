#pragma once
// One shard = one thread = one io_context. Objects live on one shard and are touched only there, so
// they need no lock. Shards and other threads communicate by posting values.

#include "runtime/asio.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <thread>
#include <vector>

namespace oriel {

class Shard {
 public:
  explicit Shard(unsigned index);

  unsigned index() const { return index_; }

  asio::io_context::executor_type executor() { return io_.get_executor(); }

 private:
  friend class Shards;

  unsigned index_;
  asio::io_context io_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

// Built before and destroyed after everything that lives on the shards.
class Shards {
 public:
  explicit Shards(unsigned count);
  ~Shards();
  Shards(const Shards&) = delete;
  Shards& operator=(const Shards&) = delete;

  // Nothing runs before, so that modules can be built on the caller's thread.
  void start();

  // Returns once every shard has run out of work, which the caller ensures.
  void join();

  // The same in two steps: after release(), which may be called on a shard, shards end when they
  // run out of work; wait() waits for that.
  void release();
  void wait();

  std::size_t size() const { return shards_.size(); }

  Shard& operator[](std::size_t index) { return *shards_[index]; }

  auto begin() { return shards_.begin(); }

  auto end() { return shards_.end(); }

 private:
  std::vector<std::unique_ptr<Shard>> shards_;
};

// Runs `work` on another executor and resumes the caller on its own with the result. Not cancelled
// with the caller: Asio would post the cancellation to the other executor, where it may arrive
// after the work was destroyed.
template <class T>
asio::awaitable<T> finish_on(asio::any_io_executor executor, asio::awaitable<T> work) {
  auto uncancelled = asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable);
  co_return co_await asio::co_spawn(executor, std::move(work), uncancelled);
}

// The same for a plain call. It runs after everything that was posted there before, even if the
// caller is on that executor.
template <class Executor, class Work>
asio::awaitable<std::invoke_result_t<Work>> run_on(Executor executor, Work work) {
  auto call = [](Work inner) -> asio::awaitable<std::invoke_result_t<Work>> {
    co_await asio::post(asio::use_awaitable);
    co_return inner();
  };
  return finish_on(asio::any_io_executor(executor), call(std::move(work)));
}

}  // namespace oriel
