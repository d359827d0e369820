#include "supervisor/retrying_writer.h"

#include "base/log.h"
#include "supervisor/now.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// A failure that repeats at once must not keep the shard from its other work.
constexpr std::chrono::milliseconds kHurriedPause{1};

}  // namespace

RetryingWriter::RetryingWriter(asio::any_io_executor shard, Journal& journal, FailureLog& failures,
                               RetryPolicy policy)
    : journal_(journal), failures_(failures), policy_(std::move(policy)), timer_(shard) {}

asio::awaitable<bool> RetryingWriter::write(const std::string& owner,
                                            const BatchSource& next_batch) {
  std::chrono::milliseconds pause = policy_.first_pause;
  while (true) {
    Attempt attempt = co_await try_once(next_batch);
    failure_ = std::move(attempt.failure);
    if (!failure_) co_return true;
    if (policy_.gives_up(*failure_)) {
      // In a cluster: whoever owns what the batch describes stores it.
      if (failure_->kind == ErrorKind::kOvertaken) co_return false;
      log()->error("{}: {} events and {} documents are given up: {}", owner, attempt.events,
                   attempt.documents, failure_->message);
      co_return false;
    }
    report(owner, attempt);
    timer_.expires_after(is_hurried_ ? kHurriedPause : pause);
    pause = std::min(2 * pause, policy_.max_pause);
    co_await timer_.async_wait(kNoThrow);
  }
}

// Lack of memory is a failure, too.
asio::awaitable<RetryingWriter::Attempt> RetryingWriter::try_once(const BatchSource& next_batch) {
  Attempt attempt;
  try {
    auto making = next_batch();
    Proposal batch = co_await std::move(making);
    attempt.events = batch.records.size();
    attempt.documents = batch.documents.size();
    auto appending = journal_.append(std::move(batch));
    const auto stored = co_await std::move(appending);
    if (!stored) attempt.failure = stored.error();
  } catch (const std::exception& thrown) {
    attempt.failure.emplace();
    attempt.failure->kind = ErrorKind::kJournalFailed;
    attempt.failure->message = std::string("the event was not stored: ") + thrown.what();
  }
  co_return attempt;
}

void RetryingWriter::report(const std::string& owner, const Attempt& failed) {
  const auto left_out = failures_.admit(failure_->message, now().steady);
  if (!left_out) return;
  log()->error("{}: {} events and {} documents wait: {}{}", owner, failed.events, failed.documents,
               failure_->message, FailureLog::note(*left_out));
}

void RetryingWriter::hurry() {
  is_hurried_ = true;
  timer_.cancel();
}

}  // namespace oriel
