#pragma once
// Appends to the journal and retries failed appends until they are stored.

#include "base/failure_log.h"
#include "journal/journal.h"
#include "journal/proposal.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace oriel {

struct RetryPolicy {
  std::chrono::milliseconds first_pause{200};
  std::chrono::milliseconds max_pause{200};  // pauses double up to this
  // Asked after each failed attempt.
  std::function<bool(const Error& failure)> gives_up = [](const Error&) { return false; };
};

// The result of a BatchSource that does not need to wait.
inline asio::awaitable<Proposal> ready_batch(Proposal batch) {
  co_return batch;
}

// Lives on one shard and is touched only there.
class RetryingWriter {
 public:
  // Makes the batch of the next attempt. May throw: the attempt has failed.
  using BatchSource = std::function<asio::awaitable<Proposal>()>;

  // `failures` limits the log.
  RetryingWriter(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
                 RetryPolicy policy);
  RetryingWriter(const RetryingWriter&) = delete;
  RetryingWriter& operator=(const RetryingWriter&) = delete;

  // Returns true when the batch is stored, false when it is given up. `owner` names it in the log.
  // One call at a time.
  asio::awaitable<bool> write(const std::string& owner, const BatchSource& next_batch);

  // From now on retries without pauses.
  void hurry();

  // The error of the last attempt; none: it succeeded.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Attempt {
    std::size_t events = 0;
    std::size_t documents = 0;
    std::optional<Error> failure;
  };

  asio::awaitable<Attempt> try_once(const BatchSource& next_batch);
  void report(const std::string& owner, const Attempt& failed);

  Journal& journal_;
  FailureLog& failures_;
  RetryPolicy policy_;
  bool is_hurried_ = false;
  std::optional<Error> failure_;
  asio::steady_timer timer_;
};

}  // namespace oriel
