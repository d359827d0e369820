#pragma once
// The ordered, durable log of all events. The journal alone assigns sequences and indexes, and it
// alone publishes records, in commit order: a subscriber gets each sequence at most once, rising,
// and only after it has been stored.

#include "base/error.h"
#include "base/event/session_event.h"
#include "base/mutex.h"
#include "journal/entry_judge.h"
#include "journal/event_log.h"
#include "journal/journal_engine.h"
#include "journal/retention_clock.h"
#include "journal/storage_health.h"
#include "runtime/blocking_thread.h"

#include <atomic>
#include <deque>
#include <filesystem>
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
  // The share of the records that retention may remove by a clock that jumped.
  std::uint64_t doubtful_percent_per_hour = kDoubtfulPercentPerHour;
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
// takes what its log has ordered, commits it in one transaction, calls on_stored of the proposals,
// publishes the records, then resumes the appenders.
class Journal {
 public:
  using Listener = std::function<void(const std::vector<RecordPtr>&)>;
  using DocumentListener = std::function<void(const std::vector<Document>&)>;

  // Without a log the journal orders its own appends.
  Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options,
          std::unique_ptr<EventLog> log = nullptr);
  ~Journal();

  // Called with the records of each commit, on the journal's thread; blocking it is back-pressure
  // on all appenders. Set before start().
  void on_commit(Listener listener);

  // Each listener is called with the documents of each commit, before its records are published, on
  // the journal's thread. Before start().
  void on_documents(DocumentListener listener);
  void start();

  // Commits and publishes all queued events, then joins the thread. Call before the listener is
  // destroyed.
  void stop();

  // Stores the events in this order and without others between them, and the documents in the same
  // transaction. Returns the records with sequence and index assigned. On an error nothing was
  // stored: "journal_busy" (the queue is full), "journal_failed" (the engine failed, or its
  // storage is gone or no longer reliable), "overtaken" (a guard does not hold) or "stopping".
  // Appends that one shard starts one after another are stored in that order. A shared log may be
  // unreachable for long: a caller that is cancelled resumes with "stopping", and the events may
  // still be stored.
  asio::awaitable<AppendResult> append(std::vector<SessionEvent> events,
                                       std::vector<Document> documents = {},
                                       std::vector<Guard> guards = {});

  // The same for events that are serialized already. After an error the same records can be
  // appended again.
  asio::awaitable<AppendResult> append(Proposal proposal);

  asio::awaitable<Page> read(ReadQuery query);
  asio::awaitable<SessionPage> read_session(SessionQuery query);
  asio::awaitable<std::vector<Document>> read_documents(DocumentQuery query);
  asio::awaitable<std::vector<Document>> read_documents(std::string prefix);

  // Calls `visit` for each document, on the reader's thread, without holding all in memory.
  asio::awaitable<void> visit_documents(std::string prefix, DocumentVisitor visit);

  // How far a shared log has been applied. Safe from any thread.
  Applied applied() const;

  // The last multiple of kChainMarkEvery that was applied. Safe from any thread.
  ChainMark mark() const;

  // The chain at a place; none if the place is not applied yet, or forgotten. Remembered are the
  // last place, and the last multiples of kChainMarkEvery that this process has applied. Safe from
  // any thread.
  std::optional<std::uint64_t> chain_at(std::uint64_t place) const;

  // Writes a copy of everything stored into a file that does not exist, while appends go on.
  // Blocks; on any thread. Throws std::runtime_error.
  void copy_to(const std::filesystem::path& file) const { engine_->copy_to(file); }

  // Waits until the shared log has been applied up to this place; false: not in time.
  asio::awaitable<bool> reached(std::uint64_t place, SteadyTime until);

  // Waits until a record with this sequence is stored, which other nodes may have already; false:
  // not in time, or nobody else appends.
  asio::awaitable<bool> holds(Sequence sequence, SteadyTime until);

  // Whether other nodes may have records that this journal will get. Safe from any thread.
  bool is_behind() const { return log_->is_behind(); }

  // Safe from any thread.
  const std::string& epoch() const { return engine_->epoch(); }

  Sequence head() const { return engine_->head(); }

  Sequence oldest() const { return engine_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const { return engine_->missed_after(sequence); }

  // How far the wall clock is ahead of the time that retention trusts; 0 unless it has jumped.
  std::chrono::milliseconds clock_ahead() const {
    return std::chrono::milliseconds(clock_ahead_.load(std::memory_order_relaxed));
  }

  JournalCounts counts() const;

  // The problem of the storage or of the log, if any. A failed commit is a problem until the next
  // successful one. A deleted or replaced file, a failed sync and damage are problems until the
  // process ends.
  std::optional<std::string> problem() const;

  // Why appends fail now, as far as is known; none if they do not.
  std::optional<std::string> refusal() const;

 private:
  // Waits for a place of the log and a sequence. The journal's thread cancels the timer on its own
  // shard.
  struct Reaching {
    std::uint64_t place = 0;
    Sequence sequence = kNoSequence;
    std::shared_ptr<asio::steady_timer> timer;
  };

  using Handlers = std::vector<std::vector<AppendHandler>>;  // by entry

  void run();
  void apply(std::vector<Entry> entries);
  void acknowledge_early(const std::vector<Entry>& entries, const Judgement& judgement);
  void stored(const Judgement& judgement);
  void announce(const Judgement& judgement);
  void note_applied(const Judgement& judgement);
  bool has_reached(const Reaching& goal) const REQUIRES(mutex_);
  bool is_reached(const Reaching& goal);
  asio::awaitable<bool> reach(Reaching goal, SteadyTime until);
  Handlers take_handlers(const std::vector<Entry>& entries, const Judgement& judgement);
  static void note_stored(const Judgement& judgement, const Handlers& handlers);
  static void answer(const std::vector<Entry>& entries, const Judgement& judgement,
                     const Handlers& handlers);
  void refuse(std::vector<Entry> entries, const Error& error);
  void check_storage();
  template <class Read>
  auto read_stored(Read read);
  template <class Query, class ItsPage>
  asio::awaitable<ItsPage> read_page(Query query, ItsPage (JournalEngine::*read)(const Query&));
  void visit_stored(const DocumentQuery& query, const DocumentVisitor& visit);
  Moment now() const;
  bool apply_retention();
  bool remove_old();
  void remove_doubtful();
  void note_clock();

  std::unique_ptr<JournalEngine> engine_;
  JournalOptions options_;
  Listener listener_;
  std::vector<DocumentListener> document_listeners_;
  StorageHealth health_;
  RetentionClock retention_clock_;
  BlockingThread reader_;

  // Then nobody may append what this node cannot store: the others would store it all the same.
  const bool has_shared_log_;
  std::unique_ptr<EventLog> log_;
  EntryJudge judge_;

  mutable Mutex mutex_;  // between the journal's thread and callers on any other
  Applied applied_ GUARDED_BY(mutex_);
  std::deque<ChainMark> marks_ GUARDED_BY(mutex_);
  std::vector<Reaching> reaching_ GUARDED_BY(mutex_);

  std::atomic<std::int64_t> clock_ahead_{0};  // milliseconds
  std::atomic<std::uint64_t> appended_{0};
  std::atomic<std::uint64_t> commits_{0};
  std::atomic<std::uint64_t> failures_{0};
  std::thread thread_;
};

}  // namespace oriel
