// What transcripts add to hooks, line by line, as agents write them.

#include "observed_fixture.h"

#include <boost/json/array.hpp>
#include <gmock/gmock.h>

#include <filesystem>
#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::SizeIs;

std::string prompt_line(const std::string& uuid, const std::string& text,
                        Milliseconds before = Milliseconds{0}) {
  return ObservedFixture::prompt_line(uuid, text, time_before_now(before));
}

std::string answer_line(const std::string& uuid, const std::string& text) {
  return ObservedFixture::answer_line(uuid, text, time_before_now());
}

// A prompt and its answer, of this order also within one millisecond.
std::string exchange(const std::string& number, const std::string& prompt,
                     const std::string& answer, const std::string& prompt_id = "") {
  std::string lines =
      ObservedFixture::prompt_line("u" + number, prompt, time_before_now(), prompt_id);
  lines += answer_line("a" + number, answer);
  return lines;
}

TEST(R_TURN_3, AWrongTimeIsCorrectedAndBothTimesArePublished) {
  ObservedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=turn_created,turn_updated,turn_detected");
  watcher.hello();
  fixture.prompt("s1", "hello");
  const json::object created = watcher.next_event().json();
  const std::string written_at = time_before_now(Milliseconds{500});
  fixture.write("s1", ObservedFixture::prompt_line("u1", "hello", written_at));
  const json::object updated = next_of(watcher, "turn_updated").json();
  const json::object& data = updated.at("data").as_object();
  EXPECT_EQ(data.at("update_type"), "timestamp_correction");
  EXPECT_EQ(data.at("old_timestamp"), created.at("timestamp"));
  EXPECT_EQ(data.at("timestamp"), json::value(written_at));
  EXPECT_EQ(data.at("turn_id"), created.at("data").at("turn_id"));
  EXPECT_EQ(data.at("agent_id"), "s1");
  EXPECT_EQ(data.at("timestamp_source"), "transcript");
  EXPECT_EQ(watcher.next_event().event, "turn_detected");
}

TEST(R_TURN_4, ACorrectedTurnStandsAtItsPlace) {
  ObservedFixture fixture;
  fixture.prompt("s1", "first", "p1");
  fixture.write("s1", ObservedFixture::prompt_line("u1", "first", time_before_now(), "p1"));
  ASSERT_TRUE(eventually([&] {
    const auto turns = fixture.turn_objects("s1");
    return turns.size() == 1 && turns[0].at("entry_id") == "u1";
  }));
  const std::string between = time_before_now();
  ASSERT_TRUE(eventually([&] { return time_before_now() > between; }));
  fixture.stop("s1", "Second.", "p1");
  ASSERT_TRUE(eventually([&] { return fixture.turns("s1").size() == 2; }));
  // The transcript has a line that no hook reported, before that of the hook.
  fixture.write("s1", ObservedFixture::answer_line("a0", "Between.", between) +
                          ObservedFixture::answer_line("a1", "Second.", time_before_now()));
  EXPECT_TRUE(fixture.has_turns(
      "s1", {"user command: first", "agent progress: Between.", "agent completion: Second."}));
}

TEST(R_TURN_3, HalfALineIsReadOnceItIsWhole) {
  ObservedFixture fixture;
  fixture.prompt("s1", "one");
  const std::string prompt = prompt_line("u1", "one");
  const std::string line = answer_line("a1", "Half and half.");
  fixture.write("s1", prompt + line.substr(0, 40));
  ASSERT_TRUE(eventually([&] {
    const auto turns = fixture.turn_objects("s1");
    return turns.size() == 1 && turns[0].at("entry_id") == "u1";
  }));
  fixture.write("s1", line.substr(40));
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Half and half."}));
}

TEST(R_TURN_3, TwoEqualMessagesStayTwo) {
  ObservedFixture fixture;
  fixture.prompt("s1", "yes", "p1");
  fixture.write("s1", exchange("1", "yes", "Ok.", "p1"));
  fixture.stop("s1", "Ok.", "p1");
  fixture.prompt("s1", "yes", "p2");
  fixture.stop("s1", "Ok.", "p2");
  fixture.write("s1", exchange("2", "yes", "Ok.", "p2"));
  const Lines wanted = {"user command: yes", "agent completion: Ok.", "user command: yes",
                        "agent completion: Ok."};
  ASSERT_TRUE(fixture.has_turns("s1", wanted)) << testing::PrintToString(fixture.turns("s1"));
  EXPECT_TRUE(eventually([&] {
    Lines entries;
    for (const json::object& turn : fixture.turn_objects("s1"))
      entries.emplace_back(turn.at("entry_id").as_string());
    return entries == Lines{"u1", "a1", "u2", "a2"};
  }));
}

TEST(R_TURN_3, TurnsWithoutAHookAreCreated) {
  ObservedFixture fixture;
  SseClient watcher(fixture.server(), "/api/events?types=turn_created");
  watcher.hello();
  fixture.hook("session-start", fixture.hook_of("s1"));
  fixture.write("s1", exchange("1", "hello", "Hi."));
  const json::object created = watcher.next_event().json();
  EXPECT_EQ(created.at("text"), "hello");
  EXPECT_EQ(created.at("data").at("source"), "reconciliation");
  EXPECT_EQ(watcher.next_event().text("text"), "Hi.");
}

TEST(R_TURN_3, GarbageIsSkippedAndItsPlaceIsLogged) {
  ObservedFixture fixture;
  fixture.prompt("s1", "one");
  fixture.write("s1", prompt_line("u1", "one"));
  const std::string place = std::to_string(fs::file_size(fixture.transcript("s1")));
  fixture.write("s1", std::string("\x00\xff\x01{garbage\n", 12) + "[[[[\n\n" +
                          answer_line("a1", "Still here."));
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Still here."}));
  EXPECT_THAT(fixture.server().log(), HasSubstr("skipped the line at byte " + place));
}

TEST(R_TURN_3, ATranscriptOutsideTheRootsIsNotRead) {
  ObservedFixture fixture;
  const fs::path secret = fixture.outside() / "s1.jsonl";
  write_file(secret, prompt_line("u1", "secret"));
  json::object body = fixture.hook_of("s1");
  body["transcript_path"] = secret.string();
  body["prompt"] = "hello";
  EXPECT_EQ(fixture.hook("user-prompt-submit", body).status, 202);
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: hello"}));
  EXPECT_TRUE(eventually(
      [&] { return fixture.server().log().find("outside the roots") != std::string::npos; }));
}

TEST(R_TURN_3, ALinkThatLeadsOutOfTheRootsIsNotFollowed) {
  ObservedFixture fixture;
  const fs::path secret = fixture.outside() / "secret.jsonl";
  write_file(secret, prompt_line("u1", "secret"));
  fs::create_symlink(secret, fixture.transcript("s1"));
  fixture.prompt("s1", "hello");
  EXPECT_TRUE(eventually(
      [&] { return fixture.server().log().find("symbolic link") != std::string::npos; }));
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: hello"}));
}

TEST(R_TURN_3, CompactionIntoANewFileKeepsTheAgentAndDoublesNothing) {
  ObservedFixture fixture;
  const std::string history = exchange("1", "one", "Did one.");
  const Headers pid = {{"Oriel-Agent-Pid", std::to_string(::getpid())}};
  json::object start = fixture.hook_of("s1");
  start["source"] = "startup";
  fixture.hook("session-start", start, pid);
  fixture.write("s1", history);
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Did one."}));
  json::object compact = fixture.hook_of("s2");
  compact["source"] = "compact";
  EXPECT_EQ(fixture.hook("session-start", compact, pid).json().at("session_id"), "s1");
  fixture.write("s2", history + exchange("2", "two", "Did two."));
  EXPECT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Did one.",
                                       "user command: two", "agent completion: Did two."}));
  EXPECT_EQ(get(fixture.server(), "/api/sessions").json().at("count"), 1);
}

TEST(R_TURN_3, AfterClearTheProcessHasAnotherConversation) {
  ObservedFixture fixture;
  const Headers pid = {{"Oriel-Agent-Pid", std::to_string(::getpid())}};
  fixture.prompt("s1", "one");
  json::object end = fixture.hook_of("s1");
  end["reason"] = "clear";
  fixture.hook("session-end", end, pid);
  json::object start = fixture.hook_of("s2");
  start["source"] = "clear";
  EXPECT_EQ(fixture.hook("session-start", start, pid).json().at("session_id"), "s2");
  fixture.prompt("s2", "two");
  EXPECT_TRUE(fixture.has_turns("s2", {"user command: two"}));
  EXPECT_TRUE(eventually([&] { return fixture.shown("s1", "status") == "completed"; }));
}

TEST(R_TURN_3, AForkIsAnotherAgentWithTheSameHistory) {
  ObservedFixture fixture;
  const std::string history = exchange("1", "one", "Did one.");
  fixture.prompt("s1", "one");
  fixture.write("s1", history);
  fixture.hook("session-end", fixture.hook_of("s1"));
  ASSERT_TRUE(fixture.has_turns("s1", {"user command: one", "agent completion: Did one."}));
  const Headers pid = {{"Oriel-Agent-Pid", std::to_string(::getpid())}};
  json::object start = fixture.hook_of("s1");
  start["source"] = "resume";
  fixture.hook("session-start", start, pid);
  json::object prompt = fixture.hook_of("s2");
  prompt["prompt"] = "in a fork";
  EXPECT_EQ(fixture.hook("user-prompt-submit", prompt, pid).json().at("session_id"), "s2");
  fixture.write("s2", history + exchange("2", "in a fork", "Forked."));
  EXPECT_TRUE(fixture.has_turns("s2", {"user command: one", "agent completion: Did one.",
                                       "user command: in a fork", "agent completion: Forked."}));
  EXPECT_THAT(fixture.turns("s1"), SizeIs(2));
  EXPECT_EQ(fixture.session("s1").at("status"), "completed");
}

}  // namespace
}  // namespace oriel
