#include "journal/journal.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "journal/to_record.h"
#include "runtime/run_or_abort.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kMutantDelay{20};  // lets early acknowledgements be sent
constexpr std::uint64_t kMaxDoubtfulSlice = 500;       // records: a millisecond or two

Error journal_busy() {
  return {.kind = ErrorKind::kJournalBusy,
          .message = "the journal's queue of events to store is full",
          .hint = "retry after a second"};
}

Error journal_failed(const std::string& reason) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + reason,
          .hint = "check the disk of --data-dir, then send the event again"};
}

Error journal_lost(const std::string& reason) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + reason,
          .hint = "check the disk of --data-dir and restart the server, then send the event again"};
}

}  // namespace

Journal::Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options)
    : engine_(std::move(engine)),
      options_(std::move(options)),
      retention_clock_(now(), engine_->newest_time()) {
  if (const auto damage = engine_->opening_damage()) health_.damaged(*damage);
}

Journal::~Journal() {
  stop();
}

void Journal::on_commit(Listener listener) {
  listener_ = std::move(listener);
}

void Journal::start() {
  const auto work = [this] { run_or_abort("journal", [this] { run(); }); };
  thread_ = std::thread(work);
  pthread_setname_np(thread_.native_handle(), "journal");
}

void Journal::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

asio::awaitable<Journal::AppendResult> Journal::append(std::vector<SessionEvent> events,
                                                       std::vector<Document> documents) {
  const auto executor = co_await asio::this_coro::executor;
  Append append{
      .records = {}, .documents = std::move(documents), .executor = executor, .complete = {}};
  append.records.reserve(events.size());
  for (SessionEvent& event : events)
    append.records.push_back(to_record(std::move(event)));

  auto start = [this](auto handler, Append queued) {
    // Shared, because std::function must be copyable and the handler is not.
    auto once = std::make_shared<decltype(handler)>(std::move(handler));
    queued.complete = [once](AppendResult result) { std::move (*once)(std::move(result)); };
    enqueue(std::move(queued));
  };
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(AppendResult)>(
      start, asio::use_awaitable, std::move(append));
}

std::size_t Journal::bytes_of(const Append& append) {
  std::size_t bytes = 0;
  for (const auto& record : append.records)
    bytes += record->bytes();
  for (const Document& document : append.documents)
    bytes += document.key.size() + document.value.size();
  return bytes;
}

void Journal::enqueue(Append append) {
  if (accept(append)) {
    wake_.notify_one();
  } else {
    complete(std::move(append), journal_busy());
  }
}

// Moves the append into the queue unless that is full.
bool Journal::accept(Append& append) {
  const std::size_t bytes = bytes_of(append);
  const MutexLock lock(mutex_);
  // An empty queue accepts an append of any size, or a very large one could never be stored.
  if (!queue_.empty() && queued_bytes_ + bytes > options_.max_queued_bytes) return false;
  queued_bytes_ += bytes;
  queue_.push_back(std::move(append));
  return true;
}

// Resumes the appender on its own shard.
void Journal::complete(Append append, AppendResult result) {
  auto resume = [handler = std::move(append.complete), result = std::move(result)]() mutable {
    handler(std::move(result));
  };
  asio::post(append.executor, std::move(resume));
}

// Reads on the reader's thread, and reports what cannot be read.
template <class Read>
auto Journal::read_stored(Read read) {
  try {
    return read();
  } catch (const StorageDamage& failure) {
    health_.damaged(failure.what());
    throw;
  }
}

template <class Query, class ItsPage>
asio::awaitable<ItsPage> Journal::read_page(Query query,
                                            ItsPage (JournalEngine::*read)(const Query&)) {
  auto work = [this, query = std::move(query), read] {
    ItsPage page = read_stored([&] { return (engine_.get()->*read)(query); });
    if (page.damaged != kNoSequence)
      health_.damaged("event " + std::to_string(page.damaged) + " is missing or was changed");
    if (page.has_damaged_index) health_.damaged("the index of the events by session");
    return page;
  };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<Page> Journal::read(ReadQuery query) {
  return read_page(std::move(query), &JournalEngine::read);
}

asio::awaitable<SessionPage> Journal::read_session(SessionQuery query) {
  return read_page(std::move(query), &JournalEngine::read_session);
}

void Journal::visit_stored(const std::string& prefix, const DocumentVisitor& visit) {
  const std::string damaged = read_stored([&] { return engine_->visit_documents(prefix, visit); });
  if (!damaged.empty()) health_.damaged("the document " + damaged + " was changed");
}

asio::awaitable<std::vector<Document>> Journal::read_documents(std::string prefix) {
  auto work = [this, prefix = std::move(prefix)] {
    std::vector<Document> found;
    visit_stored(prefix, [&found](std::string_view key, std::string_view value) {
      found.push_back({.key = std::string(key), .value = std::string(value)});
    });
    return found;
  };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<void> Journal::visit_documents(std::string prefix, DocumentVisitor visit) {
  auto work = [this, prefix = std::move(prefix), visit = std::move(visit)] {
    visit_stored(prefix, visit);
  };
  co_await reader_.run(std::move(work));
}

JournalCounts Journal::counts() const {
  return {.appended = appended_.load(std::memory_order_relaxed),
          .commits = commits_.load(std::memory_order_relaxed),
          .failures = failures_.load(std::memory_order_relaxed)};
}

// Waits for an append or the deadline. Returns false when the journal stops and its queue is empty.
bool Journal::wait_until(std::chrono::steady_clock::time_point deadline) {
  const MutexLock lock(mutex_);
  while (queue_.empty() && !stopping_ && wake_.wait_until(mutex_, deadline)) {
  }
  return !queue_.empty() || !stopping_;
}

void Journal::run() {
  using Clock = std::chrono::steady_clock;
  auto retention_due = Clock::now();
  while (wait_until(retention_due)) {
    const bool is_due = Clock::now() >= retention_due;
    // Before the commit: what a lost file takes is lost.
    if (is_due) check_storage();
    std::vector<Append> batch = take_batch();
    if (!batch.empty()) commit(std::move(batch));
    if (!is_due) continue;
    const bool has_more = apply_retention();
    // The rest is removed after the next commits, so that appends never wait long for it.
    retention_due = Clock::now();
    if (!has_more) retention_due += options_.retention_interval;
  }
}

// Whole appends, up to the limit of one commit.
std::vector<Journal::Append> Journal::take_batch() {
  const MutexLock lock(mutex_);
  std::size_t records = 0;
  auto end = queue_.begin();
  while (end != queue_.end() && records < options_.max_commit_records) {
    records += end->records.size();
    queued_bytes_ -= bytes_of(*end);
    ++end;
  }
  std::vector<Append> batch(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
  queue_.erase(queue_.begin(), end);
  return batch;
}

void Journal::check_storage() {
  if (const auto reason = engine_->loss()) health_.lost(*reason);
}

void Journal::refuse(std::vector<Append> batch, const Error& error) {
  failures_.fetch_add(1, std::memory_order_relaxed);
  for (Append& append : batch)
    complete(std::move(append), error);
}

void Journal::commit(std::vector<Append> batch) {
  if (const auto loss = health_.loss()) {
    refuse(std::move(batch), journal_lost(*loss));
    return;
  }
  std::vector<std::shared_ptr<Record>> records;
  std::vector<Document> documents;
  for (Append& append : batch) {
    records.insert(records.end(), append.records.begin(), append.records.end());
    std::move(append.documents.begin(), append.documents.end(), std::back_inserter(documents));
  }
  const auto acknowledge = [&batch] {
    for (Append& append : std::exchange(batch, {})) {
      std::vector<RecordPtr> own(append.records.begin(), append.records.end());
      complete(std::move(append), std::move(own));
    }
  };
  if (ORIEL_MUTANT(kAcknowledgeEarly)) {
    Sequence next = engine_->head();
    for (const std::shared_ptr<Record>& record : records)
      record->sequence = ++next;
    acknowledge();
    std::this_thread::sleep_for(kMutantDelay);
  }
  try {
    ORIEL_FAILPOINT(kWriteBefore);
    engine_->commit(records, documents);
  } catch (const StorageLoss& loss) {
    health_.lost(loss.what());
    refuse(std::move(batch), journal_lost(loss.what()));
    return;
  } catch (const std::exception& failure) {
    health_.commit_failed(failure.what(), records.size());
    refuse(std::move(batch), journal_failed(failure.what()));
    return;
  }
  health_.committed();
  appended_.fetch_add(records.size(), std::memory_order_relaxed);
  commits_.fetch_add(1, std::memory_order_relaxed);
  const std::vector<RecordPtr> committed(records.begin(), records.end());
  ORIEL_FAILPOINT(kAnnounceBefore);
  if (listener_ && !committed.empty()) listener_(committed);
  ORIEL_FAILPOINT(kAnnounceAfter);
  acknowledge();
}

// Removes a slice; true if there is more to remove.
bool Journal::apply_retention() {
  if (health_.loss()) return false;
  try {
    const bool has_more = remove_old();
    health_.retained();
    return has_more;
  } catch (const StorageLoss& loss) {
    health_.lost(loss.what());
    return false;
  } catch (const std::exception& failure) {
    health_.retention_failed(failure.what());
    return false;
  }
}

Moment Journal::now() const {
  return {.wall = options_.clock(), .steady = options_.steady_clock()};
}

bool Journal::remove_old() {
  const std::uint64_t stored = engine_->head() + 1 - engine_->oldest();
  if (retention_clock_.advance(now(), stored)) {
    log()->warn(
        "journal: the clock is at {}, expected {}; until it is corrected, at most {} % of the "
        "events are removed per hour",
        format_time(retention_clock_.wall()), format_time(retention_clock_.trusted()),
        kDoubtfulPercentPerHour);
  }
  if (engine_->apply_retention(retention_clock_.trusted())) return true;
  remove_doubtful();
  return false;
}

// Lets retention catch up slowly with a clock that jumped, in case it is right.
void Journal::remove_doubtful() {
  const std::uint64_t allowed = std::min(retention_clock_.allowance(), kMaxDoubtfulSlice);
  if (allowed == 0) return;
  const std::uint64_t removed = engine_->remove_aged(retention_clock_.wall(), allowed);
  retention_clock_.removed(removed);
  if (removed == allowed) return;
  log()->info("journal: retention follows the clock again");
  retention_clock_.trust();
}

}  // namespace oriel
