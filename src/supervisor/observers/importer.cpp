#include "supervisor/observers/importer.h"

#include "base/json_text.h"
#include "base/log.h"
#include "supervisor/now.h"
#include "supervisor/refusals.h"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

// What runs, so that a restart goes on with it.
constexpr std::string_view kRunKey = "import/run";

Error already_running() {
  return {.kind = ErrorKind::kImportRunning,
          .message = "an import runs already",
          .hint = "GET /api/import shows how far it is; DELETE /api/import ends it"};
}

std::string to_document(const ImportRequest& request) {
  json::object object{{"folders", json::value_from(request.folders)}, {"days", nullptr}};
  if (request.days) object["days"] = *request.days;
  return json_text(object);
}

std::optional<ImportRequest> parse_run(std::string_view text) {
  try {
    const json::value document = json::parse(text);
    ImportRequest request;
    request.folders = json::value_to<std::vector<std::string>>(document.at("folders"));
    const json::value& days = document.at("days");
    if (!days.is_null()) request.days = days.to_number<std::uint64_t>();
    return request;
  } catch (const std::exception& failure) {
    log()->error("{}: {}", kRunKey, failure.what());
    return std::nullopt;
  }
}

}  // namespace

Importer::Importer(asio::any_io_executor shard, Journal& journal, Observer& observer,
                   ImportOptions options)
    : shard_(shard),
      journal_(journal),
      observer_(observer),
      options_(std::move(options)),
      ended_(shard),
      file_ended_(shard),
      tasks_(shard) {}

asio::awaitable<void> Importer::start() {
  const std::vector<Document> documents = co_await journal_.read_documents(std::string(kRunKey));
  if (documents.empty()) co_return;
  auto request = parse_run(documents.front().value);
  if (!request) co_return;
  log()->info("the import goes on");
  auto beginning = begin_here(*std::move(request));
  const auto begun = co_await std::move(beginning);
  if (!begun) log()->warn("the import does not go on: {}", describe(begun.error()));
}

asio::awaitable<void> Importer::stop() {
  is_stopping_ = true;
  ended_.notify();
  co_await tasks_.joined();
}

asio::awaitable<Result<ImportProgress>> Importer::begin(ImportRequest request) {
  auto work = begin_here(std::move(request));
  co_return co_await finish_on(shard_, std::move(work));
}

asio::awaitable<Result<ImportPlan>> Importer::plan(ImportRequest request) {
  auto work = plan_here(std::move(request));
  co_return co_await finish_on(shard_, std::move(work));
}

asio::awaitable<ImportProgress> Importer::progress() {
  auto look = [this] { return progress_; };
  co_return co_await run_on(shard_, look);
}

asio::awaitable<ImportProgress> Importer::cancel() {
  auto work = cancel_here();
  co_return co_await finish_on(shard_, std::move(work));
}

asio::awaitable<ImportProgress> Importer::cancel_here() {
  if (progress_.state == ImportState::kRunning) is_cancelled_ = true;
  while (progress_.state == ImportState::kRunning && !is_stopping_)
    co_await ended_.wait();
  co_return progress_;
}

// Fills in what is not said.
asio::awaitable<Result<ImportRequest>> Importer::check(ImportRequest request) {
  if (!request.days) request.days = options_.days;
  if (request.folders.empty()) {
    request.folders = observer_.roots().roots();
    co_return request;
  }
  auto look = [roots = observer_.roots(), folders = request.folders]() {
    for (const std::string& folder : folders) {
      if (auto checked = roots.check_import_path(folder); !checked)
        return Result<void>(checked.error());
    }
    return Result<void>();
  };
  const Result<void> checked = co_await threads_.front().run(std::move(look));
  if (!checked) co_return checked.error();
  co_return request;
}

asio::awaitable<Result<ImportProgress>> Importer::begin_here(ImportRequest request) {
  if (is_stopping_) co_return stopping();
  if (progress_.state == ImportState::kRunning) co_return already_running();
  progress_ = {};
  progress_.state = ImportState::kRunning;  // from here on nobody else begins
  progress_.started_at = wall_now();
  is_cancelled_ = false;
  auto checking = check(std::move(request));
  auto checked = co_await std::move(checking);
  if (!checked) {
    progress_ = {};
    ended_.notify();
    co_return checked.error();
  }
  progress_.folders = checked->folders;
  std::vector<Document> documents = {{.key = std::string(kRunKey), .value = to_document(*checked)}};
  const auto stored = co_await journal_.append({}, std::move(documents));
  if (!stored) {
    progress_ = {};
    ended_.notify();
    co_return stored.error();
  }
  const ImportProgress begun = progress_;
  if (!is_stopping_) tasks_.spawn("import", run(*std::move(checked)));  // else the next start does
  co_return begun;
}

asio::awaitable<Result<ImportPlan>> Importer::plan_here(ImportRequest request) {
  auto checking = check(std::move(request));
  auto checked = co_await std::move(checking);
  if (!checked) co_return checked.error();
  const Known known = co_await read_known();
  auto finding = find(*std::move(checked), known);
  co_return co_await std::move(finding);
}

asio::awaitable<Importer::Known> Importer::read_known() {
  const std::vector<Document> documents =
      co_await journal_.read_documents(std::string(kImportDocuments));
  Known known;
  for (const Document& document : documents) {
    auto file = parse_import_document(document.value);
    // Without its session nothing of it is known.
    if (!file || (!file->session_id.empty() && !observer_.knows(file->session_id))) continue;
    std::string path = file->path;
    known.emplace(std::move(path), *std::move(file));
  }
  co_return known;
}

asio::awaitable<ImportPlan> Importer::find(ImportRequest request, const Known& known) {
  auto look = [folders = std::move(request.folders)] { return find_transcripts(folders); };
  FoundTranscripts found = co_await threads_.front().run(std::move(look));
  for (const std::string& directory : found.unreadable)
    log()->warn("import: the directory {} cannot be read", directory);
  const WallTime since = wall_now() - std::chrono::days(request.days.value_or(options_.days));
  ImportPlan plan;
  plan.is_cut = found.is_cut;
  for (FoundTranscript& file : found.files) {
    if (file.modified_at < since) {
      ++plan.files_old;
      continue;
    }
    const auto before = known.find(file.path);
    const bool is_unchanged = before != known.end() && before->second.is_unchanged(file);
    plan.files.push_back({.found = std::move(file), .is_unchanged = is_unchanged});
  }
  co_return plan;
}

asio::awaitable<void> Importer::run(ImportRequest request) {
  std::string problem;
  try {
    auto importing = import_all(std::move(request));
    co_await std::move(importing);
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  if (is_stopping_) co_return;
  std::vector<Document> documents = {{.key = std::string(kRunKey), .value = {}}};
  co_await journal_.append({}, std::move(documents));
  progress_.ended_at = wall_now();
  progress_.error = problem;
  progress_.state = !problem.empty() ? ImportState::kFailed
                    : is_cancelled_  ? ImportState::kCancelled
                                     : ImportState::kDone;
  log()->info("import {}: {} sessions, {} turns, {} of {} files, {} lines skipped",
              name_of(progress_.state), progress_.sessions, progress_.turns, progress_.files_done,
              progress_.files_total, progress_.lines_skipped);
  ended_.notify();
}

asio::awaitable<void> Importer::import_all(ImportRequest request) {
  using namespace asio::experimental::awaitable_operators;
  Run run;
  run.known = co_await read_known();
  auto finding = find(std::move(request), run.known);
  run.plan = co_await std::move(finding);
  progress_.files_total = run.plan.files.size();
  progress_.files_old = run.plan.files_old;
  for (const ImportPlan::File& file : run.plan.files)
    progress_.bytes_total += file.found.size;
  auto some = import_some(run, threads_.front());
  auto others = import_some(run, threads_.back());
  co_await (std::move(some) && std::move(others));
  if (is_cut_off()) co_return;
  auto forgetting = forget_gone(std::move(run.known));
  co_await std::move(forgetting);
}

// One file after another, of those that nobody has begun.
asio::awaitable<void> Importer::import_some(Run& run, BlockingThread& thread) {
  while (run.next < run.plan.files.size() && !is_cut_off()) {
    const ImportPlan::File& file = run.plan.files[run.next];
    const auto before = run.known.find(file.found.path);
    const bool is_known = before != run.known.end();
    const bool has_room = run.seen.size() + run.at_work < options_.max_imported;
    if (!file.is_unchanged && !has_room && run.at_work > 0) {  // which may come to nothing
      co_await file_ended_.wait();
      continue;
    }
    ++run.next;
    FileAtWork work{.found = file.found, .thread = thread, .import = {}};
    if (file.is_unchanged) {
      ++progress_.files_unchanged;
      if (!before->second.session_id.empty()) run.seen.insert(before->second.session_id);
    } else if (!has_room) {
      ++progress_.files_left;
    } else {
      work.import = std::make_shared<FileImport>(
          file.found, is_known ? std::optional(before->second) : std::nullopt, options_.projects);
      ++run.at_work;
      auto importing = import_file(work);
      std::string session_id = co_await std::move(importing);
      --run.at_work;
      file_ended_.notify();
      if (is_cut_off()) co_return;
      if (!session_id.empty()) run.seen.insert(std::move(session_id));
    }
    progress_.bytes_done += file.found.size - work.bytes_done;  // whatever has been written since
    ++progress_.files_done;
  }
}

// Of files that are no more nothing is remembered; their sessions stay.
asio::awaitable<void> Importer::forget_gone(Known known) {
  auto look = [known = std::move(known)] {
    std::vector<Document> gone;
    for (const auto& [path, file] : known) {
      std::error_code problem;
      const bool is_there = std::filesystem::exists(path, problem);
      if (!is_there && !problem) gone.push_back({.key = import_document_key(path), .value = {}});
    }
    return gone;
  };
  std::vector<Document> gone = co_await threads_.front().run(std::move(look));
  if (!gone.empty()) co_await journal_.append({}, std::move(gone));
}

}  // namespace oriel
