#include "supervisor/sessions/event_outbox.h"

#include "base/failpoint.h"
#include "runtime/deadline.h"
#include "supervisor/errors.h"
#include "supervisor/now.h"
#include "supervisor/sessions/text_bytes.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kMaxPause{2000};

}  // namespace

EventOutbox::EventOutbox(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
                         LazyThread& thread, const std::string& session_id, DocumentSource document,
                         OwnerGuard guard, std::function<void()> on_overtaken)
    : thread_(thread),
      session_id_(session_id),
      owner_("session " + session_id),
      document_(std::move(document)),
      guard_(std::move(guard)),
      on_overtaken_(std::move(on_overtaken)),
      waiting_changed_(shard),
      stored_changed_(shard),
      writer_(shard, journal, failures,
              {.first_pause = kFirstPause,
               .max_pause = kMaxPause,
               .gives_up = [this](const Error& failure) { return is_hopeless(failure); }}) {}

void EventOutbox::put(SessionStep& step, std::shared_ptr<const Redactor> redactor) {
  UnstoredStep& added = waiting_.emplace_back();
  put_ += step.events.size();
  added.events = std::move(step.events);
  added.turns = std::move(step.turns);
  added.redactor = std::move(redactor);
  waiting_changed_.notify();
}

asio::awaitable<void> EventOutbox::run() {
  has_given_up_ = false;
  try {
    co_await store_until_hopeless();
  } catch (...) {
    give_up();
    throw;
  }
  give_up();
}

asio::awaitable<void> EventOutbox::store_until_hopeless() {
  const RetryingWriter::BatchSource next_batch = [this] { return this->next_batch(); };
  while (true) {
    while (draft_.is_empty() && waiting_.empty())
      co_await waiting_changed_.wait();
    ORIEL_FAILPOINT(kOutboxBefore);
    const bool is_stored = co_await writer_.write(owner_, next_batch);
    if (!is_stored) co_return;
    guard_.stored();
    ORIEL_FAILPOINT(kOutboxAfter);
    stored_ += draft_.records();
    draft_ = {};
    stored_changed_.notify();
  }
}

void EventOutbox::give_up() {
  has_given_up_ = true;
  stored_changed_.notify();
  if (is_overtaken() && on_overtaken_) on_overtaken_();
}

bool EventOutbox::is_overtaken() const {
  return failure() && failure()->kind == ErrorKind::kOvertaken;
}

// Contains everything that waits, so that the document never lacks a request that is stored. The
// document describes the state after these events: events that are put later go into the next
// batch.
asio::awaitable<Proposal> EventOutbox::next_batch() {
  if (phase_ == Phase::kClosing) phase_ = Phase::kLastAttempt;
  draft_.add(waiting_);
  std::optional<StateDocument> state;
  if (draft_.changes_state()) state = document_();
  const auto serialize = [this] {
    draft_.serialize();
    return draft_.batch();
  };
  Proposal batch;
  if (draft_.unserialized_bytes() < kLongWork) {
    batch = serialize();
  } else {
    auto serializing = thread_.run(serialize);
    batch = co_await std::move(serializing);
  }
  if (state) {
    batch.documents.push_back(std::move(state->document));
    batch.on_stored = std::move(state->on_stored);
  }
  guard_.add_to(batch);
  co_return batch;
}

// A busy journal is no failure: its queue becomes shorter.
bool EventOutbox::is_hopeless(const Error& failure) const {
  if (failure.kind == ErrorKind::kOvertaken) return true;
  return phase_ == Phase::kLastAttempt && failure.kind != ErrorKind::kJournalBusy;
}

asio::awaitable<void> EventOutbox::wait_until(std::function<bool()> is_so) {
  while (!is_so() && !has_given_up_)
    co_await stored_changed_.wait();
}

asio::awaitable<void> EventOutbox::wait_by(SteadyTime deadline, std::function<bool()> is_so) {
  auto waiting = wait_until(std::move(is_so));
  const auto limit = deadline - now().steady;
  try {
    co_await with_deadline(limit, std::move(waiting));
  } catch (const TimedOut&) {
    // The caller checks whether it is stored.
  }
}

asio::awaitable<void> EventOutbox::settled() {
  auto is_stored = [this, goal = put_] { return stored_ >= goal; };
  return wait_until(std::move(is_stored));
}

asio::awaitable<Result<void>> EventOutbox::stored_by(SteadyTime deadline) {
  const std::uint64_t goal = put_;
  std::function<bool()> is_stored = [this, goal] { return stored_ >= goal; };
  co_await wait_by(deadline, std::move(is_stored));
  if (stored_ >= goal) co_return Result<void>();
  if (has_given_up_) co_return given_up();
  Error late{
      .kind = failure() ? failure()->kind : ErrorKind::kJournalBusy,
      .message = failure() ? failure()->message : "the journal did not store the command in time",
      .hint = "retry with the same request_id; the command is stored as soon as possible"};
  co_return late;
}

asio::awaitable<Result<void>> EventOutbox::writable_by(SteadyTime deadline) {
  if (has_given_up_) co_return given_up();
  if (!failure()) co_return Result<void>();
  std::function<bool()> is_writable = [this] { return !failure(); };
  co_await wait_by(deadline, std::move(is_writable));
  if (has_given_up_) co_return given_up();
  if (!failure()) co_return Result<void>();
  Error refusal{.kind = failure()->kind,
                .message = failure()->message,
                .hint = "check the disk of --data-dir, then retry; the command had no effect"};
  co_return refusal;
}

void EventOutbox::close() {
  if (phase_ == Phase::kOpen) phase_ = Phase::kClosing;
  writer_.hurry();
}

Error EventOutbox::given_up() const {
  if (is_overtaken()) return taken_over(session_id_);
  return {.kind = ErrorKind::kStopping,
          .message = "the command was not stored before the session was stopped: " +
                     (failure() ? failure()->message : "its writer failed"),
          .hint = "retry after the restart"};
}

}  // namespace oriel
