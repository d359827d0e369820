#include "api/mcp/session_watcher.h"

#include "api/mcp/watch_reader.h"
#include "base/text/json_access.h"

#include <boost/json/array.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxWatches = 1000;  // of one client, ended ones included
constexpr std::size_t kMaxClaimed = 64;    // ranges kept per session

std::optional<Sequence> sequence_at(const json::object& from, std::string_view key) {
  const auto number = number_of(member(from, key));
  if (!number || *number < 0) return std::nullopt;
  return static_cast<Sequence>(*number);
}

json::object to_json(const WatchRange& range) {
  json::array claimed;
  for (const auto& [from, until] : range.claimed)
    claimed.push_back(json::array{from, until});
  json::object out{{"from", range.from}, {"claimed", std::move(claimed)}};
  if (!range.is_open()) out["until"] = range.until;
  return out;
}

WatchRange read_range(const json::object& from) {
  WatchRange range{.from = sequence_at(from, "from").value_or(kNoSequence),
                   .until = sequence_at(from, "until").value_or(kMaxSequence),
                   .claimed = {}};
  for (const json::value& pair : elements_of(member(from, "claimed"))) {
    const json::array& ends = elements_of(pair);
    if (ends.size() != 2) continue;
    range.claimed.emplace_back(number_of(ends[0]).value_or(0), number_of(ends[1]).value_or(0));
  }
  return range;
}

}  // namespace

bool WatchRange::has(Sequence sequence) const {
  if (sequence <= from || sequence > until) return false;
  return std::none_of(claimed.begin(), claimed.end(), [&](const auto& range) {
    return sequence > range.first && sequence <= range.second;
  });
}

SessionWatcher::SessionWatcher(ShardHub& hub, Journal& journal, EventMessageCache& messages,
                               asio::io_context::executor_type shard, Client client,
                               const json::object& before)
    : hub_(hub),
      journal_(journal),
      messages_(messages),
      shard_(shard),
      client_(std::move(client)),
      is_renumbered_(!before.empty() && text_of(member(before, "epoch")) != journal_.epoch()) {
  bool expects_calls = false;
  for (const json::object& saved : objects_of(member(before, "watches"))) {
    Watch watch{.range = read_range(saved),
                .claims = {},
                .claimed_from = sequence_at(saved, "claimed_from")};
    if (is_renumbered_) {
      if (!watch.range.is_open()) continue;
      watch = {.range = {.from = head(), .claimed = {}}, .claims = {}, .claimed_from = {}};
    }
    expects_calls = expects_calls || watch.claimed_from;
    watches_[text_at(saved, "session")] = std::move(watch);
  }
  if (expects_calls) wait_for_calls();
}

SessionWatcher::~SessionWatcher() = default;

void SessionWatcher::wait_for_calls() {
  call_return_ = std::make_shared<asio::steady_timer>(shard_, client_.call_return);
  call_return_->async_wait([this, is_alive = std::weak_ptr(call_return_)](error_code) {
    if (is_alive.expired()) return;
    call_return_.reset();
    wake_reader();
  });
}

bool SessionWatcher::watch(const std::string& session_id, Sequence after) {
  const auto known = watches_.find(session_id);
  if (known != watches_.end() && known->second.range.is_open()) return false;
  remove_unused();
  // What an earlier watch still has to deliver comes first in the journal, too.
  const Sequence from = std::max(after, head());
  WatchRange& range = watches_[session_id].range;
  if (!range.is_open())
    range.claimed.emplace_back(range.until, from);
  else
    range.from = from;
  range.until = kMaxSequence;
  if (reader_ != nullptr) reader_->resubscribe();
  client_.changed();
  return true;
}

bool SessionWatcher::unwatch(const std::string& session_id) {
  const auto found = watches_.find(session_id);
  if (found == watches_.end() || !found->second.range.is_open()) return false;
  found->second.range.until = head();
  remove_if_empty(session_id);
  client_.changed();
  return true;
}

std::vector<std::string> SessionWatcher::watched() const {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_) {
    if (watch.range.is_open()) ids.push_back(id);
  }
  return ids;
}

json::object SessionWatcher::state() const {
  json::array watches;
  for (const auto& [id, watch] : watches_) {
    json::object saved = to_json(watch.range);
    saved["session"] = id;
    if (watch.claimed_from) saved["claimed_from"] = *watch.claimed_from;
    watches.push_back(std::move(saved));
  }
  return {{"epoch", journal_.epoch()}, {"watches", std::move(watches)}};
}

// Nothing is pushed before the client has set a level.
void SessionWatcher::level_set() {
  for (auto& [id, watch] : watches_)
    watch.range.from = std::max(watch.range.from, head());
}

std::unique_ptr<mcp::SourceReader> SessionWatcher::read_after(std::uint64_t position,
                                                              std::function<void()> on_ready) {
  return std::make_unique<WatchReader>(*this, position, std::move(on_ready));
}

asio::awaitable<std::optional<mcp::Removed>> SessionWatcher::removed_after(std::uint64_t position) {
  if (journal_.missed_after(position) == 0) co_return std::nullopt;
  const auto watches = watches_;  // copy: they may change meanwhile
  for (const auto& [id, watch] : watches) {
    ReadQuery query{.after = std::max<Sequence>(position, watch.range.from),
                    .until = watch.range.until,
                    .filter = {.types = {}, .projects = {}, .sessions = {id}},
                    .max_records = 1};
    if (query.after >= query.until) continue;
    const Page page = co_await journal_.read(std::move(query));
    if (page.missed > 0)
      co_return mcp::Removed{.oldest = journal_.oldest(), .newest = journal_.head()};
  }
  co_return std::nullopt;
}

void SessionWatcher::settled(std::uint64_t position) {
  settled_ = std::max<Sequence>(settled_, position);
  for (auto& [id, watch] : watches_) {
    std::erase_if(watch.range.claimed, [&](const auto& range) { return range.second <= settled_; });
  }
  std::erase_if(watches_, [&](const auto& entry) {
    return entry.second.claims.empty() && entry.second.range.until <= settled_;
  });
}

SessionWatcher::Place SessionWatcher::place_of(const std::string& session_id, Sequence sequence) {
  const auto found = watches_.find(session_id);
  if (found == watches_.end()) return Place::kElsewhere;
  Watch& watch = found->second;
  const bool is_claimed = watch.claimed_from && sequence > *watch.claimed_from;
  if (is_claimed && !watch.claims.empty())
    return sequence <= watch.claims.front()->reached() ? Place::kElsewhere : Place::kUndecided;
  if (is_claimed && call_return_) return Place::kUndecided;
  // The call that a restart has ended has not come back: this stream goes on with its events.
  if (is_claimed) watch.claimed_from.reset();
  return watch.range.has(sequence) ? Place::kHere : Place::kElsewhere;
}

bool SessionWatcher::wants(mcp::LogLevel level) const {
  const auto least = client_.level();
  return least && level >= *least;
}

std::vector<std::string> SessionWatcher::readable() const {
  std::vector<std::string> ids;
  for (const auto& [id, watch] : watches_)
    ids.push_back(id);
  return ids;
}

void SessionWatcher::ended(const std::string& session_id, Sequence sequence) {
  const auto found = watches_.find(session_id);
  if (found == watches_.end() || !found->second.range.is_open()) return;
  found->second.range.until = sequence;
  client_.changed();
}

void SessionWatcher::remove_if_empty(const std::string& session_id) {
  const auto found = watches_.find(session_id);
  const Watch& watch = found->second;
  if (watch.claims.empty() && watch.range.is_empty()) watches_.erase(found);
}

// Makes room for another watch. One that has ended is kept for clients that read again.
void SessionWatcher::remove_unused() {
  if (watches_.size() < kMaxWatches) return;
  auto oldest = watches_.end();
  for (auto it = watches_.begin(); it != watches_.end(); ++it) {
    if (!it->second.claims.empty()) continue;
    if (oldest == watches_.end() || it->second.range.until < oldest->second.range.until)
      oldest = it;
  }
  if (oldest != watches_.end()) watches_.erase(oldest);
}

void SessionWatcher::wake_reader() {
  if (reader_ != nullptr) reader_->decided();
}

TaskClaim::TaskClaim(std::shared_ptr<SessionWatcher> watcher, std::string session_id)
    : watcher_(std::move(watcher)), session_id_(std::move(session_id)), changed_(watcher_->shard_) {
  const auto [entry, is_new] = watcher_->watches_.try_emplace(session_id_);
  SessionWatcher::Watch& watch = entry->second;
  if (is_new) watch.range.until = kNoSequence;  // not watched
  watch.claims.push_back(this);
  if (watch.claims.size() > 1) return;
  grant(watch.claimed_from.value_or(watcher_->head()));
}

void TaskClaim::grant(Sequence from) {
  watcher_->watches_[session_id_].claimed_from = from;
  reached_ = from;
  is_granted_ = true;
  watcher_->client_.changed();
}

TaskClaim::~TaskClaim() {
  SessionWatcher::Watch& watch = watcher_->watches_[session_id_];
  watch.claims.remove(this);
  if (!is_granted_) return;
  auto& claimed = watch.range.claimed;
  const Sequence from = *std::exchange(watch.claimed_from, std::nullopt);
  if (!claimed.empty() && claimed.back().second == from) {
    claimed.back().second = reached_;
  } else if (reached_ > from) {
    claimed.emplace_back(from, reached_);
  }
  if (claimed.size() > kMaxClaimed) claimed.erase(claimed.begin());
  watcher_->client_.changed();
  if (!watch.claims.empty()) {
    TaskClaim& next = *watch.claims.front();
    next.grant(reached_);
    next.changed_.notify();
  }
  watcher_->remove_if_empty(session_id_);
  watcher_->wake_reader();
}

void TaskClaim::reach(Sequence sequence) {
  if (sequence <= reached_) return;
  reached_ = sequence;
  if (is_granted_) watcher_->wake_reader();
}

asio::awaitable<void> TaskClaim::granted() {
  while (!is_granted_)
    co_await changed_.wait();
}

}  // namespace oriel
