#pragma once
// Reads transcripts of the past, so that the sessions that they are of appear. One import at a
// time, the newest files first; they are read and parsed on threads of its own, a file on each.

#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "supervisor/observers/file_import.h"
#include "supervisor/observers/import_progress.h"
#include "supervisor/observers/observer.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

struct ImportOptions {
  std::uint64_t days = 30;            // files that were written to since are read
  std::size_t max_imported = 1000;    // sessions; there is no room for more
  std::vector<ProjectSpec> projects;  // their workspaces are theirs
};

// Owned by the supervisor; lives on the first shard. begin(), plan(), progress() and cancel() may
// be awaited on any shard.
class Importer {
 public:
  Importer(asio::any_io_executor shard, Journal& journal, Observer& observer,
           ImportOptions options);

  // Goes on with an import that the end of Oriel has cut off.
  asio::awaitable<void> start();

  // Ends what runs; start() goes on with it.
  asio::awaitable<void> stop();

  // Refused: import_running, path_not_allowed, not_found, stopping.
  asio::awaitable<Result<ImportProgress>> begin(ImportRequest request);

  // What it would read; reads and stores nothing.
  asio::awaitable<Result<ImportPlan>> plan(ImportRequest request);

  asio::awaitable<ImportProgress> progress();

  // Returns once it has ended, or Oriel does. What was stored stays; the next import goes on from
  // there.
  asio::awaitable<ImportProgress> cancel();

 private:
  using Known = std::map<std::string, ImportedFile>;  // by path

  // What the readers of one import share.
  struct Run {
    Known known;
    ImportPlan plan;
    std::size_t next = 0;        // of the plan's files
    std::size_t at_work = 0;     // files that are being read
    std::set<std::string> seen;  // sessions, new or not
  };

  // One of its files, while it is read.
  struct FileAtWork {
    const FoundTranscript& found;
    BlockingThread& thread;
    std::shared_ptr<FileImport> import;
    std::uint64_t bytes_done = 0;
  };

  asio::awaitable<Result<ImportProgress>> begin_here(ImportRequest request);
  asio::awaitable<Result<ImportPlan>> plan_here(ImportRequest request);
  asio::awaitable<ImportProgress> cancel_here();
  asio::awaitable<Result<ImportRequest>> check(ImportRequest request);
  asio::awaitable<Known> read_known();
  asio::awaitable<ImportPlan> find(ImportRequest request, const Known& known);

  asio::awaitable<void> run(ImportRequest request);
  asio::awaitable<void> import_all(ImportRequest request);
  asio::awaitable<void> import_some(Run& run, BlockingThread& thread);
  asio::awaitable<std::string> import_file(FileAtWork& file);
  asio::awaitable<Result<ImportClaim>> claim(const std::string& native_id);
  asio::awaitable<void> join(FileAtWork& file, std::string native_id, ImportClaim claim);
  asio::awaitable<void> read_all(FileAtWork& file, std::string agent_id);
  asio::awaitable<void> store(ImportStep step);
  asio::awaitable<void> forget_gone(Known known);
  void note(FileAtWork& file, const ImportStep& step);
  void release(const std::string& agent_id);
  void fail(const FoundTranscript& found, const Error& error);

  bool is_cut_off() const { return is_cancelled_ || is_stopping_; }

  asio::any_io_executor shard_;
  Journal& journal_;
  Observer& observer_;
  ImportOptions options_;
  std::array<BlockingThread, 2> threads_;
  ImportProgress progress_;
  bool is_cancelled_ = false;
  bool is_stopping_ = false;
  Condition ended_;
  Condition file_ended_;  // and its session is let go
  TaskGroup tasks_;
};

}  // namespace oriel
