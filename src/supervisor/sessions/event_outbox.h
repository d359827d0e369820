#pragma once
// Appends a hosted session's events to the journal. While the journal fails, they wait here in
// order and are retried.

#include "journal/journal.h"
#include "runtime/condition.h"
#include "session/session_step.h"
#include "supervisor/journal_batch.h"
#include "supervisor/retrying_writer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace oriel {

// Lives on its session's shard and is touched only there. run() must have ended before destruction.
class EventOutbox {
 public:
  // Returns the session's document, which is stored with events that change its state. It describes
  // the state after all events that were put.
  using DocumentSource = std::function<Document()>;

  EventOutbox(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
              const std::string& session_id, DocumentSource document);

  // Takes the step's events and turns, which are stored in one append.
  void put(SessionStep& step);

  // Stores events as they are put, and retries failures. Returns after close(). However it ends,
  // waiting commands fail; events wait for the next call.
  asio::awaitable<void> run();

  // Waits until all events that were put are stored or dropped.
  asio::awaitable<void> settled();

  // Like settled() with a deadline, for a command's acknowledgement. Errors: journal_failed,
  // journal_busy (not stored yet, retried), stopping (dropped).
  asio::awaitable<Result<void>> stored_by(SteadyTime deadline);

  // Waits while the journal fails, so that a command that cannot be stored has no effect. Errors as
  // above.
  asio::awaitable<Result<void>> writable_by(SteadyTime deadline);

  // Retries waiting events once more, then drops them.
  void close();

 private:
  enum class Phase {
    kOpen,
    kClosing,      // close() was called
    kLastAttempt,  // an append that began after close()
  };

  asio::awaitable<void> store_until_hopeless();
  void give_up();
  JournalBatch next_batch();
  bool is_hopeless(const Error& failure) const;

  const std::optional<Error>& failure() const { return writer_.failure(); }

  asio::awaitable<void> wait_until(std::function<bool()> is_so);
  asio::awaitable<void> wait_by(SteadyTime deadline, std::function<bool()> is_so);
  Error given_up() const;

  const std::string owner_;  // in the log
  DocumentSource document_;
  JournalBatch waiting_;
  JournalBatch batch_;     // that is being stored
  std::uint64_t put_ = 0;  // events, ever
  std::uint64_t stored_ = 0;
  Phase phase_ = Phase::kOpen;
  bool has_given_up_ = false;  // run() has ended
  Condition waiting_changed_;
  Condition stored_changed_;
  RetryingWriter writer_;
};

}  // namespace oriel
