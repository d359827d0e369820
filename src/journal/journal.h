#pragma once
// The ordered, durable log of all events. The journal alone assigns sequences and indexes, and it
// alone publishes records, in commit order: a subscriber gets each sequence at most once, rising,
// and only after it has been stored.

#include "base/error.h"
#include "base/event/session_event.h"
#include "base/mutex.h"
#include "journal/journal_engine.h"
#include "journal/retention_clock.h"
#include "journal/storage_health.h"
#include "runtime/blocking_thread.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace oriel {

struct JournalOptions {
  std::size_t max_commit_records = 4096;    // in one transaction
  std::size_t max_queued_bytes = 64 << 20;  // appends beyond this fail
  // Also the interval of checks that the storage still exists.
  std::chrono::milliseconds retention_interval{1000};
  WallClock clock = wall_now;
  // Cannot be set: a jump of `clock` relative to it must not remove all events.
  std::function<SteadyTime()> steady_clock = time_since_boot;
};

struct JournalCounts {
  std::uint64_t appended = 0;  // records
  std::uint64_t commits = 0;   // transactions
  std::uint64_t failures = 0;  // transactions that failed and stored nothing
};

// append() and the reads may be called on any shard; the caller resumes there. The journal's thread
// commits all queued appends in one transaction, publishes the records, then resumes the appenders.
class Journal {
 public:
  using Listener = std::function<void(const std::vector<RecordPtr>&)>;

  Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options);
  ~Journal();

  // Called with the records of each commit, on the journal's thread; blocking it is back-pressure
  // on all appenders. Set before start().
  void on_commit(Listener listener);
  void start();

  // Commits and publishes all queued events, then joins the thread. Call before the listener is
  // destroyed.
  void stop();

  // Stores the events in this order and without others between them, and the documents in the same
  // transaction. Returns the records with sequence and index assigned. On an error nothing was
  // stored: "journal_busy" (the queue is full) or "journal_failed" (the engine failed, or its
  // storage is gone or no longer reliable). Appends that one shard starts one after another are
  // stored in that order.
  asio::awaitable<Result<std::vector<RecordPtr>>> append(std::vector<SessionEvent> events,
                                                         std::vector<Document> documents = {});

  asio::awaitable<Page> read(ReadQuery query);
  asio::awaitable<SessionPage> read_session(SessionQuery query);
  asio::awaitable<std::vector<Document>> read_documents(std::string prefix);

  // Calls `visit` for each document, on the reader's thread, without holding all in memory.
  asio::awaitable<void> visit_documents(std::string prefix, DocumentVisitor visit);

  // Safe from any thread.
  const std::string& epoch() const { return engine_->epoch(); }

  Sequence head() const { return engine_->head(); }

  Sequence oldest() const { return engine_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const { return engine_->missed_after(sequence); }

  JournalCounts counts() const;

  // The problem of the storage, if any. A failed commit is a problem until the next successful one.
  // A deleted or replaced file, a failed sync and damage are problems until the process ends.
  std::optional<std::string> problem() const { return health_.problem(); }

  // Why appends fail now, as far as is known; none if they do not.
  std::optional<std::string> refusal() const { return health_.refusal(); }

 private:
  using AppendResult = Result<std::vector<RecordPtr>>;

  struct Append {
    std::vector<std::shared_ptr<Record>> records;
    std::vector<Document> documents;
    asio::any_io_executor executor;  // the appender's
    std::function<void(AppendResult)> complete;
  };

  static std::size_t bytes_of(const Append& append);
  static void complete(Append append, AppendResult result);
  void enqueue(Append append);
  bool accept(Append& append);
  bool wait_until(std::chrono::steady_clock::time_point deadline);
  void run();
  std::vector<Append> take_batch();
  void commit(std::vector<Append> batch);
  void refuse(std::vector<Append> batch, const Error& error);
  void check_storage();
  template <class Read>
  auto read_stored(Read read);
  template <class Query, class ItsPage>
  asio::awaitable<ItsPage> read_page(Query query, ItsPage (JournalEngine::*read)(const Query&));
  void visit_stored(const std::string& prefix, const DocumentVisitor& visit);
  Moment now() const;
  bool apply_retention();
  bool remove_old();
  void remove_doubtful();

  std::unique_ptr<JournalEngine> engine_;
  JournalOptions options_;
  Listener listener_;
  StorageHealth health_;
  RetentionClock retention_clock_;
  BlockingThread reader_;

  // Shards fill the queue; the journal's thread empties it and blocks while it is empty.
  Mutex mutex_;
  ConditionVariable wake_;
  std::vector<Append> queue_ GUARDED_BY(mutex_);
  std::size_t queued_bytes_ GUARDED_BY(mutex_) = 0;
  bool stopping_ GUARDED_BY(mutex_) = false;

  std::atomic<std::uint64_t> appended_{0};
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
};

}  // namespace oriel
