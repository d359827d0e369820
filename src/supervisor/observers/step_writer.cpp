#include "supervisor/observers/step_writer.h"

#include "supervisor/observers/observed_session.h"

#include <memory>
#include <utility>

namespace oriel {

StepWriter::StepWriter(asio::any_io_executor shard, Journal& journal,
                       std::function<void(SessionSnapshot)> on_stored, OwnerGuard guard)
    : on_stored_(std::move(on_stored)),
      guard_(std::move(guard)),
      outbox_changed_(shard),
      stored_changed_(shard),
      writer_(shard, journal, failures_, {.gives_up = [this](const Error& failure) {
                return is_closing_ || failure.kind == ErrorKind::kOvertaken;
              }}) {}

asio::awaitable<void> StepWriter::run() {
  while (true) {
    while (outbox_.is_empty())
      co_await outbox_changed_.wait();
    const std::uint64_t goal = put_;
    const std::string owner = "session " + outbox_.state().session_id;
    auto state = std::make_shared<const SessionState>(session_of(outbox_.state()));
    Proposal batch = outbox_.take();
    batch.on_stored = [on_stored = on_stored_, state = std::move(state)] { on_stored(state); };
    guard_.add_to(batch);
    const RetryingWriter::BatchSource source = [&batch] { return ready_batch(batch); };
    const bool is_stored = co_await writer_.write(owner, source);
    if (is_stored) guard_.stored();
    stored_ = goal;
    stored_changed_.notify();
  }
}

void StepWriter::put(ObservedStep step, const ObservedState& state) {
  if (step.is_empty() && !step.is_changed) return;
  outbox_.put(std::move(step), state);
  ++put_;
  outbox_changed_.notify();
}

asio::awaitable<void> StepWriter::stored() {
  const std::uint64_t goal = put_;
  while (stored_ < goal)
    co_await stored_changed_.wait();
}

}  // namespace oriel
