#include "journal/journal.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "journal/append_errors.h"
#include "journal/local_log.h"
#include "journal/to_record.h"
#include "runtime/run_or_abort.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kMutantDelay{100};  // in which early acknowledgements are sent
constexpr std::uint64_t kMaxDoubtfulSlice = 500;        // records: a millisecond or two
constexpr std::size_t kRememberedMarks = 1024;          // seconds, at the highest rates

std::unique_ptr<EventLog> make_local_log(const JournalOptions& options) {
  return std::make_unique<LocalLog>(LocalLogOptions{.max_batch_records = options.max_commit_records,
                                                    .max_queued_bytes = options.max_queued_bytes});
}

EntryJudge restored_judge(JournalEngine& engine) {
  EntryJudge judge([&engine](const std::string& key) { return engine.document(key); });
  judge.restore(engine.read_documents(kLogDocuments));
  return judge;
}

}  // namespace

Journal::Journal(std::unique_ptr<JournalEngine> engine, JournalOptions options,
                 std::unique_ptr<EventLog> log)
    : engine_(std::move(engine)),
      options_(std::move(options)),
      retention_clock_(now(), engine_->newest_time(), options_.doubtful_percent_per_hour),
      has_shared_log_(log != nullptr),
      log_(log ? std::move(log) : make_local_log(options_)),
      judge_(restored_judge(*engine_)),
      applied_(judge_.applied()) {
  note_clock();
  if (const auto damage = engine_->opening_damage()) health_.damaged(*damage);
}

Journal::~Journal() {
  stop();
}

void Journal::on_commit(Listener listener) {
  listener_ = std::move(listener);
}

void Journal::on_documents(DocumentListener listener) {
  document_listeners_.push_back(std::move(listener));
}

void Journal::start() {
  const auto work = [this] { run_or_abort("journal", [this] { run(); }); };
  thread_ = std::thread(work);
  pthread_setname_np(thread_.native_handle(), "journal");
}

void Journal::stop() {
  log_->stop();
  if (thread_.joinable()) thread_.join();
}

asio::awaitable<AppendResult> Journal::append(std::vector<SessionEvent> events,
                                              std::vector<Document> documents,
                                              std::vector<Guard> guards) {
  return append({.records = to_records(std::move(events)),
                 .documents = std::move(documents),
                 .guards = std::move(guards)});
}

// The appender resumes on its own shard.
asio::awaitable<AppendResult> Journal::append(Proposal proposal) {
  const auto executor = co_await asio::this_coro::executor;
  auto start = [this, executor](auto handler, Proposal offered) {
    using Handler = decltype(handler);
    // Shared, because std::function must be copyable and the handler is not. Empty once the
    // appender has resumed: with the result, or because it was cancelled.
    auto waiting = std::make_shared<std::optional<Handler>>(std::move(handler));
    const auto resume = [waiting, executor](AppendResult result) {
      asio::post(executor, [waiting, result = std::move(result)]() mutable {
        if (!*waiting) return;
        Handler resumed = *std::exchange(*waiting, std::nullopt);
        asio::get_associated_cancellation_slot(resumed).clear();
        std::move(resumed)(std::move(result));
      });
    };
    AppendHandler appender{.complete = resume,
                           .on_stored = std::exchange(offered.on_stored, nullptr)};
    auto slot = asio::get_associated_cancellation_slot(**waiting);
    if (slot.is_connected())
      slot.assign([resume](asio::cancellation_type) { resume(append_cancelled()); });
    const auto problem = has_shared_log_ ? refusal() : std::nullopt;
    const Result<void> taken =
        problem ? journal_unordered(*problem) : log_->offer(offered, appender);
    if (!taken) resume(taken.error());
  };
  co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(AppendResult)>(
      start, asio::use_awaitable, std::move(proposal));
}

Applied Journal::applied() const {
  const MutexLock lock(mutex_);
  return applied_;
}

ChainMark Journal::mark() const {
  const MutexLock lock(mutex_);
  return marks_.empty() ? ChainMark{} : marks_.back();
}

std::optional<std::uint64_t> Journal::chain_at(std::uint64_t place) const {
  const MutexLock lock(mutex_);
  if (place == applied_.place) return applied_.chain;
  const auto found = std::lower_bound(
      marks_.begin(), marks_.end(), place,
      [](const ChainMark& mark, std::uint64_t wanted) { return mark.place < wanted; });
  if (found == marks_.end() || found->place != place) return std::nullopt;
  return found->chain;
}

asio::awaitable<bool> Journal::reached(std::uint64_t place, SteadyTime until) {
  return reach({.place = place, .timer = nullptr}, until);
}

asio::awaitable<bool> Journal::holds(Sequence sequence, SteadyTime until) {
  if (!has_shared_log_) co_return head() >= sequence;
  Reaching goal{.sequence = sequence, .timer = nullptr};
  auto reaching = reach(std::move(goal), until);
  co_return co_await std::move(reaching);
}

asio::awaitable<bool> Journal::reach(Reaching goal, SteadyTime until) {
  const auto executor = co_await asio::this_coro::executor;
  goal.timer = std::make_shared<asio::steady_timer>(executor, until);
  if (is_reached(goal)) co_return true;
  co_await goal.timer->async_wait(kNoThrow);
  co_return is_reached(goal);
}

// If not, its timer is cancelled once it is.
bool Journal::is_reached(const Reaching& goal) {
  const MutexLock lock(mutex_);
  if (has_reached(goal)) return true;
  std::erase_if(reaching_, [](const Reaching& each) { return each.timer.use_count() == 1; });
  reaching_.push_back(goal);
  return false;
}

bool Journal::has_reached(const Reaching& goal) const {
  return applied_.place >= goal.place && head() >= goal.sequence;
}

// Reads on the reader's thread, and reports what cannot be read.
template <class Read>
auto Journal::read_stored(Read read) {
  try {
    return read();
  } catch (const StorageDamage& failure) {
    health_.damaged(failure.what());
    throw;
  }
}

template <class Query, class ItsPage>
asio::awaitable<ItsPage> Journal::read_page(Query query,
                                            ItsPage (JournalEngine::*read)(const Query&)) {
  auto work = [this, query = std::move(query), read] {
    ItsPage page = read_stored([&] { return (engine_.get()->*read)(query); });
    if (page.damaged != kNoSequence)
      health_.damaged("event " + std::to_string(page.damaged) + " is missing or was changed");
    if (page.has_damaged_index) health_.damaged("the index of the events by session");
    return page;
  };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<Page> Journal::read(ReadQuery query) {
  return read_page(std::move(query), &JournalEngine::read);
}

asio::awaitable<SessionPage> Journal::read_session(SessionQuery query) {
  return read_page(std::move(query), &JournalEngine::read_session);
}

void Journal::visit_stored(const DocumentQuery& query, const DocumentVisitor& visit) {
  const std::string damaged = read_stored([&] { return engine_->visit_documents(query, visit); });
  if (!damaged.empty()) health_.damaged("the document " + damaged + " was changed");
}

asio::awaitable<std::vector<Document>> Journal::read_documents(std::string prefix) {
  return read_documents(DocumentQuery{.prefix = std::move(prefix)});
}

asio::awaitable<std::vector<Document>> Journal::read_documents(DocumentQuery query) {
  auto work = [this, query = std::move(query)] {
    std::vector<Document> found;
    visit_stored(query, [&found](std::string_view key, std::string_view value) {
      found.push_back({.key = std::string(key), .value = std::string(value)});
    });
    return found;
  };
  co_return co_await reader_.run(std::move(work));
}

asio::awaitable<void> Journal::visit_documents(std::string prefix, DocumentVisitor visit) {
  auto work = [this, query = DocumentQuery{.prefix = std::move(prefix)}, visit = std::move(visit)] {
    visit_stored(query, visit);
  };
  co_await reader_.run(std::move(work));
}

JournalCounts Journal::counts() const {
  return {.appended = appended_.load(std::memory_order_relaxed),
          .commits = commits_.load(std::memory_order_relaxed),
          .failures = failures_.load(std::memory_order_relaxed)};
}

std::optional<std::string> Journal::problem() const {
  if (auto stored = health_.problem()) return stored;
  return log_->problem();
}

std::optional<std::string> Journal::refusal() const {
  if (auto stored = health_.refusal()) return stored;
  return log_->problem();
}

void Journal::run() {
  using Clock = std::chrono::steady_clock;
  auto retention_due = Clock::now();
  while (auto entries = log_->take(retention_due)) {
    const bool is_due = Clock::now() >= retention_due;
    // Before the commit: what a lost file takes is lost.
    if (is_due) check_storage();
    if (!entries->empty()) apply(*std::move(entries));
    if (!is_due) continue;
    const bool has_more = apply_retention();
    // The rest is removed after the next commits, so that appends never wait long for it.
    retention_due = Clock::now();
    if (!has_more) retention_due += options_.retention_interval;
  }
}

void Journal::check_storage() {
  if (const auto reason = engine_->loss()) health_.lost(*reason);
}

void Journal::refuse(std::vector<Entry> entries, const Error& error) {
  failures_.fetch_add(1, std::memory_order_relaxed);
  if (log_->put_back(entries)) return;
  for (const Entry& entry : entries) {
    for (const AppendHandler& handler : log_->handlers_of(entry))
      handler(error);
  }
}

void Journal::apply(std::vector<Entry> entries) {
  if (const auto loss = health_.loss()) {
    refuse(std::move(entries), journal_lost(*loss));
    return;
  }
  const Judgement judgement = judge_.judge(entries);
  if (ORIEL_MUTANT(kAcknowledgeEarly)) acknowledge_early(entries, judgement);
  try {
    ORIEL_FAILPOINT(kWriteBefore);
    engine_->commit(judgement.records, judgement.documents);
  } catch (const StorageLoss& loss) {
    health_.lost(loss.what());
    refuse(std::move(entries), journal_lost(loss.what()));
    return;
  } catch (const std::exception& failure) {
    // A shared log returns them until they are stored.
    health_.commit_failed(failure.what(), has_shared_log_ ? 0 : judgement.records.size());
    refuse(std::move(entries), journal_failed(failure.what()));
    return;
  }
  stored(judgement);
  const Handlers handlers = take_handlers(entries, judgement);
  note_stored(judgement, handlers);
  announce(judgement);
  answer(entries, judgement, handlers);
}

void Journal::stored(const Judgement& judgement) {
  health_.committed();
  appended_.fetch_add(judgement.records.size(), std::memory_order_relaxed);
  commits_.fetch_add(1, std::memory_order_relaxed);
  judge_.stored(judgement);
}

void Journal::announce(const Judgement& judgement) {
  if (!judgement.documents.empty()) {
    for (const DocumentListener& listener : document_listeners_)
      listener(judgement.documents);
  }
  const std::vector<RecordPtr> committed(judgement.records.begin(), judgement.records.end());
  ORIEL_FAILPOINT(kAnnounceBefore);
  if (listener_ && !committed.empty()) listener_(committed);
  ORIEL_FAILPOINT(kAnnounceAfter);
  note_applied(judgement);
}

// Resumes those who wait for a place that is applied now.
void Journal::note_applied(const Judgement& judgement) {
  const MutexLock lock(mutex_);
  if (applied_ == judge_.applied()) return;
  applied_ = judge_.applied();
  marks_.insert(marks_.end(), judgement.marks.begin(), judgement.marks.end());
  while (marks_.size() > kRememberedMarks)
    marks_.pop_front();
  std::vector<Reaching> left;
  for (Reaching& each : reaching_) {
    if (has_reached(each))
      asio::post(each.timer->get_executor(), [timer = each.timer] { timer->cancel(); });
    else
      left.push_back(std::move(each));
  }
  reaching_ = std::move(left);
}

Journal::Handlers Journal::take_handlers(const std::vector<Entry>& entries,
                                         const Judgement& judgement) {
  Handlers handlers(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (judgement.entries[i].is_passed_over)
      log_->passed_over(entries[i]);
    else
      handlers[i] = log_->handlers_of(entries[i]);
  }
  return handlers;
}

void Journal::note_stored(const Judgement& judgement, const Handlers& handlers) {
  for (std::size_t i = 0; i < handlers.size(); ++i) {
    for (std::size_t k = 0; k < handlers[i].size(); ++k) {
      const bool is_stored = judgement.entries[i].proposals[k] == ProposalVerdict::kStored;
      if (is_stored && handlers[i][k].on_stored) handlers[i][k].on_stored();
    }
  }
}

void Journal::answer(const std::vector<Entry>& entries, const Judgement& judgement,
                     const Handlers& handlers) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t k = 0; k < handlers[i].size(); ++k) {
      const NewRecords& records = entries[i].proposals[k].records;
      if (judgement.entries[i].proposals[k] == ProposalVerdict::kStored)
        handlers[i][k](std::vector<RecordPtr>(records.begin(), records.end()));
      else
        handlers[i][k](overtaken());
    }
  }
}

// For the mutant: the numbers that the events are going to get.
void Journal::acknowledge_early(const std::vector<Entry>& entries, const Judgement& judgement) {
  Sequence next = engine_->head();
  for (const std::shared_ptr<Record>& record : judgement.records)
    record->sequence = ++next;
  const Handlers handlers = take_handlers(entries, judgement);
  note_stored(judgement, handlers);
  answer(entries, judgement, handlers);
  std::this_thread::sleep_for(kMutantDelay);
}

// Removes a slice; true if there is more to remove.
bool Journal::apply_retention() {
  if (health_.loss()) return false;
  try {
    const bool has_more = remove_old();
    health_.retained();
    return has_more;
  } catch (const StorageLoss& loss) {
    health_.lost(loss.what());
    return false;
  } catch (const std::exception& failure) {
    health_.retention_failed(failure.what());
    return false;
  }
}

Moment Journal::now() const {
  return {.wall = options_.clock(), .steady = options_.steady_clock()};
}

bool Journal::remove_old() {
  const std::uint64_t stored = engine_->head() + 1 - engine_->oldest();
  if (retention_clock_.advance(now(), stored)) {
    log()->warn(
        "journal: the clock is at {}, expected {}; until it is corrected, at most {} % of the "
        "events are removed per hour",
        format_time(retention_clock_.wall()), format_time(retention_clock_.trusted()),
        options_.doubtful_percent_per_hour);
  }
  note_clock();
  if (engine_->apply_retention(retention_clock_.trusted())) return true;
  remove_doubtful();
  return false;
}

// Lets retention catch up slowly with a clock that jumped, in case it is right.
void Journal::remove_doubtful() {
  const std::uint64_t allowed = std::min(retention_clock_.allowance(), kMaxDoubtfulSlice);
  if (allowed == 0) return;
  const std::uint64_t removed = engine_->remove_aged(retention_clock_.wall(), allowed);
  retention_clock_.removed(removed);
  if (removed == allowed) return;
  log()->info("journal: retention follows the clock again");
  retention_clock_.trust();
  note_clock();
}

void Journal::note_clock() {
  const auto ahead = retention_clock_.wall() - retention_clock_.trusted();
  clock_ahead_.store(ahead.count(), std::memory_order_relaxed);
}

}  // namespace oriel
