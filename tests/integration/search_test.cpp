// Search over the real program: REST, the command line, a crash and a lost index.

#include "hosted_fixture.h"
#include "session_client.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <filesystem>

namespace oriel {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::Not;

json::array search(const ServerProcess& server, const std::string& query) {
  const HttpResponse response = get(server, "/api/search?q=" + query);
  EXPECT_EQ(response.status, 200) << response.body;
  return response.json().at("results").as_array();
}

bool finds(const ServerProcess& server, const std::string& query, std::size_t count) {
  return eventually([&] { return search(server, query).size() == count; });
}

TEST(R_SEARCH_1, ASessionIsFoundByItsMessagesToolsAndTitle) {
  HostedFixture fixture;
  json::object request = fixture.request();
  request["title"] = "Count the zebras";
  SessionClient session(fixture.server(), request);
  session.task("list");
  EXPECT_TRUE(finds(fixture.server(), "zebras", 1));
  ASSERT_TRUE(finds(fixture.server(), "list_files&types=tool_call", 1));
  const json::array found = search(fixture.server(), "list_files&types=tool_call");
  EXPECT_EQ(found.at(0).at("session_id").as_string(), session.id());
  EXPECT_EQ(found.at(0).at("title").as_string(), "Count the zebras");
  const auto index = found.at(0).at("index").to_number<std::int64_t>();
  const json::object events =
      get(fixture.server(), "/api/sessions/" + session.id() +
                                "/events?limit=1&since_index=" + std::to_string(index - 1))
          .json();
  EXPECT_EQ(events.at("events").at(0).at("type").as_string(), "tool_call")
      << "the index is that of the event";
}

TEST(R_SEARCH_4, ACrashLosesNothingThatCanBeFound) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  for (int i = 0; i < 3; ++i)
    session.task("list");
  const std::size_t count = 3;
  ASSERT_TRUE(finds(fixture.server(), "list&types=message&role=user", count));
  fixture.server().kill();
  fixture.restart();
  EXPECT_TRUE(finds(fixture.server(), "list&types=message&role=user", count));
  SessionClient again(fixture.server(), fixture.request());
  again.task("list");
  EXPECT_TRUE(finds(fixture.server(), "list&types=message&role=user", count + 1));
}

TEST(R_SEARCH_4, ALostIndexIsMadeAgain) {
  HostedFixture fixture;
  SessionClient session(fixture.server(), fixture.request());
  session.task("list");
  ASSERT_TRUE(finds(fixture.server(), "list&types=message&role=user", 1));
  fixture.server().kill();
  for (const char* const name : {"search.db", "search.db-wal", "search.db-shm"})
    std::filesystem::remove(fixture.data() / name);
  fixture.restart();
  EXPECT_TRUE(finds(fixture.server(), "list&types=message&role=user", 1));
}

TEST(R_SEARCH_5, SearchCanBeSwitchedOff) {
  HostedFixture fixture({"--search-bytes", "0"});
  const HttpResponse response = get(fixture.server(), "/api/search?q=list");
  EXPECT_EQ(response.status, 404);
  EXPECT_THAT(response.body, HasSubstr("--search-bytes"));
  EXPECT_FALSE(std::filesystem::exists(fixture.data() / "search.db"));
}

TEST(R_SEARCH_6, TheCommandPrintsResultsAndHowToOpenThem) {
  HostedFixture fixture({"--store", "memory"});
  json::object request = fixture.request();
  request["title"] = "Count \x1b[2J zebras";
  SessionClient session(fixture.server(), request);
  session.task("list");
  ASSERT_TRUE(finds(fixture.server(), "list&types=message&role=user", 1));
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "search");
    words.insert(words.end(), {"--url", fixture.server().url()});
    return run_oriel(std::move(words));
  };
  const Finished found = run({"list", "--type", "message", "--role", "user", "--since", "1h"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("  user: list\n"));
  EXPECT_THAT(found.out,
              HasSubstr(fixture.server().url() + "/#/sessions/" + session.id() + "?at=turn_"));
  EXPECT_THAT(found.out, Not(HasSubstr("\x1b")));
  const Finished lines = run({"list", "--json", "--limit", "1", "--type", "message"});
  EXPECT_EQ(json::parse(lines.out).at("session_id").as_string(), session.id());
  EXPECT_THAT(run({"nowhere"}).out, HasSubstr("Nothing found."));
  EXPECT_EQ(run({"!!"}).exit_code, 1);
  EXPECT_THAT(run({"!!"}).err, HasSubstr("has no word"));
  EXPECT_EQ(run({"list", "--since", "yesterday"}).exit_code, 2);
  EXPECT_EQ(run({"list", "--limit", "0"}).exit_code, 2);
  EXPECT_EQ(run({}).exit_code, 2);
}

}  // namespace
}  // namespace oriel
