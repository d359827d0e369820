#include "supervisor/observers/importer.h"

#include "base/log.h"
#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "runtime/shards.h"
#include "supervisor/errors.h"
#include "supervisor/last_wait.h"
#include "supervisor/now.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

#include <optional>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

// The document of the running import, which a restart continues.
std::string run_key(const std::string& node) {
  return node.empty() ? "import/run" : "import/run/" + node;
}

Error already_running() {
  return {.kind = ErrorKind::kImportRunning,
          .message = "an import is already running",
          .hint = "GET /api/import reports its progress; DELETE /api/import cancels it"};
}

std::string to_document(const ImportRequest& request) {
  json::object object{{"folders", json::value_from(request.folders)}, {"days", nullptr}};
  if (request.days) object["days"] = *request.days;
  return json_text(object);
}

std::optional<ImportRequest> parse_request_document(std::string_view text) {
  try {
    const json::value document = json::parse(text);
    const DocumentFields fields(document);
    ImportRequest request;
    request.folders = fields.texts("folders");
    if (!fields.at("days").is_null()) request.days = fields.number("days");
    return request;
  } catch (const std::exception& failure) {
    log()->error("the running import: {}", failure.what());
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
      tasks_(shard) {}

asio::awaitable<void> Importer::start() {
  const std::vector<Document> documents = co_await journal_.read_documents(run_key(options_.node));
  if (documents.empty()) co_return;
  auto request = parse_request_document(documents.front().value);
  if (!request) co_return;
  log()->info("the import continues");
  auto beginning = begin_here(*std::move(request));
  const auto begun = co_await std::move(beginning);
  if (!begun) log()->warn("the import does not continue: {}", describe(begun.error()));
}

asio::awaitable<void> Importer::stop() {
  is_stopping_ = true;
  if (run_) run_->stop();
  ended_.notify();
  co_await join_last(tasks_, !options_.node.empty());
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
  if (run_) run_->stop();
  while (progress_.state == ImportState::kRunning && !is_stopping_)
    co_await ended_.wait();
  co_return progress_;
}

asio::awaitable<Result<ImportProgress>> Importer::begin_here(ImportRequest request) {
  if (is_stopping_) co_return stopping();
  if (progress_.state == ImportState::kRunning) co_return already_running();
  progress_ = {};
  progress_.state = ImportState::kRunning;  // from here on nobody else begins
  progress_.started_at = wall_now();
  is_cancelled_ = false;
  auto completing = complete(std::move(request));
  auto completed = co_await std::move(completing);
  if (!completed) {
    progress_ = {};
    ended_.notify();
    co_return completed.error();
  }
  progress_.folders = completed->folders;
  std::vector<Document> documents = {
      {.key = run_key(options_.node), .value = to_document(*completed)}};
  const auto stored = co_await journal_.append({}, std::move(documents));
  if (!stored) {
    progress_ = {};
    ended_.notify();
    co_return stored.error();
  }
  const ImportProgress begun = progress_;
  // If Oriel is stopping, the next start runs it.
  if (!is_stopping_) tasks_.spawn("import", run(*std::move(completed)));
  co_return begun;
}

asio::awaitable<Result<ImportPlan>> Importer::plan_here(ImportRequest request) {
  auto completing = complete(std::move(request));
  auto completed = co_await std::move(completing);
  if (!completed) co_return completed.error();
  const KnownFiles known = co_await read_known_files();
  auto planning = make_plan(*std::move(completed), known);
  co_return co_await std::move(planning);
}

// Fills in defaults and checks the folders.
asio::awaitable<Result<ImportRequest>> Importer::complete(ImportRequest request) {
  if (!request.days) request.days = options_.days;
  if (request.folders.empty()) {
    request.folders = observer_.roots().roots();
    co_return request;
  }
  auto check = [roots = observer_.roots(), folders = request.folders]() {
    for (const std::string& folder : folders) {
      auto checked = roots.check_import_path(folder);
      if (!checked) return Result<void>(checked.error());
    }
    return Result<void>();
  };
  const Result<void> checked = co_await threads_.front().run(std::move(check));
  if (!checked) co_return checked.error();
  co_return request;
}

asio::awaitable<KnownFiles> Importer::read_known_files() {
  const std::vector<Document> documents =
      co_await journal_.read_documents(import_documents(options_.node));
  KnownFiles known;
  for (const Document& document : documents) {
    auto file = parse_import_document(document.value);
    // A file whose session is gone is read again.
    if (!file || (!file->session_id.empty() && !observer_.knows(file->session_id))) continue;
    std::string path = file->path;
    known.emplace(std::move(path), *std::move(file));
  }
  co_return known;
}

asio::awaitable<ImportPlan> Importer::make_plan(ImportRequest request, const KnownFiles& known) {
  auto look = [folders = std::move(request.folders)] { return find_transcripts(folders); };
  FoundTranscripts found = co_await threads_.front().run(std::move(look));
  for (const std::string& directory : found.unreadable)
    log()->warn("import: cannot read the directory {}", directory);
  const WallTime since = wall_now() - std::chrono::days(request.days.value_or(options_.days));
  co_return plan_import(std::move(found), known, since);
}

asio::awaitable<void> Importer::run(ImportRequest request) {
  std::string problem;
  try {
    auto importing = import_files(std::move(request));
    co_await std::move(importing);
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  run_.reset();
  if (is_stopping_) co_return;
  std::vector<Document> documents = {{.key = run_key(options_.node), .value = {}}};
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

asio::awaitable<void> Importer::import_files(ImportRequest request) {
  KnownFiles known = co_await read_known_files();
  auto planning = make_plan(std::move(request), known);
  ImportPlan plan = co_await std::move(planning);
  run_ = std::make_unique<ImportRun>(shard_, journal_, observer_, threads_, options_, progress_);
  if (is_cancelled_ || is_stopping_) run_->stop();
  auto running = run_->run(std::move(known), std::move(plan));
  co_await std::move(running);
}

}  // namespace oriel
