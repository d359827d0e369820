#pragma once
// Imports sessions that predate Oriel, from the transcripts of their agents. One import at a time;
// a restart continues an import that was interrupted.

#include "journal/journal.h"
#include "runtime/condition.h"
#include "runtime/task_group.h"
#include "supervisor/observers/import_plan.h"
#include "supervisor/observers/import_progress.h"
#include "supervisor/observers/import_run.h"
#include "supervisor/observers/observer.h"

#include <memory>
#include <string>
#include <vector>

namespace oriel {

// Owned by the supervisor; lives on the first shard. begin(), plan(), progress() and cancel() may
// be awaited on any shard.
class Importer {
 public:
  Importer(asio::any_io_executor shard, Journal& journal, Observer& observer,
           ImportOptions options);

  // Continues an import that the last stop interrupted.
  asio::awaitable<void> start();

  // Interrupts a running import; the next start() continues it.
  asio::awaitable<void> stop();

  // Errors: import_running, path_not_allowed, not_found, stopping.
  asio::awaitable<Result<ImportProgress>> begin(ImportRequest request);

  // The plan of begin(). Stores nothing.
  asio::awaitable<Result<ImportPlan>> plan(ImportRequest request);

  asio::awaitable<ImportProgress> progress();

  // Returns once the import has ended, or Oriel stops. Stored turns stay; the next import continues
  // behind them.
  asio::awaitable<ImportProgress> cancel();

 private:
  asio::awaitable<Result<ImportProgress>> begin_here(ImportRequest request);
  asio::awaitable<Result<ImportPlan>> plan_here(ImportRequest request);
  asio::awaitable<ImportProgress> cancel_here();
  asio::awaitable<Result<ImportRequest>> complete(ImportRequest request);
  asio::awaitable<KnownFiles> read_known_files();
  asio::awaitable<ImportPlan> make_plan(ImportRequest request, const KnownFiles& known);
  asio::awaitable<void> run(ImportRequest request);
  asio::awaitable<void> import_files(ImportRequest request);

  asio::any_io_executor shard_;
  Journal& journal_;
  Observer& observer_;
  ImportOptions options_;
  ImportThreads threads_;
  ImportProgress progress_;
  std::unique_ptr<ImportRun> run_;  // while files are read
  bool is_cancelled_ = false;
  bool is_stopping_ = false;
  Condition ended_;
  TaskGroup tasks_;
};

}  // namespace oriel
