#include "cluster/log/append_queue.h"

#include "cluster/entry_codec.h"
#include "journal/append_errors.h"

#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxEntryBytes = kMaxParts * kMaxPartBytes;
constexpr std::size_t kPairOverhead = 16;  // at least what the lengths of two texts take

// At least the size of its encoding, which leaves out what Proposal::bytes() counts of a record.
std::size_t encoded_bound(const Proposal& proposal) {
  const std::size_t pairs = proposal.documents.size() + proposal.guards.size();
  return proposal.bytes() + (pairs + 2) * kPairOverhead;
}

Error too_large(std::size_t bytes) {
  return {.kind = ErrorKind::kBodyTooLarge,
          .message = "the event was not stored: it has about " + std::to_string(bytes) +
                     " bytes, and a cluster stores at most " + std::to_string(kMaxEntryBytes) +
                     " at once",
          .hint = "send less at once"};
}

}  // namespace

Result<void> AppendQueue::offer(Proposal& proposal, AppendHandler& handler) {
  const std::size_t bytes = encoded_bound(proposal);
  if (bytes > kMaxEntryBytes) return too_large(bytes);
  if (bytes_ > 0 && bytes_ + bytes > options_.max_bytes) return journal_busy();
  bytes_ += bytes;
  waiting_bytes_ += bytes;
  waiting_.push_back(
      {.proposal = std::move(proposal), .handler = std::move(handler), .bytes = bytes});
  return {};
}

bool AppendQueue::has_full_group() const {
  return waiting_.size() >= options_.max_group || waiting_bytes_ >= options_.max_group_bytes;
}

std::vector<Proposal> AppendQueue::group(std::uint64_t number) {
  std::vector<Proposal> proposals;
  UnderWay& entry = under_way_[number];
  while (!waiting_.empty() && proposals.size() < options_.max_group) {
    Waiting& next = waiting_.front();
    // A large append goes on its own.
    if (!proposals.empty() && entry.bytes + next.bytes > options_.max_group_bytes) break;
    entry.bytes += next.bytes;
    waiting_bytes_ -= next.bytes;
    proposals.push_back(std::move(next.proposal));
    entry.handlers.push_back(std::move(next.handler));
    waiting_.pop_front();
  }
  return proposals;
}

std::vector<AppendHandler> AppendQueue::handlers_of(std::uint64_t number) {
  auto node = under_way_.extract(number);
  if (node.empty()) return {};
  bytes_ -= node.mapped().bytes;
  return std::move(node.mapped().handlers);
}

std::vector<AppendHandler> AppendQueue::take_under_way() {
  std::vector<AppendHandler> handlers;
  for (auto& [number, entry] : under_way_) {
    std::move(entry.handlers.begin(), entry.handlers.end(), std::back_inserter(handlers));
    bytes_ -= entry.bytes;
  }
  under_way_.clear();
  return handlers;
}

std::vector<AppendHandler> AppendQueue::clear() {
  std::vector<AppendHandler> handlers = take_under_way();
  for (Waiting& each : waiting_)
    handlers.push_back(std::move(each.handler));
  waiting_.clear();
  waiting_bytes_ = 0;
  bytes_ = 0;
  return handlers;
}

}  // namespace oriel
