#pragma once
// The memory: one append-only, numbered log. It alone gives sequences and indexes, and it alone
// announces what was committed, in that order; so whoever listens sees each record once, rising,
// and only after it is stored.

#include "base/error.h"
#include "base/session_event.h"
#include "journal/journal_engine.h"
#include "runtime/blocking_thread.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace oriel {

struct JournalOptions {
  std::size_t max_commit_records = 4096;    // in one transaction
  std::size_t max_queued_bytes = 64 << 20;  // appends beyond this are refused
  std::chrono::milliseconds retain_every{1000};
  WallClock clock = wall_now;
};

struct JournalCounts {
  std::uint64_t appended = 0;  // records
  std::uint64_t commits = 0;   // transactions
  std::uint64_t failures = 0;  // transactions that stored nothing
};

// Owned by the app. append() and the reads may be called on any shard; the caller resumes there.
// One thread of its own commits everything that is queued in one transaction, then announces it,
// then answers the appenders. Where a commit never waits and nobody is before it, the appender's
// own thread does so: no other one has to be woken.
class Journal {
 public:
  using Listener = std::function<void(const std::vector<RecordPtr>&)>;

  Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options);
  ~Journal();

  // Who is told of each commit, by the thread that made it, one at a time. It may keep the
  // journal's thread waiting when it has too much to do already; has_room() says that it would keep
  // nobody, and without it only the journal's thread commits. Set before start().
  void on_commit(Listener listener, std::function<bool()> has_room = {});
  void start();

  // Commits and announces what is queued, then ends its thread. To be called before the listener
  // goes.
  void stop();

  // Stores the events next to each other and in this order, and returns them as placed; with them,
  // in the same transaction, the documents. An error means that none was stored: "journal_busy"
  // (too much is queued) or "journal_failed" (the store said no). Appends begun one after another
  // on one shard are stored in that order.
  asio::awaitable<Result<std::vector<RecordPtr>>> append(std::vector<SessionEvent> events,
                                                         std::vector<Document> documents = {});

  asio::awaitable<Page> read(ReadQuery query);
  asio::awaitable<SessionPage> read_session(SessionQuery query);
  asio::awaitable<std::vector<Document>> read_documents(std::string prefix);

  // The same for many: they are shown one by one, on the thread that reads them.
  asio::awaitable<void> visit_documents(std::string prefix, DocumentVisitor visit);

  // Safe from any thread.
  const std::string& epoch() const { return engine_->epoch(); }

  Sequence head() const { return engine_->head(); }

  Sequence oldest() const { return engine_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const { return engine_->missed_after(sequence); }

  JournalCounts counts() const;

 private:
  using Answer = Result<std::vector<RecordPtr>>;

  using NewRecords = std::vector<std::shared_ptr<Record>>;

  struct Append {
    NewRecords records;
    std::vector<Document> documents;
    asio::any_io_executor appender;  // where the answer is wanted
    std::function<void(Answer)> answer;
  };

  static std::size_t bytes_of(const Append& append);
  void enqueue(Append append);
  static void answer(Append append, Answer answer);
  std::optional<Answer> commit_here(const NewRecords& records,
                                    const std::vector<Document>& documents);
  void run();
  std::vector<Append> take_group();
  void commit(std::vector<Append> group);
  Answer store(const NewRecords& records, const std::vector<Document>& documents);

  std::unique_ptr<JournalEngine> engine_;
  JournalOptions options_;
  Listener listener_;
  std::function<bool()> has_room_;
  BlockingThread reader_;

  // Held from before a group is taken until it is announced. Shards only try it.
  std::mutex turn_;

  // The queue is filled by shards and emptied by the journal's thread, which blocks and so cannot
  // be posted to. Taken after turn_.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Append> queue_;     // guarded by mutex_
  std::size_t queued_bytes_ = 0;  // guarded by mutex_
  bool stopping_ = false;         // guarded by mutex_

  std::atomic<std::uint64_t> appended_{0};
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
};

}  // namespace oriel
