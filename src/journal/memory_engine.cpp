#include "journal/memory_engine.h"

#include "base/id.h"
#include "base/mutex.h"
#include "journal/pages/page_builder.h"
#include "journal/record_log.h"
#include "journal/record_queue.h"

#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <queue>
#include <unordered_map>

namespace oriel {
namespace {

constexpr std::size_t kMaxScanned = 8192;  // records examined for one page
constexpr std::size_t kMaxSlice = 500;     // records that apply_retention() removes at once
constexpr std::uint64_t kIdleShare = 8;    // sessions without records may take 1/8 of the bytes

struct Session {
  RecordQueue records;
  std::uint64_t next_index = 0;
  Sequence last_evicted = kNoSequence;
  std::list<const std::string*>::iterator idle_position;  // valid while it has no records

  std::uint64_t evicted() const { return next_index - records.size(); }
};

using Sessions = std::unordered_map<std::string, Session>;

// Includes an estimate of the containers' overhead.
std::uint64_t cost_of(const Record& record) {
  constexpr std::uint64_t kControlBlock = 16;
  return record.bytes() + kControlBlock + 2 * sizeof(RecordPtr);
}

std::uint64_t cost_of(const std::string& session_name) {
  constexpr std::uint64_t kNodes = 64;
  return sizeof(Sessions::value_type) + kNodes + session_name.size();
}

// One mutex guards everything: the journal's thread writes, the reader's thread reads, and every
// shard calls head(), oldest() and missed_after(). It is held for microseconds, never across I/O.
class MemoryEngine final : public JournalEngine {
 public:
  explicit MemoryEngine(MemoryEngineOptions options) : options_(options) {}

  const std::string& epoch() const override { return epoch_; }

  Sequence head() const override;
  Sequence oldest() const override;
  std::uint64_t missed_after(Sequence sequence) const override;

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override;

  bool apply_retention(WallTime now) override;
  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override;

  Page read(const ReadQuery& query) override;
  SessionPage read_session(const SessionQuery& query) override;
  std::string document(const std::string& key) override;
  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) override;

 private:
  // The next record of one of several sessions that are merged.
  struct Next {
    const RecordQueue* records;
    std::size_t position;

    const RecordPtr& record() const { return (*records)[position]; }

    bool operator>(const Next& other) const {
      return record()->sequence > other.record()->sequence;
    }
  };

  bool is_over_bytes() const REQUIRES(mutex_);
  Session& open_session(const std::string& name) REQUIRES(mutex_);
  void append(const std::shared_ptr<Record>& record) REQUIRES(mutex_);
  void evict(RecordPtr record) REQUIRES(mutex_);
  void make_idle(Sessions::iterator session) REQUIRES(mutex_);
  Page scan(const ReadQuery& query, Sequence until) REQUIRES(mutex_);
  Page merge(const ReadQuery& query, Sequence until) REQUIRES(mutex_);

  const MemoryEngineOptions options_;
  const std::string epoch_ = random_id();

  mutable Mutex mutex_;
  Sequence head_ GUARDED_BY(mutex_) = kNoSequence;
  RecordLog records_ GUARDED_BY(mutex_);  // always contains the newest
  Sessions sessions_ GUARDED_BY(mutex_);
  // Sessions without records, longest idle first.
  std::list<const std::string*> idle_ GUARDED_BY(mutex_);
  std::uint64_t idle_bytes_ GUARDED_BY(mutex_) = 0;
  std::uint64_t bytes_ GUARDED_BY(mutex_) = 0;  // records and sessions, without the log's slots
  // Bounded by their writers.
  std::map<std::string, std::string, std::less<>> documents_ GUARDED_BY(mutex_);
};

Sequence MemoryEngine::head() const {
  const MutexLock lock(mutex_);
  return head_;
}

Sequence MemoryEngine::oldest() const {
  const MutexLock lock(mutex_);
  return records_.size() == 0 ? head_ + 1 : records_.front()->sequence;
}

std::uint64_t MemoryEngine::missed_after(Sequence sequence) const {
  const MutexLock lock(mutex_);
  if (sequence >= head_) return 0;
  return head_ - sequence - records_.count_after(sequence);
}

void MemoryEngine::commit(std::span<const std::shared_ptr<Record>> records,
                          std::span<const Document> documents) {
  const MutexLock lock(mutex_);
  for (const std::shared_ptr<Record>& record : records)
    append(record);
  for (const Document& document : documents) {
    if (document.value.empty()) {
      documents_.erase(document.key);
    } else {
      documents_[document.key] = document.value;
    }
  }
}

void MemoryEngine::append(const std::shared_ptr<Record>& record) {
  record->sequence = ++head_;
  record->index = 0;
  Session* session = nullptr;
  if (!record->session_id.empty()) {
    session = &open_session(record->session_id);
    record->index = session->next_index++;
    session->records.push_back(record);
  }
  records_.push_back(record);
  bytes_ += cost_of(*record);

  const std::uint64_t max_in_session = std::max<std::uint64_t>(1, options_.max_events_per_session);
  if (session != nullptr && session->records.size() > max_in_session)
    evict(session->records.front());
  while (is_over_bytes() && records_.size() > 1)
    evict(records_.front());
}

bool MemoryEngine::is_over_bytes() const {
  return bytes_ + records_.slot_bytes() > options_.max_bytes;
}

Session& MemoryEngine::open_session(const std::string& name) {
  const auto [found, is_new] = sessions_.try_emplace(name);
  Session& session = found->second;
  if (is_new) {
    bytes_ += cost_of(name);
  } else if (session.records.empty()) {
    idle_.erase(session.idle_position);
    idle_bytes_ -= cost_of(name);
  }
  return session;
}

// The record is the oldest of its session: the oldest of all records always is. It is a copy,
// because what holds it is erased.
void MemoryEngine::evict(RecordPtr record) {
  bytes_ -= cost_of(*record);
  records_.erase(record->sequence);
  if (record->session_id.empty()) return;

  const auto session = sessions_.find(record->session_id);
  session->second.records.pop_front();
  session->second.last_evicted = record->sequence;
  if (session->second.records.empty()) make_idle(session);
}

// Keeps the session's next index. The longest idle sessions are evicted beyond their share of the
// bytes; they would count from 0 again.
void MemoryEngine::make_idle(Sessions::iterator session) {
  session->second.idle_position = idle_.insert(idle_.end(), &session->first);
  idle_bytes_ += cost_of(session->first);
  while (idle_bytes_ > options_.max_bytes / kIdleShare) {
    const std::uint64_t cost = cost_of(*idle_.front());
    idle_bytes_ -= cost;
    bytes_ -= cost;
    sessions_.erase(sessions_.find(*idle_.front()));
    idle_.pop_front();
  }
}

bool MemoryEngine::apply_retention(WallTime now) {
  return remove_aged(now, kMaxSlice) == kMaxSlice;
}

std::uint64_t MemoryEngine::remove_aged(WallTime now, std::uint64_t max_records) {
  const MutexLock lock(mutex_);
  if (options_.max_age.count() == 0) return 0;
  std::uint64_t removed = 0;
  // From the front only: the first record that is young enough stops it.
  while (removed < max_records && records_.size() > 1 &&
         records_.front()->time < now - options_.max_age) {
    evict(records_.front());
    ++removed;
  }
  return removed;
}

Page MemoryEngine::read(const ReadQuery& query) {
  const MutexLock lock(mutex_);
  const Sequence until = std::min(query.until, head_);
  if (query.after >= until) return {.records = {}, .scanned_until = query.after, .missed = 0};
  return query.filter.sessions.empty() ? scan(query, until) : merge(query, until);
}

Page MemoryEngine::scan(const ReadQuery& query, Sequence until) {
  PageBuilder records(query.max_records, query.max_bytes);
  Page page{.records = {}, .scanned_until = until, .missed = 0};
  std::size_t scanned = 0;
  for (auto slot = records_.after(query.after); slot != records_.end() && slot->sequence <= until;
       ++slot) {
    if (!slot->record) continue;
    const bool is_wanted = query.filter.matches(*slot->record);
    if (scanned == kMaxScanned || (is_wanted && !records.add(slot->record))) {
      page.scanned_until = slot->sequence - 1;
      break;
    }
    ++scanned;
  }
  page.records = records.take();
  page.missed = page.scanned_until - query.after - scanned;
  return page;
}

// The evicted records of a session count as missed in the page that passes the last of them. For a
// reader that starts between them this is an upper bound.
Page MemoryEngine::merge(const ReadQuery& query, Sequence until) {
  std::vector<const Session*> sessions;
  for (const std::string& name : query.filter.sessions) {
    const auto found = sessions_.find(name);
    if (found != sessions_.end()) sessions.push_back(&found->second);
  }
  std::sort(sessions.begin(), sessions.end());
  sessions.erase(std::unique(sessions.begin(), sessions.end()), sessions.end());

  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto is_before = [](Sequence value, const RecordPtr& record) {
    return value < record->sequence;
  };
  for (const Session* session : sessions) {
    const auto first =
        std::upper_bound(session->records.begin(), session->records.end(), query.after, is_before);
    const auto position = static_cast<std::size_t>(first - session->records.begin());
    if (first != session->records.end())
      next.push({.records = &session->records, .position = position});
  }

  PageBuilder records(query.max_records, query.max_bytes);
  Page page{.records = {}, .scanned_until = until, .missed = 0};
  for (std::size_t scanned = 0; !next.empty(); ++scanned) {
    Next candidate = next.top();
    const RecordPtr& record = candidate.record();
    if (record->sequence > until) break;
    const bool is_wanted = query.filter.matches(*record);
    if (scanned == kMaxScanned || (is_wanted && !records.add(record))) {
      page.scanned_until = record->sequence - 1;
      break;
    }
    next.pop();
    if (++candidate.position < candidate.records->size()) next.push(candidate);
  }
  page.records = records.take();
  for (const Session* session : sessions) {
    const Sequence last = session->last_evicted;
    if (last <= query.after || last > page.scanned_until) continue;
    page.missed += std::min(session->evicted(), last - query.after);
  }
  return page;
}

SessionPage MemoryEngine::read_session(const SessionQuery& query) {
  const MutexLock lock(mutex_);
  const auto found = sessions_.find(query.session_id);
  if (found == sessions_.end()) return {};
  const Session& session = found->second;
  SessionPage page{.records = {},
                   .oldest_index = static_cast<std::int64_t>(session.evicted()),
                   .last_index = static_cast<std::int64_t>(session.next_index) - 1,
                   .scanned_until = static_cast<std::int64_t>(session.next_index) - 1};
  if (query.after_index >= page.last_index) return page;

  const EventFilter filter{.types = query.types, .projects = {}, .sessions = {}};
  PageBuilder records(query.max_records, query.max_bytes);
  const std::int64_t first = std::max(query.after_index + 1, page.oldest_index);
  page.scanned_until = first - 1;
  for (std::size_t scanned = 0; scanned < kMaxScanned; ++scanned) {
    const auto position = static_cast<std::size_t>(page.scanned_until + 1 - page.oldest_index);
    if (position == session.records.size()) break;
    const RecordPtr& record = session.records[position];
    if (filter.matches(*record) && !records.add(record)) break;
    ++page.scanned_until;
  }
  page.records = records.take();
  return page;
}

std::string MemoryEngine::document(const std::string& key) {
  const MutexLock lock(mutex_);
  const auto found = documents_.find(key);
  return found == documents_.end() ? std::string() : found->second;
}

std::string MemoryEngine::visit_documents(const DocumentQuery& query,
                                          const DocumentVisitor& visit) {
  const MutexLock lock(mutex_);
  auto next = documents_.lower_bound(std::max(query.prefix, query.after));
  if (next != documents_.end() && next->first == query.after) ++next;
  for (std::size_t visited = 0; visited < query.max_documents && next != documents_.end() &&
                                next->first.starts_with(query.prefix);
       ++next, ++visited) {
    visit(next->first, next->second);
  }
  return {};
}

}  // namespace

std::unique_ptr<JournalEngine> make_memory_engine(MemoryEngineOptions options) {
  return std::make_unique<MemoryEngine>(options);
}

}  // namespace oriel
