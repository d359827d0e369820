#pragma once
// Masks, serializes and appends a hosted session's events. While the journal fails, they wait here
// in order and are retried.

#include "journal/journal.h"
#include "journal/proposal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "session/session_step.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/retrying_writer.h"
#include "supervisor/sessions/record_draft.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace oriel {

// A session's document, which is stored with events that change its state.
struct StateDocument {
  Document document;
  std::function<void()> on_stored = {};  // see Proposal
};

// Lives on its session's shard and is touched only there. run() must have ended before destruction.
class EventOutbox {
 public:
  // Describes the state after all events that were put. Called for each attempt to store them.
  using DocumentSource = std::function<StateDocument()>;

  // `thread` does the work on long texts. Once another node owns the session, nothing more is
  // stored, and `on_overtaken` is called.
  EventOutbox(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
              LazyThread& thread, const std::string& session_id, DocumentSource document,
              OwnerGuard guard = {}, std::function<void()> on_overtaken = {});

  // Takes the step's events and turns, which are stored in one append. `redactor` masks what the
  // session has joined from pieces; null: nothing.
  void put(SessionStep& step, std::shared_ptr<const Redactor> redactor);

  // Stores events as they are put, and retries failures. Returns after close(), or once another
  // node owns the session. However it ends,
  // waiting commands fail; events wait for the next call.
  asio::awaitable<void> run();

  // Waits until all events that were put are stored or dropped.
  asio::awaitable<void> settled();

  // Like settled() with a deadline, for a command's acknowledgement. Errors: journal_failed,
  // journal_busy (not stored yet, retried), stopping, overtaken (dropped).
  asio::awaitable<Result<void>> stored_by(SteadyTime deadline);

  // Waits while the journal fails, so that a command that cannot be stored has no effect. Errors as
  // above.
  asio::awaitable<Result<void>> writable_by(SteadyTime deadline);

  // Retries waiting events once more, then drops them.
  void close();

  // Waiting commands fail, and nobody waits for the append that is under way; it may still be
  // stored.
  void abandon() { give_up(); }

 private:
  enum class Phase {
    kOpen,
    kClosing,      // close() was called
    kLastAttempt,  // an append that began after close()
  };

  asio::awaitable<void> store_until_hopeless();
  void give_up();
  asio::awaitable<Proposal> next_batch();
  bool is_hopeless(const Error& failure) const;
  bool is_overtaken() const;

  const std::optional<Error>& failure() const { return writer_.failure(); }

  asio::awaitable<void> wait_until(std::function<bool()> is_so);
  asio::awaitable<void> wait_by(SteadyTime deadline, std::function<bool()> is_so);
  Error given_up() const;

  LazyThread& thread_;
  const std::string session_id_;
  const std::string owner_;  // in the log
  DocumentSource document_;
  std::list<UnstoredStep> waiting_;
  OwnerGuard guard_;
  std::function<void()> on_overtaken_;
  RecordDraft draft_;      // that is being stored; touched by the thread while next_batch() waits
  std::uint64_t put_ = 0;  // events, ever
  std::uint64_t stored_ = 0;
  Phase phase_ = Phase::kOpen;
  bool has_given_up_ = false;  // run() has ended
  Condition waiting_changed_;
  Condition stored_changed_;
  RetryingWriter writer_;
};

}  // namespace oriel
