#include "supervisor/observers/step_writer.h"

#include "supervisor/observers/observed_session.h"

#include <memory>
#include <utility>

namespace oriel {

StepWriter::StepWriter(asio::any_io_executor shard, Journal& journal,
                       std::function<void(SessionSnapshot)> on_change)
    : journal_(journal),
      on_change_(std::move(on_change)),
      outbox_changed_(shard),
      stored_changed_(shard) {}

asio::awaitable<void> StepWriter::run() {
  const std::function<bool()> gives_up = [this] { return is_closing_; };
  while (true) {
    while (outbox_.is_empty())
      co_await outbox_changed_.wait();
    const std::uint64_t goal = put_;
    std::string owner = "session " + outbox_.state().session_id;
    on_change_(std::make_shared<const SessionState>(session_of(outbox_.state())));
    JournalBatch batch = outbox_.take();
    auto appending = append_until_stored(journal_, std::move(batch), std::move(owner), gives_up);
    co_await std::move(appending);
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
