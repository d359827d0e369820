#include "supervisor/observers/import_run.h"

#include "base/log.h"
#include "journal/to_record.h"
#include "supervisor/now.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace oriel {

using namespace asio::experimental::awaitable_operators;

ImportRun::ImportRun(asio::any_io_executor shard, Journal& journal, Observer& observer,
                     ImportThreads& threads, const ImportOptions& options, ImportProgress& progress)
    : journal_(journal),
      observer_(observer),
      threads_(threads),
      options_(options),
      progress_(progress),
      file_closed_(shard) {}

asio::awaitable<void> ImportRun::run(KnownFiles known, ImportPlan plan) {
  known_ = std::move(known);
  plan_ = std::move(plan);
  progress_.files_total = plan_.files.size();
  progress_.files_old = plan_.files_old;
  for (const ImportPlan::File& file : plan_.files)
    progress_.bytes_total += file.found.size;
  auto some = read_files(threads_.front());
  auto others = read_files(threads_.back());
  co_await (std::move(some) && std::move(others));
  if (!is_stopped_) co_await forget_removed_files();
}

// Reads files of the plan on this thread, one after another.
asio::awaitable<void> ImportRun::read_files(BlockingThread& thread) {
  while (next_ < plan_.files.size() && !is_stopped_) {
    const ImportPlan::File& file = plan_.files[next_];
    const auto before = known_.find(file.found.path);
    const bool is_known = before != known_.end();
    const bool has_capacity = sessions_.size() + open_ < options_.max_imported;
    // An open file may turn out to be of no session.
    if (!file.is_unchanged && !has_capacity && open_ > 0) {
      co_await file_closed_.wait();
      continue;
    }
    ++next_;
    OpenImport work{.found = file.found, .thread = thread, .import = {}};
    if (file.is_unchanged) {
      ++progress_.files_unchanged;
      if (!before->second.session_id.empty()) sessions_.insert(before->second.session_id);
    } else if (!has_capacity) {
      ++progress_.files_left;
    } else {
      work.import = std::make_shared<FileImport>(
          file.found, is_known ? std::optional(before->second) : std::nullopt, options_.projects,
          options_.redactor, options_.node);
      ++open_;
      auto reading = read_file(work);
      std::string session_id = co_await std::move(reading);
      --open_;
      file_closed_.notify();
      if (is_stopped_) co_return;
      if (!session_id.empty()) sessions_.insert(std::move(session_id));
    }
    // Includes what was written since.
    progress_.bytes_done += file.found.size - work.bytes_done;
    ++progress_.files_done;
  }
}

// Returns the session of the file; empty: it has none.
asio::awaitable<std::string> ImportRun::read_file(OpenImport& file) {
  auto open = [import = file.import, roots = observer_.roots()] { return import->open(roots); };
  const Result<std::string> native_id = co_await file.thread.run(std::move(open));
  if (!native_id) {
    count_failure(file.found, native_id.error());
    co_return "";
  }
  if (native_id->empty()) {
    auto reading = read_pieces(file, "");
    co_await std::move(reading);
    ++progress_.files_empty;
    co_return "";
  }
  auto claiming = claim(*native_id);
  const Result<ImportClaim> claim = co_await std::move(claiming);
  if (!claim) {
    ++progress_.files_watched;
    co_return "";
  }
  std::string agent_id = claim->agent_id;
  file.guard = claim->guard;
  try {
    auto joining = join_session(file, *native_id, *claim);
    co_await std::move(joining);
    auto reading = read_pieces(file, agent_id);
    co_await std::move(reading);
  } catch (...) {
    release(agent_id);
    throw;
  }
  release(agent_id);
  if (!observer_.knows(agent_id)) {
    ++progress_.files_empty;
    co_return "";
  }
  co_return agent_id;
}

// Waits for another file of the same session.
asio::awaitable<Result<ImportClaim>> ImportRun::claim(std::string native_id) {
  Result<ImportClaim> claim = observer_.claim(native_id);
  while (!claim && claim.error().kind == ErrorKind::kClaimed) {
    co_await file_closed_.wait();
    claim = observer_.claim(native_id);
  }
  co_return claim;
}

void ImportRun::release(const std::string& agent_id) {
  observer_.release(agent_id);
  file_closed_.notify();
}

asio::awaitable<void> ImportRun::join_session(OpenImport& file, std::string native_id,
                                              ImportClaim claim) {
  ObservedState session;
  session.session_id = claim.agent_id;
  session.native_ids = {native_id};
  std::vector<Turn> turns;
  if (claim.is_known) {
    const std::string key = observed_document_key(claim.agent_id);
    const std::vector<Document> documents = co_await journal_.read_documents(key);
    for (const Document& document : documents) {
      if (document.key != key) continue;
      if (auto known = parse_observed_document(document.value))
        session = *std::move(known);
      else
        log()->error("{}: {}", key, known.error().message);
    }
    turns = co_await read_turns(journal_, file.thread, claim.agent_id);
  }
  auto join = [import = file.import, session = std::move(session), turns = std::move(turns)] {
    import->join(session, turns);
  };
  co_await file.thread.run(std::move(join));
}

// Reads a piece while the one before it is stored. Ends early when the import is stopped or a hook
// of the agent arrives: what was stored by then is as if the file had ended there.
asio::awaitable<void> ImportRun::read_pieces(OpenImport& file, std::string agent_id) {
  std::uint64_t turns = 0;
  ImportStep step;
  bool is_last = false;
  while (!is_last && !is_stopped_ && !observer_.is_wanted(agent_id)) {
    auto read = [import = file.import] { return import->next(now()); };
    auto storing = store(file, std::move(step));
    auto reading = file.thread.run(std::move(read));
    Result<ImportStep> next = co_await (std::move(storing) && std::move(reading));
    if (!next) {
      count_failure(file.found, next.error());
      co_return;
    }
    step = *std::move(next);
    is_last = step.is_last;
    turns += step.turns;
    count(file, step);
  }
  if (turns > 0) ++progress_.sessions;
  auto storing = store(file, std::move(step));
  co_await std::move(storing);
}

// A client that receives an event of the step finds the session listed.
asio::awaitable<void> ImportRun::store(OpenImport& file, ImportStep step) {
  Proposal batch{.records = to_records(std::move(step.events)),
                 .documents = std::move(step.documents)};
  if (batch.is_empty()) co_return;
  file.guard.add_to(batch);
  const auto shard = co_await asio::this_coro::executor;
  if (step.state) {
    auto state = std::make_shared<const ObservedState>(*std::move(step.state));
    batch.on_stored = [shard, &observer = observer_, state = std::move(state)] {
      asio::post(shard, [&observer, state] { observer.note_imported(*state); });
    };
  }
  RetryingWriter writer(shard, journal_, failures_, {.gives_up = [this](const Error& failure) {
                          return is_stopped_ || failure.kind == ErrorKind::kOvertaken;
                        }});
  const RetryingWriter::BatchSource source = [&batch] { return ready_batch(batch); };
  const std::string owner = "import of " + step.file.path;
  const bool is_stored = co_await writer.write(owner, source);
  if (is_stored) file.guard.stored();
}

void ImportRun::count(OpenImport& file, const ImportStep& step) {
  file.bytes_done += step.bytes;
  progress_.bytes_done += step.bytes;
  progress_.turns += step.turns;
  for (const SkippedLine& line : step.skipped)
    progress_.skip({.path = step.file.path, .offset = line.offset, .why = line.why});
}

void ImportRun::count_failure(const FoundTranscript& found, const Error& error) {
  log()->warn("import: {}", describe(error));
  ++progress_.files_failed;
  progress_.skip({.path = found.path, .offset = {}, .why = error.message});
}

// Their sessions stay.
asio::awaitable<void> ImportRun::forget_removed_files() {
  auto look = [known = std::move(known_), node = options_.node] {
    std::vector<Document> removed;
    for (const auto& [path, file] : known) {
      std::error_code problem;
      const bool exists = std::filesystem::exists(path, problem);
      if (!exists && !problem)
        removed.push_back({.key = import_document_key(path, node), .value = {}});
    }
    return removed;
  };
  std::vector<Document> removed = co_await threads_.front().run(std::move(look));
  if (!removed.empty()) co_await journal_.append({}, std::move(removed));
}

}  // namespace oriel
