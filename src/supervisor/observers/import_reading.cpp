// How an importer reads one file: whose it is, piece by piece, and what of it is stored.

#include "base/log.h"
#include "supervisor/now.h"
#include "supervisor/observers/importer.h"
#include "supervisor/turn_documents.h"

#include <boost/asio/experimental/awaitable_operators.hpp>

#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kStoreAgain{200};

}  // namespace

// The session whose turns it has; empty: it has none.
asio::awaitable<std::string> Importer::import_file(FileAtWork& file) {
  auto open = [import = file.import, roots = observer_.roots()] { return import->open(roots); };
  const Result<std::string> native_id = co_await file.thread.run(std::move(open));
  if (!native_id) {
    fail(file.found, native_id.error());
    co_return "";
  }
  if (native_id->empty()) {
    auto reading = read_all(file, "");
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
  try {
    auto joining = join(file, *native_id, *claim);
    co_await std::move(joining);
    auto reading = read_all(file, agent_id);
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

// Another file of the same session is waited for.
asio::awaitable<Result<ImportClaim>> Importer::claim(const std::string& native_id) {
  Result<ImportClaim> claim = observer_.claim(native_id);
  while (!claim && claim.error().kind == ErrorKind::kClaimed) {
    co_await file_ended_.wait();
    claim = observer_.claim(native_id);
  }
  co_return claim;
}

void Importer::release(const std::string& agent_id) {
  observer_.release(agent_id);
  file_ended_.notify();
}

asio::awaitable<void> Importer::join(FileAtWork& file, std::string native_id, ImportClaim claim) {
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

// While a piece is stored, the next one is read. Ends early when the import is cut off, or somebody
// else wants the agent; what was stored by then is as if the file had ended there.
asio::awaitable<void> Importer::read_all(FileAtWork& file, std::string agent_id) {
  using namespace asio::experimental::awaitable_operators;
  std::uint64_t turns = 0;
  ImportStep step;
  bool is_last = false;
  while (!is_last && !is_cut_off() && !observer_.is_wanted(agent_id)) {
    auto read = [import = file.import] { return import->next(now()); };
    auto storing = store(std::move(step));
    auto reading = file.thread.run(std::move(read));
    Result<ImportStep> next = co_await (std::move(storing) && std::move(reading));
    if (!next) {
      fail(file.found, next.error());
      co_return;
    }
    step = *std::move(next);
    is_last = step.is_last;
    turns += step.turns;
    note(file, step);
  }
  if (turns > 0) ++progress_.sessions;
  auto storing = store(std::move(step));
  co_await std::move(storing);
}

// What a step has found is counted before it is stored: whoever is told of it sees it listed.
void Importer::note(FileAtWork& file, const ImportStep& step) {
  file.bytes_done += step.bytes;
  progress_.bytes_done += step.bytes;
  progress_.turns += step.turns;
  for (const SkippedLine& line : step.skipped)
    progress_.skip({.path = step.file.path, .offset = line.offset, .why = line.why});
  if (step.state) observer_.note_imported(*step.state);
}

// A store that is full or busy is waited for.
asio::awaitable<void> Importer::store(ImportStep step) {
  if (step.documents.empty() && step.events.empty()) co_return;
  while (true) {
    std::vector<SessionEvent> events = step.events;
    std::vector<Document> documents = step.documents;
    const auto appended = co_await journal_.append(std::move(events), std::move(documents));
    if (appended) co_return;
    if (is_cut_off()) co_return;
    log()->error("import of {} waits: {}", step.file.path, appended.error().message);
    asio::steady_timer timer(shard_, kStoreAgain);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

void Importer::fail(const FoundTranscript& found, const Error& error) {
  log()->warn("import: {}", describe(error));
  ++progress_.files_failed;
  progress_.skip({.path = found.path, .offset = {}, .why = error.message});
}

}  // namespace oriel
