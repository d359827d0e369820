#pragma once
// Stores the steps of an observed agent in their order. Steps that arrive during an append become
// the next one.

#include "journal/journal.h"
#include "runtime/condition.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/observers/observed_outbox.h"
#include "supervisor/retrying_writer.h"
#include "supervisor/sessions/session_registry.h"

#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

// Lives on one shard with its runner.
class StepWriter {
 public:
  // `on_stored` receives each state once its events are stored and before they are published, on
  // the journal's thread: a client that has an event finds at least the state after it. In a
  // cluster, `guard` is of the agent's session; steps are dropped once another node observes it.
  StepWriter(asio::any_io_executor shard, Journal& journal,
             std::function<void(SessionSnapshot)> on_stored, OwnerGuard guard = {});
  StepWriter(const StepWriter&) = delete;
  StepWriter& operator=(const StepWriter&) = delete;

  // Stores steps until it is cancelled.
  asio::awaitable<void> run();

  // `state` is the agent's after the step.
  void put(ObservedStep step, const ObservedState& state);

  // Returns once everything that was put before has been stored.
  asio::awaitable<void> stored();

  bool is_in_cluster() const { return guard_.is_in_cluster(); }

  bool is_idle() const { return stored_ == put_; }

  // Stops retrying failed appends.
  void close() { is_closing_ = true; }

 private:
  std::function<void(SessionSnapshot)> on_stored_;
  OwnerGuard guard_;
  ObservedOutbox outbox_;
  std::uint64_t put_ = 0;     // number of steps
  std::uint64_t stored_ = 0;  // of these
  bool is_closing_ = false;
  Condition outbox_changed_;
  Condition stored_changed_;
  FailureLog failures_;
  RetryingWriter writer_;
};

}  // namespace oriel
