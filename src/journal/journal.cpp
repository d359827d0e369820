#include "journal/journal.h"

#include "base/log.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

namespace oriel {
namespace {

std::shared_ptr<Record> to_record(SessionEvent event) {
  auto record = std::make_shared<Record>();
  record->body = serialize_body(event);
  record->time = event.timestamp;
  if (event.feed_type.empty()) {
    record->type = std::move(event.type);
  } else {
    record->type = std::move(event.feed_type);
    record->kind = std::move(event.type);
  }
  record->session_id = std::move(event.session_id);
  record->project_id = std::move(event.project_id);
  return record;
}

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

}  // namespace

Journal::Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options)
    : engine_(std::move(engine)), options_(std::move(options)) {}

Journal::~Journal() {
  stop();
}

void Journal::on_commit(Listener listener) {
  listener_ = std::move(listener);
}

void Journal::start() {
  thread_ = std::thread([this] { run(); });
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

asio::awaitable<Page> Journal::read(ReadQuery query) {
  auto work = [this, query = std::move(query)] { return engine_->read(query); };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<SessionPage> Journal::read_session(SessionQuery query) {
  auto work = [this, query = std::move(query)] { return engine_->read_session(query); };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<std::vector<Document>> Journal::read_documents(std::string prefix) {
  auto work = [this, prefix = std::move(prefix)] { return engine_->read_documents(prefix); };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<void> Journal::visit_documents(std::string prefix, DocumentVisitor visit) {
  auto work = [this, prefix = std::move(prefix), visit = std::move(visit)] {
    engine_->visit_documents(prefix, visit);
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
    std::vector<Append> batch = take_batch();
    if (!batch.empty()) commit(std::move(batch));
    if (Clock::now() < retention_due) continue;
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

void Journal::commit(std::vector<Append> batch) {
  std::vector<std::shared_ptr<Record>> records;
  std::vector<Document> documents;
  for (const Append& append : batch) {
    records.insert(records.end(), append.records.begin(), append.records.end());
    documents.insert(documents.end(), append.documents.begin(), append.documents.end());
  }
  try {
    engine_->commit(records, documents);
  } catch (const std::exception& failure) {
    failures_.fetch_add(1, std::memory_order_relaxed);
    log()->error("journal: {} events were not stored: {}", records.size(), failure.what());
    for (Append& append : batch)
      complete(std::move(append), journal_failed(failure.what()));
    return;
  }
  appended_.fetch_add(records.size(), std::memory_order_relaxed);
  commits_.fetch_add(1, std::memory_order_relaxed);
  const std::vector<RecordPtr> committed(records.begin(), records.end());
  if (listener_ && !committed.empty()) listener_(committed);
  for (Append& append : batch) {
    std::vector<RecordPtr> own(append.records.begin(), append.records.end());
    complete(std::move(append), std::move(own));
  }
}

// Removes a slice; true if there is more to remove.
bool Journal::apply_retention() {
  try {
    return engine_->apply_retention(options_.clock());
  } catch (const std::exception& failure) {
    log()->error("journal: retention failed: {}", failure.what());
    return false;
  }
}

}  // namespace oriel
