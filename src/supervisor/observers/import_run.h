#pragma once
// A running import: reads transcripts on two threads, the newest first, and stores the turns of
// their sessions.

#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "supervisor/observers/file_import.h"
#include "supervisor/observers/import_plan.h"
#include "supervisor/observers/import_progress.h"
#include "supervisor/observers/observer.h"
#include "supervisor/retrying_writer.h"

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace oriel {

using ImportThreads = std::array<BlockingThread, 2>;

struct ImportOptions {
  std::uint64_t days = 30;            // age of the files that are read, if a request names none
  std::size_t max_imported = 1000;    // sessions
  std::vector<ProjectSpec> projects;  // own the directories in their workspaces
  std::shared_ptr<const Redactor> redactor = std::make_shared<const Redactor>();
  std::string node = {};  // this one's name in a cluster; empty: there is none
};

// Lives on the importer's shard. Counts in `progress` what it has done.
class ImportRun {
 public:
  ImportRun(asio::any_io_executor shard, Journal& journal, Observer& observer,
            ImportThreads& threads, const ImportOptions& options, ImportProgress& progress);
  ImportRun(const ImportRun&) = delete;
  ImportRun& operator=(const ImportRun&) = delete;

  // Returns when all files of the plan are read, or soon after stop().
  asio::awaitable<void> run(KnownFiles known, ImportPlan plan);

  // Stored turns stay, and the next import continues behind them.
  void stop() { is_stopped_ = true; }

 private:
  // A file while it is read.
  struct OpenImport {
    const FoundTranscript& found;
    BlockingThread& thread;
    std::shared_ptr<FileImport> import;
    std::uint64_t bytes_done = 0;
    OwnerGuard guard = {};  // of its session's appends
  };

  asio::awaitable<void> read_files(BlockingThread& thread);
  asio::awaitable<std::string> read_file(OpenImport& file);
  asio::awaitable<Result<ImportClaim>> claim(std::string native_id);
  void release(const std::string& agent_id);
  asio::awaitable<void> join_session(OpenImport& file, std::string native_id, ImportClaim claim);
  asio::awaitable<void> read_pieces(OpenImport& file, std::string agent_id);
  asio::awaitable<void> store(OpenImport& file, ImportStep step);
  void count(OpenImport& file, const ImportStep& step);
  void count_failure(const FoundTranscript& found, const Error& error);
  asio::awaitable<void> forget_removed_files();

  Journal& journal_;
  Observer& observer_;
  ImportThreads& threads_;
  const ImportOptions& options_;
  ImportProgress& progress_;
  KnownFiles known_;
  ImportPlan plan_;
  std::size_t next_ = 0;            // index of the plan's first file that is not started
  std::size_t open_ = 0;            // files that are being read
  std::set<std::string> sessions_;  // of the files so far, new or known
  bool is_stopped_ = false;
  FailureLog failures_;
  Condition file_closed_;  // its session is released
};

}  // namespace oriel
