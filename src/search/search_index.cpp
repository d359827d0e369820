#include "search/search_index.h"

#include "base/event/turn.h"
#include "base/log.h"
#include "runtime/deadline.h"
#include "runtime/thread_priority.h"
#include "search/search_file.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::seconds kRetry{5};
constexpr std::size_t kMaxPageRecords = 2000;
constexpr std::size_t kMaxPageBytes = 1 << 20;
constexpr std::size_t kMaxRemoved = 10'000;  // sessions; the next start forgets further ones
constexpr std::string_view kObservedDocuments = "observed/";
constexpr std::array<std::string_view, 2> kSessionDocuments = {"session/", kObservedDocuments};

std::filesystem::path place_of(const SearchOptions& options) {
  return options.file.empty() ? new_search_memory() : options.file;
}

std::string describe(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

bool is_damage(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const SqliteError& problem) {
    return problem.is_damage();
  } catch (const std::exception&) {
    return false;
  }
}

SearchResults nothing_found(std::uint64_t pending_events) {
  SearchResults results;
  results.pending_events = pending_events;
  return results;
}

std::vector<SearchEntry> entries_of(const std::vector<Document>& turns) {
  std::vector<SearchEntry> entries;
  for (const Document& document : turns) {
    const auto turn = parse_turn_document(document.value);
    if (!turn) continue;
    if (auto entry = entry_of_imported(*turn)) entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace

SearchIndex::SearchIndex(asio::any_io_executor shard, Journal& journal, SearchOptions options)
    : journal_(journal),
      options_(std::move(options)),
      shard_(std::move(shard)),
      file_(place_of(options_)),
      tasks_(shard_) {
  if (options_.max_bytes == 0) return;
  journal_.on_documents(
      [this](const std::vector<Document>& documents) { note_removed(documents); });
}

SearchIndex::~SearchIndex() = default;

void SearchIndex::start() {
  if (options_.max_bytes == 0) return;
  writer_thread_.post([] { lower_thread_priority(); });
  tasks_.spawn("search", follow());
}

asio::awaitable<void> SearchIndex::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
  auto closing = writer_thread_.run([this] {
    if (writer_) writer_->close();
    writer_.reset();
  });
  co_await std::move(closing);
}

SearchStatus SearchIndex::status() const {
  return {.position = position_.load(std::memory_order_relaxed),
          .bytes = bytes_.load(std::memory_order_relaxed),
          .searches = searches_.load(std::memory_order_relaxed),
          .refused = refused_.load(std::memory_order_relaxed)};
}

// A session without a document is gone: deleted, or evicted.
void SearchIndex::note_removed(const std::vector<Document>& documents) {
  for (const Document& document : documents) {
    if (!document.value.empty()) continue;
    for (const std::string_view prefix : kSessionDocuments) {
      if (!document.key.starts_with(prefix)) continue;
      const MutexLock lock(mutex_);
      if (removed_.size() < kMaxRemoved)
        removed_.push_back(
            {.session_id = document.key.substr(prefix.size()), .head = journal_.head()});
    }
  }
}

asio::awaitable<void> SearchIndex::follow() {
  asio::steady_timer timer(shard_);
  while (true) {
    auto step = outcome_of(index_some());
    const Outcome<bool> done = co_await std::move(step);
    if (done.failure) {
      auto reporting = writer_thread_.run([this, failure = done.failure] { report(failure); });
      co_await std::move(reporting);
      timer.expires_after(kRetry);
    } else if (*done.result) {
      continue;
    } else {
      timer.expires_after(options_.poll);
    }
    co_await timer.async_wait(asio::use_awaitable);
  }
}

// Whether there may be more to do.
asio::awaitable<bool> SearchIndex::index_some() {
  auto preparing =
      writer_thread_.run([this, oldest = journal_.oldest()] { return prepare(oldest); });
  const Plan plan = co_await std::move(preparing);
  if (plan.is_new) co_await forget_unknown_sessions();
  if (plan.needs_imports) co_await add_all_imports();
  if (journal_.head() <= plan.after) co_return plan.has_more_to_remove;

  ReadQuery wanted;
  wanted.after = plan.after;
  wanted.filter.types = searched_event_types();
  wanted.max_records = kMaxPageRecords;
  wanted.max_bytes = kMaxPageBytes;
  auto reading = journal_.read(std::move(wanted));
  Page page = co_await std::move(reading);
  // Before their event counts as indexed.
  for (const RecordPtr& record : page.records) {
    if (!announces_import(*record)) continue;
    auto importing = add_imports(record->session_id);
    co_await std::move(importing);
  }
  const Sequence until = page.scanned_until;
  auto adding = writer_thread_.run([this, found = std::move(page)] { add(found); });
  co_await std::move(adding);
  co_return until > plan.after;
}

SearchIndex::Plan SearchIndex::prepare(Sequence oldest) {
  Plan plan;
  const std::uint64_t version = version_.load();
  if (version > 0 && damaged_version_.load() == version && writer_) {
    log()->warn("search: the index is damaged and is made again");
    writer_.reset();
    remove_search_file(place());
    set_place(place_of(options_));
  }
  if (!writer_) {
    writer_ = open_writer();
    version_.store(version + 1);
    plan.is_new = true;
  }
  // In short circuit: one slice at a time, so that new events are found soon.
  plan.has_more_to_remove = forget_removed() || writer_->remove_before(oldest) ||
                            writer_->remove_beyond(options_.max_bytes);
  plan.after = writer_->position();
  plan.needs_imports = !writer_->has_imports();
  position_.store(plan.after, std::memory_order_relaxed);
  bytes_.store(writer_->bytes(), std::memory_order_relaxed);
  return plan;
}

std::unique_ptr<SearchWriter> SearchIndex::open_writer() const {
  const auto open = [this] {
    return std::make_unique<SearchWriter>(place(), journal_.epoch(), journal_.head());
  };
  try {
    return open();
  } catch (const SqliteError& failure) {
    if (!failure.is_damage()) throw;
    log()->warn("search: {}; the index is made again", failure.what());
  }
  remove_search_file(place());
  return open();
}

std::filesystem::path SearchIndex::place() const {
  const MutexLock lock(mutex_);
  return file_;
}

void SearchIndex::set_place(std::filesystem::path file) {
  const MutexLock lock(mutex_);
  file_ = std::move(file);
}

bool SearchIndex::forget_removed() {
  Removed next;
  {
    const MutexLock lock(mutex_);
    if (removed_.empty() || removed_.front().head > writer_->position()) return false;
    next = removed_.front();
  }
  if (writer_->forget(next.session_id, next.head)) return true;
  const MutexLock lock(mutex_);
  removed_.pop_front();
  return !removed_.empty();
}

void SearchIndex::add(const Page& page) {
  std::vector<IndexChange> changes;
  for (const RecordPtr& record : page.records) {
    if (auto change = index_change_of(*record)) changes.push_back(*std::move(change));
  }
  writer_->add(changes, page.scanned_until);
  position_.store(page.scanned_until, std::memory_order_relaxed);
  last_failure_.clear();
}

asio::awaitable<void> SearchIndex::add_imports(std::string session_id) {
  auto reading = journal_.read_documents(turn_document_prefix(session_id));
  std::vector<Document> turns = co_await std::move(reading);
  auto adding = writer_thread_.run(
      [this, turns = std::move(turns)] { writer_->add_imported(entries_of(turns)); });
  co_await std::move(adding);
}

// Those whose events are no longer stored.
asio::awaitable<void> SearchIndex::add_all_imports() {
  std::vector<std::string> session_ids;
  auto visiting = journal_.visit_documents(
      std::string(kObservedDocuments), [&session_ids](std::string_view key, std::string_view) {
        session_ids.emplace_back(key.substr(kObservedDocuments.size()));
      });
  co_await std::move(visiting);
  for (const std::string& session_id : session_ids) {
    auto importing = add_imports(session_id);
    co_await std::move(importing);
  }
  auto noting = writer_thread_.run([this] { writer_->note_imports(); });
  co_await std::move(noting);
}

// Those that were removed while nothing followed the journal.
asio::awaitable<void> SearchIndex::forget_unknown_sessions() {
  auto listing = writer_thread_.run([this] { return writer_->sessions(); });
  const std::vector<std::string> indexed = co_await std::move(listing);
  std::set<std::string> known;
  for (const std::string_view prefix : kSessionDocuments) {
    auto visiting = journal_.visit_documents(
        std::string(prefix), [&known, prefix](std::string_view key, std::string_view) {
          known.emplace(key.substr(prefix.size()));
        });
    co_await std::move(visiting);
  }
  std::vector<Removed> gone;
  for (const std::string& session_id : indexed) {
    if (!known.contains(session_id))
      gone.push_back({.session_id = session_id, .head = journal_.head()});
  }
  forget(std::move(gone));
}

void SearchIndex::forget(std::vector<Removed> gone) {
  const MutexLock lock(mutex_);
  std::move(gone.begin(), gone.end(), std::back_inserter(removed_));
}

void SearchIndex::report(const std::exception_ptr& failure) {
  const std::string problem = describe(failure);
  if (problem != last_failure_) log()->warn("search: {}", problem);
  last_failure_ = problem;
  if (is_damage(failure)) damaged_version_.store(version_.load());
}

asio::awaitable<Result<SearchResults>> SearchIndex::search(SearchQuery query) {
  searches_.fetch_add(1, std::memory_order_relaxed);
  if (options_.max_bytes == 0) {
    co_return Error{.kind = ErrorKind::kNotFound,
                    .message = "this server has no search index",
                    .hint = "start it with --search-bytes above 0"};
  }
  if (running_.fetch_add(1) >= options_.max_searches) {
    running_.fetch_sub(1);
    refused_.fetch_add(1, std::memory_order_relaxed);
    co_return Error{.kind = ErrorKind::kSearchBusy,
                    .message = "too many searches at once",
                    .hint = "search again later"};
  }
  auto wanted = std::make_shared<const SearchQuery>(std::move(query));
  auto searching = outcome_of(reader_thread_.run([this, wanted] { return search_now(*wanted); }));
  Outcome<Result<SearchResults>> outcome = co_await std::move(searching);
  running_.fetch_sub(1);
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  co_return *std::move(outcome.result);
}

// On the reader's thread.
Result<SearchResults> SearchIndex::search_now(const SearchQuery& query) {
  const Sequence head = journal_.head();
  const Sequence position = position_.load(std::memory_order_relaxed);
  const std::uint64_t pending = head - std::min(head, position);
  const std::uint64_t version = version_.load();
  if (version == 0) return nothing_found(pending);
  try {
    if (reader_version_ != version) {
      reader_.reset();
      reader_ = std::make_unique<SearchReader>(place());
      reader_version_ = version;
    }
    auto results = reader_->search(query, std::chrono::steady_clock::now() + options_.deadline);
    if (results) results->pending_events = pending;
    return results;
  } catch (const SqliteError& failure) {
    reader_.reset();
    reader_version_ = 0;
    if (!failure.is_damage()) throw;
    damaged_version_.store(version);
    return nothing_found(head);
  }
}

}  // namespace oriel
