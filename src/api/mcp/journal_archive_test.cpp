#include "api/mcp/journal_archive.h"

#include "api/api_testing.h"
#include "cluster/peers_testing.h"

#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;

class JournalArchiveTest : public ApiFixture {
 protected:
  // "key=value", in order.
  std::vector<std::string> loaded(mcp::ArchiveQuery query = {.prefix = "mcp/"}) {
    std::vector<std::string> lines;
    for (const mcp::ArchiveEntry& entry : wait(archive_.load(std::move(query))))
      lines.push_back(entry.key + "=" + entry.value);
    return lines;
  }

  JournalArchive archive_{journal_};
};

TEST_F(JournalArchiveTest, LoadsWhatWasSavedLastUnderEachKey) {
  EXPECT_TRUE(wait(archive_.save({{"mcp/session/a", "1"}, {"mcp/session/b", "2"}})));
  EXPECT_TRUE(wait(archive_.save({{"mcp/session/a", "3"}, {"mcp/call/a/c", "4"}})));
  EXPECT_THAT(loaded(), ElementsAre("mcp/call/a/c=4", "mcp/session/a=3", "mcp/session/b=2"));
}

TEST_F(JournalArchiveTest, AnEmptyValueRemovesTheEntry) {
  EXPECT_TRUE(wait(archive_.save({{"mcp/session/a", "1"}, {"mcp/session/b", "2"}})));
  EXPECT_TRUE(wait(archive_.save({{"mcp/session/a", ""}})));
  EXPECT_THAT(loaded(), ElementsAre("mcp/session/b=2"));
}

TEST_F(JournalArchiveTest, LeavesOutDocumentsOfOthers) {
  create_session();
  EXPECT_TRUE(wait(archive_.save({{"mcp/session/a", "1"}})));
  EXPECT_THAT(loaded(), ElementsAre("mcp/session/a=1"));
}

// Two nodes whose journals are one.
class JournalArchiveOfACluster : public testing::Test {
 protected:
  JournalArchiveOfACluster() { journal_.start(); }

  ~JournalArchiveOfACluster() override {
    journal_.stop();
    thread_.join();
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    return asio::co_spawn(thread_, std::move(work), asio::use_future).get();
  }

  // The keys, each with a space.
  std::string keys(JournalArchive& archive, mcp::ArchiveQuery query) {
    std::string keys;
    for (const mcp::ArchiveEntry& entry : wait(archive.load(std::move(query))))
      keys += entry.key + " ";
    return keys;
  }

  static bool anything(std::string_view) { return true; }

  asio::thread_pool thread_{1};
  Journal journal_{make_memory_engine({}), {}};
  std::vector<std::string> taken_from_a_;  // on the journal's thread
  TestNetwork network_;
  TestPeers peers_of_a_{network_, {.name = "a", .life = "a.1"}, thread_.get_executor(), journal_};
  TestPeers peers_of_b_{network_, {.name = "b", .life = "b.1"}, thread_.get_executor(), journal_};
  JournalArchive a_{journal_, &peers_of_a_,
                    [this](std::string key) { taken_from_a_.push_back(key); }};
  JournalArchive b_{journal_, &peers_of_b_, [](const std::string&) {}};
};

TEST_F(JournalArchiveOfACluster, LoadsPageByPageWhatItsNodeHasSaved) {
  EXPECT_TRUE(wait(a_.save({{"mcp/session/x", "0"}})));
  EXPECT_TRUE(wait(b_.save({{"mcp/call/a/c", "1"},
                            {"mcp/session/a", "2"},
                            {"mcp/session/b", "3"},
                            {"mcp/session/c", "4"}})));
  const auto page = [&](const std::string& after) {
    return keys(b_, {.prefix = "mcp/session/", .after = after, .max_entries = 2});
  };
  EXPECT_EQ(page(""), "mcp/session/a mcp/session/b ");
  EXPECT_EQ(page("mcp/session/b"), "mcp/session/c ");
  EXPECT_EQ(page("mcp/session/c"), "");
}

TEST_F(JournalArchiveOfACluster, MovesASessionWithItsCallsToTheNodeThatTakesItOver) {
  EXPECT_TRUE(
      wait(a_.save({{"mcp/session/x", "1"}, {"mcp/call/x/c", "2"}, {"mcp/session/y", "3"}})));
  EXPECT_TRUE(wait(b_.take_over("x", anything)));
  EXPECT_EQ(keys(b_, {.prefix = "mcp/session/"}), "mcp/session/x ");
  EXPECT_EQ(keys(b_, {.prefix = "mcp/call/"}), "mcp/call/x/c ");
  EXPECT_EQ(keys(a_, {.prefix = "mcp/session/"}), "mcp/session/y ");
  EXPECT_EQ(keys(a_, {.prefix = "mcp/call/"}), "");
  journal_.stop();
  EXPECT_THAT(taken_from_a_, ElementsAre("mcp/session/x"));
}

TEST_F(JournalArchiveOfACluster, FindsATaskOfAnotherNodeAndTakesItUnlessItHasChanged) {
  EXPECT_TRUE(wait(a_.save({{"mcp/task/t", "1"}})));
  EXPECT_FALSE(wait(a_.find_elsewhere("mcp/task/t"))) << "it is here";
  EXPECT_FALSE(wait(b_.find_elsewhere("mcp/task/u")));
  const auto found = wait(b_.find_elsewhere("mcp/task/t"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server, "a");
  EXPECT_EQ(found->entry.value, "1");
  EXPECT_TRUE(wait(a_.save({{"mcp/task/t", "2"}})));
  EXPECT_FALSE(wait(b_.take(*found)));
  EXPECT_TRUE(wait(b_.take(wait(b_.find_elsewhere("mcp/task/t")).value())));
  EXPECT_EQ(keys(b_, {.prefix = "mcp/task/"}), "mcp/task/t ");
  EXPECT_EQ(keys(a_, {.prefix = "mcp/task/"}), "");
  journal_.stop();
  EXPECT_THAT(taken_from_a_, ElementsAre("mcp/task/t"));
}

TEST_F(JournalArchiveOfACluster, AsksTheNodeOfATaskIfItRuns) {
  peers_of_a_.serve(kMcpTaskCall, [](std::string request) -> asio::awaitable<Result<std::string>> {
    co_return "answer to " + request;
  });
  EXPECT_EQ(wait(b_.ask("a", "get")).value(), std::nullopt) << "it has gone";
  peers_of_a_.start();
  peers_of_b_.start();
  EXPECT_EQ(wait(b_.ask("a", "get")).value(), "answer to get");
}

TEST_F(JournalArchiveOfACluster, AllNodesAgreeOnTheFirstValue) {
  EXPECT_EQ(wait(a_.agree("mcp/key", "of a")), "of a");
  EXPECT_EQ(wait(b_.agree("mcp/key", "of b")), "of a");
  EXPECT_EQ(wait(a_.agree("mcp/key", "later")), "of a");
}

TEST_F(JournalArchiveOfACluster, LeavesASessionThatItMayNotTake) {
  EXPECT_TRUE(wait(a_.save({{"mcp/session/x", "of ann"}})));
  EXPECT_FALSE(wait(b_.take_over("x", [](std::string_view saved) { return saved == "of bob"; })));
  EXPECT_EQ(keys(a_, {.prefix = "mcp/session/"}), "mcp/session/x ");
}

TEST_F(JournalArchiveOfACluster, FindsNoSessionWhoseIdOnlyBeginsAlike) {
  EXPECT_TRUE(wait(a_.save({{"mcp/session/xy", "1"}})));
  EXPECT_FALSE(wait(b_.take_over("x", anything)));
  EXPECT_FALSE(wait(b_.take_over("z", anything)));
}

}  // namespace
}  // namespace oriel
