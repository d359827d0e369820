#pragma once
// The search index: follows the journal in the background, and answers searches. It is derived from
// the journal and can be lost at any time: it is then made again, and never delays an append.

#include "base/mutex.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/task_group.h"
#include "search/search_query.h"
#include "search/search_reader.h"
#include "search/search_writer.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct SearchOptions {
  std::filesystem::path file = {};       // empty: in memory
  std::uint64_t max_bytes = 1ULL << 30;  // beyond it the oldest entries are removed; 0: no index
  std::size_t max_searches = 16;         // at a time; further ones fail
  std::chrono::milliseconds poll{250};   // how soon new events are found
  std::chrono::milliseconds deadline{1000};  // of one search, which then returns what it has found
};

struct SearchStatus {
  Sequence position = kNoSequence;  // everything up to here can be found
  std::uint64_t bytes = 0;
  std::uint64_t searches = 0;  // so far
  std::uint64_t refused = 0;   // of these, too many at a time
};

// Lives on the given shard; search() and status() may be called on any.
class SearchIndex {
 public:
  // Construct it before the journal starts.
  SearchIndex(asio::any_io_executor shard, Journal& journal, SearchOptions options);
  ~SearchIndex();

  void start();

  // Call before the journal stops. Later searches still work.
  asio::awaitable<void> stop();

  // Errors: kSearchBusy, kInvalidCursor, kNotFound (there is no index).
  asio::awaitable<Result<SearchResults>> search(SearchQuery query);

  SearchStatus status() const;

 private:
  // What is to be done next, as the writer's thread sees it.
  struct Plan {
    Sequence after = kNoSequence;
    bool has_more_to_remove = false;
    bool is_new = false;  // opened just now
    bool needs_imports = false;
  };

  struct Removed {
    std::string session_id;
    Sequence head = kNoSequence;  // its events come before the next one
  };

  asio::awaitable<void> follow();
  asio::awaitable<bool> index_some();
  asio::awaitable<void> forget_unknown_sessions();
  void forget(std::vector<Removed> gone);
  asio::awaitable<void> add_all_imports();
  asio::awaitable<void> add_imports(std::string session_id);

  // On the writer's thread.
  Plan prepare(Sequence oldest);
  std::unique_ptr<SearchWriter> open_writer() const;
  void add(const Page& page);
  bool forget_removed();
  void report(const std::exception_ptr& failure);

  Result<SearchResults> search_now(const SearchQuery& query);
  std::filesystem::path place() const;
  void set_place(std::filesystem::path file);
  void note_removed(const std::vector<Document>& documents);

  Journal& journal_;
  const SearchOptions options_;
  asio::any_io_executor shard_;

  std::unique_ptr<SearchWriter> writer_;  // touched on its thread
  std::string last_failure_;              // likewise
  std::unique_ptr<SearchReader> reader_;  // touched on its thread
  std::uint64_t reader_version_ = 0;      // likewise

  mutable Mutex mutex_;  // between the threads of the writer, the reader and the journal
  std::filesystem::path file_ GUARDED_BY(mutex_);
  std::deque<Removed> removed_ GUARDED_BY(mutex_);

  std::atomic<std::uint64_t> version_{0};  // of the file; 0: there is none yet
  std::atomic<std::uint64_t> damaged_version_{0};
  std::atomic<Sequence> position_{kNoSequence};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::size_t> running_{0};
  std::atomic<std::uint64_t> searches_{0};
  std::atomic<std::uint64_t> refused_{0};

  TaskGroup tasks_;
  BlockingThread writer_thread_;
  BlockingThread reader_thread_;
};

}  // namespace oriel
