#pragma once
// For tests: a journal and its search index.

#include "base/event/turn_event.h"
#include "base/eventually_testing.h"
#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "journal/sqlite/sqlite_engine.h"
#include "runtime/deadline.h"
#include "search/search_index.h"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

class SearchFixture : public testing::Test {
 protected:
  SearchFixture() { shards_.start(); }

  ~SearchFixture() override {
    stop();
    shards_.join();
  }

  void start(SearchOptions options = {}, std::unique_ptr<JournalEngine> engine = nullptr) {
    if (!engine) engine = open_sqlite_engine({.file = directory_ / "journal.db", .retention = {}});
    journal_.emplace(std::move(engine), JournalOptions{});
    if (options.file.empty() && !is_in_memory_) options.file = file();
    options.poll = std::chrono::milliseconds(1);
    index_ = std::make_unique<SearchIndex>(shards_[0].executor(), *journal_, std::move(options));
    journal_->start();
    wait(run_on(shards_[0].executor(), [this] { index_->start(); }));
  }

  void stop() {
    if (!journal_) return;
    wait(index_->stop());
    journal_->stop();
    index_.reset();
    journal_.reset();
  }

  std::filesystem::path file() const { return directory_ / "search.db"; }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  // Stores the event, and that its session exists.
  Sequence append(SessionEvent event) {
    const std::string id = event.session_id;
    sessions_.insert({id, {.rank = static_cast<std::int64_t>(sessions_.size())}});
    event.timestamp = time_;
    std::vector<SessionEvent> events{std::move(event)};
    std::vector<Document> documents{{.key = "session/" + id, .value = "{}"}};
    auto appending = journal_->append(std::move(events), std::move(documents));
    return wait(std::move(appending)).value().back()->sequence;
  }

  template <class Payload>
  Sequence append(const std::string& session_id, Payload payload) {
    SessionEvent event;
    event.session_id = session_id;
    event.payload = std::move(payload);
    return append(std::move(event));
  }

  // A message of the agent.
  Sequence say(const std::string& session_id, const std::string& text,
               TurnActor actor = TurnActor::kAgent) {
    return append(turn_created_event(turn(session_id, text, actor), std::nullopt));
  }

  Turn turn(const std::string& session_id, const std::string& text,
            TurnActor actor = TurnActor::kAgent) {
    Turn turn;
    turn.turn_id = "turn_" + std::to_string(++turns_);
    turn.session_id = session_id;
    turn.actor = actor;
    turn.text = text;
    turn.timestamp = time_;
    return turn;
  }

  void remove_session(const std::string& session_id) {
    std::vector<Document> documents{{.key = "session/" + session_id, .value = ""}};
    wait(journal_->append(std::vector<SessionEvent>(), std::move(documents))).value();
  }

  void await_index() {
    ASSERT_TRUE(eventually([&] { return index_->status().position >= journal_->head(); }));
  }

  SearchQuery query(std::string_view words) {
    SearchQuery query;
    query.words = parse_search_words(words).value();
    query.sessions = std::make_shared<const SearchedSessions>(sessions_);
    return query;
  }

  SearchResults search(SearchQuery query) {
    await_index();
    return wait(index_->search(std::move(query))).value();
  }

  SearchResults search(std::string_view words) { return search(query(words)); }

  // "session: snippet" of each hit.
  std::vector<std::string> found(SearchQuery query) {
    std::vector<std::string> lines;
    for (const SearchHit& hit : search(std::move(query)).hits)
      lines.push_back(hit.entry.session_id + ": " + hit.snippet.text);
    return lines;
  }

  std::vector<std::string> found(std::string_view words) { return found(query(words)); }

  TempDirectory directory_;
  bool is_in_memory_ = false;
  WallTime time_{std::chrono::hours(24 * 20'000)};
  std::uint64_t turns_ = 0;
  SearchedSessions sessions_;
  Shards shards_{1};
  std::optional<Journal> journal_;
  std::unique_ptr<SearchIndex> index_;
};

}  // namespace oriel
