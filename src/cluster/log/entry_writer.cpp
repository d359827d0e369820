#include "cluster/log/entry_writer.h"

#include "base/text/json_access.h"
#include "cluster/entry_codec.h"
#include "journal/append_errors.h"

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kEagerEntries = 8;  // with more under way, appends wait to be grouped
constexpr int kMessagesPerTurn = 256;     // published before anything else has its turn

}  // namespace

EntryWriter::EntryWriter(NatsConnection& connection, Wakeup& wakeup, EntryWriterOptions options)
    : connection_(connection),
      wakeup_(wakeup),
      options_(std::move(options)),
      author_(options_.author),
      queue_({.max_bytes = options_.max_queued_bytes}),
      window_({}) {}

Result<void> EntryWriter::offer(Proposal& proposal, AppendHandler& handler) {
  {
    const MutexLock lock(mutex_);
    if (is_stopping_) return journal_stopping();
    if (const auto taken = queue_.offer(proposal, handler); !taken) return taken;
    if (!may_group()) return {};
  }
  wakeup_.wake();
  return {};
}

std::vector<AppendHandler> EntryWriter::handlers_of(const Entry& entry) {
  const MutexLock lock(mutex_);
  if (entry.author != author_) return {};
  return queue_.handlers_of(entry.number);
}

bool EntryWriter::may_group() const {
  if (!queue_.has_waiting() || !window_.has_room()) return false;
  return window_.size() < kEagerEntries || queue_.has_full_group();
}

bool EntryWriter::publish_due(bool is_silent) {
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    make_entry(is_silent);
    std::shared_ptr<const PublishWindow::Sending> next;
    {
      const MutexLock lock(mutex_);
      next = window_.next(Clock::now());
    }
    if (!next) return false;
    if (publish(*next)) continue;
    const MutexLock lock(mutex_);
    window_.unsent(*next, Clock::now());
    return false;
  }
  return true;
}

void EntryWriter::make_entry(bool is_silent) {
  std::vector<Proposal> proposals;
  std::string author;
  std::uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    if (!may_group() && !(is_silent && window_.size() == 0)) return;
    author = author_;
    number = next_number_++;
    proposals = queue_.group(number);
  }
  auto messages = encode_entry(author, number, encode_proposals(proposals));
  const MutexLock lock(mutex_);
  if (author == author_) window_.add(number, std::move(messages), Clock::now());
}

bool EntryWriter::publish(const PublishWindow::Sending& sending) {
  set_attempt(*sending.message, sending.attempt);
  return connection_.publish(options_.subject, *sending.message,
                             options_.ack_subject + "." + std::to_string(sending.attempt));
}

SteadyTime EntryWriter::due() const {
  const MutexLock lock(mutex_);
  return window_.due();
}

std::optional<std::uint64_t> EntryWriter::answered(std::uint32_t attempt,
                                                   const NatsMessage& message) {
  const json::object body = parse_object(message.body);
  const auto place = number_of(member(body, "seq"));
  const bool is_stored = place && *place > 0 && !body.contains("error");
  {
    const MutexLock lock(mutex_);
    if (is_stored) {
      window_.acknowledged(Clock::now());
      refusal_.clear();
      return static_cast<std::uint64_t>(*place);
    }
    window_.refused(attempt, Clock::now());
    refusal_ = message.is_no_responders ? "its stream has no leader, or does not exist"
                                        : text_at(body, "error", "description");
  }
  wakeup_.wake();
  return std::nullopt;
}

void EntryWriter::note(const OwnEntries& own) {
  if (own.is_empty()) return;
  const auto now = Clock::now();
  {
    const MutexLock lock(mutex_);
    if (own.life != life_) return;
    for (const std::uint64_t number : own.stored)
      window_.stored(number, now);
    if (own.passed_over) window_.passed_over(*own.passed_over, now);
    if (!own.passed_over && !may_group()) return;
  }
  wakeup_.wake();
}

void EntryWriter::reconnected(SteadyTime now) {
  const MutexLock lock(mutex_);
  window_.reconnected(now);
}

void EntryWriter::begin_again(std::string author) {
  std::vector<AppendHandler> handlers;
  {
    const MutexLock lock(mutex_);
    author_ = std::move(author);
    ++life_;
    next_number_ = 1;
    window_.clear();
    handlers = queue_.take_under_way();
  }
  for (const AppendHandler& handler : handlers)
    handler(journal_unordered("this node was away from the log for too long"));
  wakeup_.wake();
}

void EntryWriter::stop(SteadyTime deadline) {
  {
    const MutexLock lock(mutex_);
    if (is_stopping_) return;
    is_stopping_ = true;
    stop_at_ = deadline;
  }
  wakeup_.wake();
}

bool EntryWriter::is_finished() {
  std::vector<AppendHandler> left;
  {
    const MutexLock lock(mutex_);
    if (!is_stopping_) return false;
    if (queue_.is_empty()) return true;
    if (Clock::now() < stop_at_) return false;
    left = queue_.clear();
  }
  for (const AppendHandler& handler : left)
    handler(journal_stopping());
  return true;
}

std::optional<std::string> EntryWriter::stall(SteadyTime now,
                                              std::chrono::milliseconds patience) const {
  const MutexLock lock(mutex_);
  const bool is_stalled = window_.waiting_since() < now - patience;
  if (!is_stalled) return std::nullopt;
  return "the log stores nothing" + (refusal_.empty() ? "" : ": " + refusal_);
}

std::uint64_t EntryWriter::repeated() const {
  const MutexLock lock(mutex_);
  return window_.repeated();
}

}  // namespace oriel
