#include "supervisor/sessions/event_outbox.h"

#include "base/failpoint.h"
#include "runtime/deadline.h"
#include "supervisor/now.h"
#include "supervisor/turn_documents.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kMaxPause{2000};

// Deltas are too frequent to store the state with each of them, and do not change it.
bool changes_state(const std::vector<SessionEvent>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const SessionEvent& event) { return event.type() != EventType::kDelta; });
}

// Without memory nothing is moved.
template <class T>
void move_all(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

EventOutbox::EventOutbox(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
                         const std::string& session_id, DocumentSource document)
    : owner_("session " + session_id),
      document_(std::move(document)),
      waiting_changed_(shard),
      stored_changed_(shard),
      writer_(shard, journal, failures,
              {.first_pause = kFirstPause,
               .max_pause = kMaxPause,
               .gives_up = [this](const Error& failure) { return is_hopeless(failure); }}) {}

void EventOutbox::put(SessionStep& step) {
  std::vector<Document> documents = to_documents(step.turns);
  const std::size_t count = step.events.size();
  move_all(step.events, waiting_.events);
  put_ += count;
  move_all(documents, waiting_.documents);
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
    while (batch_.is_empty() && waiting_.is_empty())
      co_await waiting_changed_.wait();
    ORIEL_FAILPOINT(kOutboxBefore);
    const bool is_stored = co_await writer_.write(owner_, next_batch);
    if (!is_stored) co_return;
    ORIEL_FAILPOINT(kOutboxAfter);
    stored_ += batch_.events.size();
    batch_ = {};
    stored_changed_.notify();
  }
}

void EventOutbox::give_up() {
  has_given_up_ = true;
  stored_changed_.notify();
}

// All that waits goes together, so that the document never lacks a request that is stored.
JournalBatch EventOutbox::next_batch() {
  if (phase_ == Phase::kClosing) phase_ = Phase::kLastAttempt;
  move_all(waiting_.events, batch_.events);
  move_all(waiting_.documents, batch_.documents);
  JournalBatch batch = batch_;
  if (changes_state(batch.events)) batch.documents.push_back(document_());
  return batch;
}

// A busy journal has no fault: its queue empties.
bool EventOutbox::is_hopeless(const Error& failure) const {
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
    // The caller looks at the result.
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
  return {.kind = ErrorKind::kStopping,
          .message = "the command was not stored before the session was stopped: " +
                     (failure() ? failure()->message : "its writer failed"),
          .hint = "retry after the restart"};
}

}  // namespace oriel
