#include "journal/local_log.h"

#include "journal/append_errors.h"

#include <utility>

namespace oriel {

// Moves from its arguments if it accepts them.
Result<void> LocalLog::offer(Proposal& proposal, AppendHandler& handler) {
  const std::size_t bytes = proposal.bytes();
  {
    const MutexLock lock(mutex_);
    if (is_stopping_) return journal_stopping();
    // An empty queue accepts a proposal of any size, or a very large one could never be stored.
    if (!queue_.empty() && queued_bytes_ + bytes > options_.max_queued_bytes) return journal_busy();
    queued_bytes_ += bytes;
    queue_.push_back({.proposal = std::move(proposal), .handler = std::move(handler)});
  }
  wake_.notify_one();
  return {};
}

std::optional<std::vector<Entry>> LocalLog::take(SteadyTime until) {
  const MutexLock lock(mutex_);
  while (queue_.empty() && !is_stopping_ && wake_.wait_until(mutex_, until)) {
  }
  if (queue_.empty() && is_stopping_) return std::nullopt;
  return take_batch();
}

// Whole proposals, up to the limit of one transaction.
std::vector<Entry> LocalLog::take_batch() {
  std::vector<Entry> entries;
  if (queue_.empty()) return entries;
  Entry& entry = entries.emplace_back();
  taken_.clear();
  std::size_t records = 0;
  auto end = queue_.begin();
  while (end != queue_.end() && records < options_.max_batch_records) {
    records += end->proposal.records.size();
    queued_bytes_ -= end->proposal.bytes();
    entry.proposals.push_back(std::move(end->proposal));
    taken_.push_back(std::move(end->handler));
    ++end;
  }
  queue_.erase(queue_.begin(), end);
  return entries;
}

std::vector<AppendHandler> LocalLog::handlers_of(const Entry&) {
  return std::exchange(taken_, {});
}

void LocalLog::stop() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
}

}  // namespace oriel
