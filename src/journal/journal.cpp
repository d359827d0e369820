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
          .message = "the journal has more events queued than it may hold",
          .hint = "send it again in a moment"};
}

Error journal_failed(const std::string& what) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + what,
          .hint = "check the disk of --data-dir, then send it again"};
}

}  // namespace

Journal::Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options)
    : engine_(std::move(engine)), options_(std::move(options)) {}

Journal::~Journal() {
  stop();
}

void Journal::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard last_turn(turn_);  // a shard may still be announcing
}

void Journal::on_commit(Listener listener, std::function<bool()> has_room) {
  listener_ = std::move(listener);
  has_room_ = std::move(has_room);
}

void Journal::start() {
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "journal");
}

asio::awaitable<Journal::Answer> Journal::append(std::vector<SessionEvent> events,
                                                 std::vector<Document> documents) {
  NewRecords records;
  records.reserve(events.size());
  for (SessionEvent& event : events)
    records.push_back(to_record(std::move(event)));
  if (auto placed = commit_here(records, documents)) {
    // Readers come first, as they do when the journal's thread commits.
    co_await asio::post(asio::use_awaitable);
    co_return *std::move(placed);
  }

  const auto appender = co_await asio::this_coro::executor;
  Append append{.records = std::move(records),
                .documents = std::move(documents),
                .appender = appender,
                .answer = {}};
  auto start = [this](auto handler, Append asked) {
    // Shared, because a function can be copied and a handler cannot.
    auto once = std::make_shared<decltype(handler)>(std::move(handler));
    asked.answer = [once](Answer answer) { std::move (*once)(std::move(answer)); };
    enqueue(std::move(asked));
  };
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(Answer)>(
      start, asio::use_awaitable, std::move(append));
}

// Nothing if the journal's thread has to do it.
std::optional<Journal::Answer> Journal::commit_here(const NewRecords& records,
                                                    const std::vector<Document>& documents) {
  if (!engine_->never_waits() || !has_room_) return std::nullopt;
  const std::unique_lock turn(turn_, std::try_to_lock);
  if (!turn) return std::nullopt;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_ || !queue_.empty()) return std::nullopt;
  }
  if (!has_room_()) return std::nullopt;
  return store(records, documents);
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
  const std::size_t bytes = bytes_of(append);
  std::unique_lock lock(mutex_);
  // An empty queue takes any append: one huge event must not be refused for ever.
  if (!queue_.empty() && queued_bytes_ + bytes > options_.max_queued_bytes) {
    lock.unlock();
    return answer(std::move(append), journal_busy());
  }
  queued_bytes_ += bytes;
  queue_.push_back(std::move(append));
  lock.unlock();  // whom it wakes needs it at once
  wake_.notify_one();
}

// Resumes the appender where it waits.
void Journal::answer(Append append, Answer answer) {
  auto resume = [handler = std::move(append.answer), answer = std::move(answer)]() mutable {
    handler(std::move(answer));
  };
  asio::post(append.appender, std::move(resume));
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

void Journal::run() {
  auto retain_at = std::chrono::steady_clock::now();
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, retain_at, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_ && queue_.empty()) return;
    }
    const std::lock_guard turn(turn_);
    std::vector<Append> group = take_group();
    if (!group.empty()) commit(std::move(group));
    if (std::chrono::steady_clock::now() >= retain_at) {
      bool more = false;
      try {
        more = engine_->retain(options_.clock());
      } catch (const std::exception& failure) {
        log()->error("journal: retention failed: {}", failure.what());
      }
      // More to remove: go on right after the next commits, so that appends never wait for long.
      retain_at = std::chrono::steady_clock::now();
      if (!more) retain_at += options_.retain_every;
    }
  }
}

std::vector<Journal::Append> Journal::take_group() {
  const std::lock_guard lock(mutex_);
  std::size_t records = 0;
  auto end = queue_.begin();
  while (end != queue_.end() && records < options_.max_commit_records) {
    records += end->records.size();
    queued_bytes_ -= bytes_of(*end);
    ++end;
  }
  std::vector<Append> group(std::make_move_iterator(queue_.begin()), std::make_move_iterator(end));
  queue_.erase(queue_.begin(), end);
  return group;
}

void Journal::commit(std::vector<Append> group) {
  NewRecords records;
  std::vector<Document> documents;
  for (const Append& append : group) {
    records.insert(records.end(), append.records.begin(), append.records.end());
    documents.insert(documents.end(), append.documents.begin(), append.documents.end());
  }
  const Answer placed = store(records, documents);
  if (!placed) {
    for (Append& append : group)
      answer(std::move(append), placed.error());
    return;
  }
  auto next = placed->begin();
  for (Append& append : group) {
    const auto end = next + static_cast<std::ptrdiff_t>(append.records.size());
    answer(std::move(append), std::vector<RecordPtr>(next, end));
    next = end;
  }
}

// Commits and announces. To be called in one's turn.
Journal::Answer Journal::store(const NewRecords& records, const std::vector<Document>& documents) {
  try {
    engine_->commit(records, documents);
  } catch (const std::exception& failure) {
    failures_.fetch_add(1, std::memory_order_relaxed);
    log()->error("journal: {} events were not stored: {}", records.size(), failure.what());
    return journal_failed(failure.what());
  }
  appended_.fetch_add(records.size(), std::memory_order_relaxed);
  commits_.fetch_add(1, std::memory_order_relaxed);
  std::vector<RecordPtr> placed(records.begin(), records.end());
  if (listener_ && !placed.empty()) listener_(placed);
  return placed;
}

}  // namespace oriel
