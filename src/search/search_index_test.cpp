#include "search/search_testing.h"

#include <sys/stat.h>

#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class R_SEARCH_1_Index : public SearchFixture {};

class R_SEARCH_2_Index : public SearchFixture {};

class R_SEARCH_4_Index : public SearchFixture {};

class R_SEARCH_5_Index : public SearchFixture {};

TEST_F(R_SEARCH_1_Index, FindsMessagesToolsAndErrorsNewestFirst) {
  start();
  say("ses_1", "Fix the login page", TurnActor::kUser);
  append("ses_2",
         event::ToolCall{.id = "c", .name = "Read", .input = R"({"path":"web/login.ts"})"});
  append("ses_2", event::ToolResult{.id = "c", .name = "Read", .output = "export login"});
  append("ses_1", event::TaskError{.message = "login failed"});
  EXPECT_THAT(found("login"), ElementsAre("ses_1: login failed", "ses_2: export login",
                                          "ses_2: Read web/login.ts", "ses_1: Fix the login page"));
  const SearchHit hit = search("page").hits.front();
  EXPECT_EQ(hit.entry.actor, TurnActor::kUser);
  EXPECT_EQ(hit.entry.turn_id, "turn_1");
  EXPECT_EQ(hit.entry.time, time_);
  EXPECT_EQ(hit.entry.sequence, 1U);
  EXPECT_EQ(hit.entry.index, 0);
  EXPECT_EQ(hit.snippet.ranges, (std::vector<TextRange>{{14, 18}}));
}

TEST_F(R_SEARCH_1_Index, FindsSessionsByTheirCurrentTitleAndProject) {
  start();
  say("ses_1", "hello");
  sessions_["ses_1"] = {.rank = 0, .title = "Repair the checkout", .project_id = "shop"};
  EXPECT_THAT(found("checkout shop"), ElementsAre("ses_1: Repair the checkout shop"));
  EXPECT_EQ(search("repair").hits.front().entry.kind, SearchKind::kTitle);
  sessions_["ses_1"].title = "check\x02out\x03";
  EXPECT_EQ(search("check").hits.front().snippet.ranges, (std::vector<TextRange>{{0, 5}}))
      << "a title cannot forge a match";
  sessions_["ses_1"].title = "Renamed";
  EXPECT_THAT(found("checkout"), IsEmpty());
  EXPECT_THAT(found("renamed"), SizeIs(1));
  sessions_.clear();
  EXPECT_THAT(found("renamed"), IsEmpty());
}

TEST_F(R_SEARCH_1_Index, AChangedTurnIsFoundByItsNewTextOnly) {
  start();
  Turn said = turn("ses_1", "wrong words");
  append(turn_created_event(said));
  EXPECT_THAT(found("wrong"), SizeIs(1));
  said.text = "right words";
  append(turn_updated_event(said, TurnChange::kText));
  EXPECT_THAT(found("words"), ElementsAre("ses_1: right words"));
  append(turn_updated_event(said, TurnChange::kWithdrawn));
  EXPECT_THAT(found("words"), IsEmpty());
}

TEST_F(R_SEARCH_1_Index, FindsImportedTurnsOnce) {
  start();
  Turn old = turn("old", "from the archive");
  old.source = TurnSource::kImport;
  const auto import = [&] {
    SessionEvent event;
    event.session_id = "old";
    event.payload = event::SessionImported{};
    sessions_["old"] = {};
    std::vector<SessionEvent> events{event};
    std::vector<Document> documents{
        {.key = "observed/old", .value = "{}"},
        {.key = turn_document_key("old", old.turn_id), .value = to_document(old)}};
    wait(journal_->append(std::move(events), std::move(documents))).value();
  };
  import();
  EXPECT_THAT(found("archive"), ElementsAre("old: from the archive"));
  import();
  EXPECT_THAT(found("archive"), SizeIs(1));
  // Also when the index is made anew and their event is no longer stored.
  stop();
  fs::remove(file());
  start();
  EXPECT_THAT(found("archive"), SizeIs(1));
}

TEST_F(R_SEARCH_2_Index, AllWordsMustMatchAsWordsPhrasesAndPrefixes) {
  start();
  say("ses_1", "exit code 3 of npm test");
  say("ses_2", "the code did exit, Grüße");
  EXPECT_THAT(found("code exit"), SizeIs(2));
  EXPECT_THAT(found("\"exit code\""), ElementsAre("ses_1: exit code 3 of npm test"));
  EXPECT_THAT(found("gruss"), IsEmpty());
  EXPECT_THAT(found("GRÜ*"), SizeIs(1));
  EXPECT_THAT(found("gru*"), SizeIs(1));
  EXPECT_THAT(found("code missing"), IsEmpty());
}

TEST_F(R_SEARCH_2_Index, FiltersByTypeRoleTimeAndSession) {
  start();
  say("ses_1", "alpha", TurnActor::kUser);
  time_ += std::chrono::minutes(90);
  say("ses_2", "alpha", TurnActor::kAgent);
  time_ += std::chrono::minutes(90);
  append("ses_3", event::TaskError{.message = "alpha"});
  const auto sessions = [&](auto change) {
    SearchQuery wanted = query("alpha");
    change(wanted);
    std::vector<std::string> ids;
    for (const SearchHit& hit : search(std::move(wanted)).hits)
      ids.push_back(hit.entry.session_id);
    return ids;
  };
  EXPECT_THAT(sessions([](auto& q) { q.kinds = {SearchKind::kMessage}; }),
              ElementsAre("ses_2", "ses_1"));
  EXPECT_THAT(sessions([](auto& q) {
                q.kinds = {SearchKind::kError, SearchKind::kToolCall};
              }),
              ElementsAre("ses_3"));
  EXPECT_THAT(sessions([](auto& q) { q.actor = TurnActor::kUser; }), ElementsAre("ses_1"));
  EXPECT_THAT(sessions([&](auto& q) { q.since = time_; }), ElementsAre("ses_3"));
  EXPECT_THAT(sessions([&](auto& q) { q.since = time_ - std::chrono::minutes(90); }),
              ElementsAre("ses_3", "ses_2"));
  EXPECT_THAT(sessions([&](auto& q) { q.until = time_; }), ElementsAre("ses_2", "ses_1"));
  EXPECT_THAT(sessions([&](auto& q) { q.since = time_ + std::chrono::hours(50); }), IsEmpty());
  EXPECT_THAT(sessions([&](auto& q) { q.until = time_ - std::chrono::hours(50); }), IsEmpty());
  EXPECT_THAT(sessions([](auto& q) {
                q.sessions = std::make_shared<const SearchedSessions>(
                    SearchedSessions{{"ses_2", {}}, {"unknown", {}}});
              }),
              ElementsAre("ses_2"));
  EXPECT_THAT(sessions([](auto& q) { q.sessions = std::make_shared<const SearchedSessions>(); }),
              IsEmpty());
}

TEST_F(R_SEARCH_2_Index, PagesThroughAllResultsWithACursor) {
  start();
  for (int i = 0; i < 25; ++i)
    say("ses_" + std::to_string(i % 3), "needle " + std::to_string(i));
  SearchQuery wanted = query("needle");
  wanted.limit = 10;
  std::vector<std::size_t> sizes;
  std::set<Sequence> seen;
  while (true) {
    const SearchResults page = search(wanted);
    sizes.push_back(page.hits.size());
    for (const SearchHit& hit : page.hits)
      seen.insert(hit.entry.sequence);
    if (!page.next) break;
    wanted.cursor = parse_search_cursor(format_search_cursor(*page.next)).value();
  }
  EXPECT_THAT(sizes, ElementsAre(10, 10, 5));
  EXPECT_THAT(seen, SizeIs(25));
}

TEST_F(R_SEARCH_2_Index, ManySessionsThatAreAllowedAreFilteredAsFewAre) {
  start();
  for (int i = 0; i < 300; ++i)
    say("ses_" + std::to_string(i), "common");
  sessions_.erase("ses_299");
  SearchQuery wanted = query("common");
  wanted.limit = 3;
  EXPECT_THAT(found(wanted), ElementsAre("ses_298: common", "ses_297: common", "ses_296: common"));
}

TEST_F(R_SEARCH_2_Index, ACursorOfAnIndexThatWasReplacedIsRefused) {
  start();
  say("ses_1", "word");
  await_index();
  SearchQuery wanted = query("word");
  wanted.cursor = SearchCursor{.generation = "0123456789abcdef", .before = 1};
  EXPECT_EQ(wait(index_->search(wanted)).error().kind, ErrorKind::kInvalidCursor);
  for (const char* const text : {"", "-", "x-1", "0123456789abcdef-", "0123456789abcdef--1",
                                 "0123456789abcdef-99999999999999999999"})
    EXPECT_EQ(parse_search_cursor(text).error().kind, ErrorKind::kInvalidCursor) << text;
}

TEST_F(R_SEARCH_4_Index, ARestartGoesOnWhereItStopped) {
  start();
  say("ses_1", "before");
  const SearchResults first = search("before");
  stop();
  start();
  const SearchResults same = search("before");
  EXPECT_THAT(same.hits, SizeIs(1));
  EXPECT_EQ(same.generation, first.generation) << "it is the same index";
  say("ses_1", "after");
  EXPECT_THAT(search("after").hits, SizeIs(1));
  EXPECT_THAT(search("before").hits, SizeIs(1));
}

// The files as kill -9 would leave them, at some moment between two commits of the index.
TEST_F(R_SEARCH_4_Index, AProcessThatIsKilledWhileItIndexesLosesNothing) {
  const fs::path left = directory_ / "left";
  fs::create_directory(left);
  start();
  for (int i = 0; i < 100; ++i) {
    say("ses_1", "needle " + std::to_string(i));
    if (i != 50) continue;
    ASSERT_TRUE(eventually([&] { return fs::exists(file().native() + "-wal"); }));
    fs::copy(file(), left / "search.db");
    fs::copy(file().native() + "-wal", left / "search.db-wal");
  }
  await_index();
  stop();
  for (const char* const name : {"search.db", "search.db-wal", "search.db-shm"})
    fs::remove(directory_ / name);
  fs::rename(left / "search.db", file());
  fs::rename(left / "search.db-wal", file().native() + "-wal");
  start();
  SearchQuery wanted = query("needle");
  wanted.limit = 1000;
  EXPECT_THAT(search(wanted).hits, SizeIs(100));
}

TEST_F(R_SEARCH_4_Index, ADeletedFileIsMadeAgain) {
  start();
  say("ses_1", "kept");
  await_index();
  stop();
  fs::remove(file());
  start();
  EXPECT_EQ(search("kept").hits.size(), 1U);
}

TEST_F(R_SEARCH_4_Index, AFileThatIsNoIndexIsMadeAgain) {
  for (const std::string& contents : {std::string("not a database"), std::string(100'000, 'x')}) {
    std::ofstream(file()) << contents;
    start();
    say("ses_1", "kept");
    EXPECT_GE(search("kept").hits.size(), 1U);
    stop();
  }
}

void overwrite(const fs::path& file, std::uintmax_t from, std::uintmax_t until) {
  std::fstream damaged(file, std::ios::in | std::ios::out | std::ios::binary);
  damaged.seekp(static_cast<std::streamoff>(from));
  damaged << std::string(until - from, '\xa5');
}

TEST_F(R_SEARCH_4_Index, ADamagedFileIsMadeAgainWhenTheDamageIsMet) {
  using Damage = void (*)(const fs::path&);
  constexpr std::uintmax_t kPage = 4096;
  const Damage damages[] = {
      [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2 / kPage * kPage); },
      [](const fs::path& file) { overwrite(file, 0, kPage); },
      [](const fs::path& file) { overwrite(file, kPage, fs::file_size(file)); }};
  int said = 0;
  for (const Damage damage : damages) {
    start();
    for (int i = 0; i < 50; ++i, ++said)
      say("ses_1", "needle " + std::string(2000, 'x') + " number" + std::to_string(said));
    await_index();
    stop();
    damage(file());
    start();
    say("ses_1", "another needle");
    ++said;
    EXPECT_TRUE(eventually([&] {
      SearchQuery wanted = query("needle");
      wanted.limit = 1000;
      return wait(index_->search(wanted)).value().hits.size() == static_cast<std::size_t>(said);
    }));
    stop();
  }
}

TEST_F(R_SEARCH_4_Index, AnotherEpochMeansAnotherIndex) {
  is_in_memory_ = false;
  start({}, make_memory_engine({}));
  say("ses_1", "first life");
  await_index();
  stop();
  start({}, make_memory_engine({}));
  EXPECT_THAT(found("life"), IsEmpty());
  say("ses_1", "second life");
  EXPECT_THAT(found("life"), ElementsAre("ses_1: second life"));
}

TEST_F(R_SEARCH_4_Index, WorksInMemoryWithoutAFile) {
  is_in_memory_ = true;
  start({}, make_memory_engine({}));
  for (int i = 0; i < 200; ++i)
    say("ses_1", "needle");
  EXPECT_EQ(search("needle").hits.size(), 20U);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(R_SEARCH_4_Index, IsPrivateToItsUser) {
  start();
  say("ses_1", "word");
  await_index();
  for (const char* const suffix : {"", "-wal", "-shm"}) {
    struct stat status {};

    ASSERT_EQ(::stat((file().native() + suffix).c_str(), &status), 0) << suffix;
    EXPECT_EQ(status.st_mode & 0777U, 0600U) << suffix;
  }
}

TEST_F(R_SEARCH_5_Index, RetentionRemovesEntriesWithTheirEvents) {
  const auto engine = [&] {
    return open_sqlite_engine(
        {.file = directory_ / "journal.db", .retention = {.max_age = {}, .max_bytes = 256 << 10}});
  };
  start({}, engine());
  for (int i = 0; i < 400; ++i)
    say("ses_1", "needle" + std::to_string(i) + " " + std::string(2000, 'x'));
  ASSERT_TRUE(eventually([&] { return journal_->oldest() > 100; }));
  await_index();
  EXPECT_TRUE(eventually([&] { return search("needle0").hits.empty(); }));
  EXPECT_EQ(search("needle399").hits.size(), 1U);
  const std::string newest_gone = "needle" + std::to_string(journal_->oldest() - 2);
  EXPECT_TRUE(eventually([&] { return search(newest_gone).hits.empty(); }));
}

TEST_F(R_SEARCH_5_Index, BeyondItsSizeTheOldestEntriesAreForgotten) {
  start({.max_bytes = 1 << 20});
  for (int i = 0; i < 1200; ++i) {
    std::string text = "needle" + std::to_string(i);
    for (int word = 0; word < 200; ++word)
      text += " w" + std::to_string(i * 7 + word * 13);
    say("ses_1", text);
  }
  EXPECT_EQ(search("needle1199").hits.size(), 1U);
  EXPECT_TRUE(eventually([&] { return index_->status().bytes <= 1U << 20; }));
  EXPECT_TRUE(search("needle0").hits.empty());
  EXPECT_EQ(search("needle1199").hits.size(), 1U);
}

TEST_F(R_SEARCH_5_Index, ARemovedSessionIsForgotten) {
  start();
  say("ses_1", "private words");
  say("ses_2", "other words");
  await_index();
  remove_session("ses_1");
  EXPECT_TRUE(eventually([&] { return search("private").hits.empty(); }));
  EXPECT_EQ(search("words").hits.size(), 1U);
  stop();
  std::ifstream stream(file(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(bytes.find("private words"), std::string::npos) << "its text is overwritten";
}

TEST_F(R_SEARCH_5_Index, ASessionThatWasRemovedMeanwhileIsForgottenAtTheNextStart) {
  start();
  say("ses_1", "private words");
  await_index();
  stop();
  SearchOptions off;
  off.max_bytes = 0;
  start(off);
  remove_session("ses_1");
  stop();
  start();
  EXPECT_TRUE(eventually([&] { return search("private").hits.empty(); }));
}

TEST_F(R_SEARCH_5_Index, TooManySearchesAtOnceAreRefused) {
  start({.max_searches = 0});
  EXPECT_EQ(wait(index_->search(query("word"))).error().kind, ErrorKind::kSearchBusy);
  EXPECT_EQ(index_->status().refused, 1U);
}

TEST_F(R_SEARCH_5_Index, ASearchStopsAtItsDeadlineAndCanGoOn) {
  start({.deadline = std::chrono::milliseconds(0)});
  for (int i = 0; i < 300; ++i)
    say("ses_1", "needle");
  SearchQuery wanted = query("needle");
  wanted.limit = 100;
  const SearchResults first = search(wanted);
  EXPECT_LT(first.hits.size(), 100U);
  ASSERT_TRUE(first.next);
  wanted.cursor = first.next;
  EXPECT_GT(search(wanted).hits.front().id, 0);
}

TEST_F(R_SEARCH_5_Index, WithoutASizeThereIsNoIndex) {
  start({.max_bytes = 0});
  EXPECT_EQ(wait(index_->search(query("word"))).error().kind, ErrorKind::kNotFound);
  EXPECT_FALSE(fs::exists(file()));
}

}  // namespace
}  // namespace oriel
