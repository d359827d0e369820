// Past sessions of three agents, from their transcripts: over REST and by `oriel import`.

#include "observed_fixture.h"
#include "programs.h"
#include "terminal_process.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Import : public testing::Test {
 protected:
  explicit Import(std::vector<std::string> flags = {}) : fixture_(std::move(flags)) {}

  static fs::path recording(const std::string& name) {
    return fs::path(ORIEL_RECORDINGS) / "transcripts" / (name + ".jsonl");
  }

  void record(const std::string& name) {
    fs::copy_file(recording(name), fixture_.transcript(name));
    fs::last_write_time(fixture_.transcript(name), fs::file_time_type::clock::now());
  }

  void write(const std::string& session_id, std::string_view bytes) {
    fixture_.write(session_id, bytes);
  }

  // Pairs of a prompt and its answer, a second apart.
  void write_talk(const std::string& session_id, int pairs, const std::string& filling = "") {
    std::string text;
    for (int i = 0; i < pairs; ++i) {
      const std::string number = std::to_string(i);
      const auto before = Milliseconds{1'000 * (2 * pairs - 2 * i)};
      text += ObservedFixture::prompt_line("u" + number, "do " + number + filling,
                                           time_before_now(before));
      text += ObservedFixture::answer_line("a" + number, "Did " + number + ".",
                                           time_before_now(before - Milliseconds{1'000}));
    }
    fixture_.write(session_id, text);
  }

  HttpResponse begin(const std::string& body = "{}") {
    return call(fixture_.server(), {.method = "POST",
                                    .target = "/api/import",
                                    .headers = {{"Content-Type", "application/json"}},
                                    .body = body});
  }

  json::object progress() { return get(fixture_.server(), "/api/import").json(); }

  json::object ended(Milliseconds within = Milliseconds{90'000}) {
    json::object now;
    EXPECT_TRUE(eventually(
        [&] {
          now = progress();
          return now.at("state") != "running";
        },
        within))
        << json::serialize(now);
    return now;
  }

  json::object import(const std::string& body = "{}") {
    const HttpResponse begun = begin(body);
    EXPECT_EQ(begun.status, 202) << begun.body;
    return ended();
  }

  static std::int64_t number(const json::object& object, std::string_view key) {
    return object.at(key).to_number<std::int64_t>();
  }

  std::int64_t session_count() {
    return number(get(fixture_.server(), "/api/sessions").json(), "count");
  }

  ObservedFixture fixture_;
};

TEST_F(Import, SessionsOfAllThreeAgentsAppearWithTheTurnsThatTheirTranscriptsHave) {
  for (const char* name : {"claude-print-tool", "codex-app-server", "droid-exec-tool"})
    record(name);
  const json::object done = import();
  EXPECT_EQ(done.at("state"), "done");
  EXPECT_EQ(number(done, "sessions"), 3) << json::serialize(done);
  EXPECT_EQ(number(done, "lines_skipped"), 0);
  EXPECT_EQ(fixture_.turns("claude-print-tool"),
            (Lines{"user command: [[run:cat notes.txt]] Look at the notes",
                   "agent progress: I use a tool.", "agent completion: The tool said: alpha"}));
  EXPECT_EQ(fixture_.turns("f3820abc-dd62-4a5b-854a-87a580196e8a"),
            (Lines{"user command: [[run:cat notes.txt]] Look at the notes",
                   "agent progress: I use a tool.",
                   "agent completion: The tool said: alpha\n\n\n[Process exited with code 0]"}));
  const json::object sessions = get(fixture_.server(), "/api/sessions?agent=codex").json();
  ASSERT_THAT(sessions.at("sessions").as_array(), SizeIs(1));
  const json::object codex = sessions.at("sessions").at(0).as_object();
  EXPECT_EQ(codex.at("title"), "Hello there");
  EXPECT_EQ(codex.at("last_text"), "This is the scripted answer.");
  EXPECT_EQ(codex.at("status"), "completed");
  EXPECT_EQ(codex.at("is_live"), false);
  EXPECT_EQ(codex.at("is_observed"), true);
  EXPECT_EQ(codex.at("is_imported"), true);
  EXPECT_EQ(codex.at("workspace"), "/home/user/project");
  EXPECT_EQ(number(codex, "turns"), 13);
  const std::string id(codex.at("session_id").as_string());
  for (const json::object& turn : fixture_.turn_objects(id)) {
    EXPECT_EQ(turn.at("source"), "import");
    EXPECT_EQ(turn.at("timestamp_source"), "transcript");
  }
  EXPECT_LT(codex.at("created_at").as_string(), codex.at("updated_at").as_string());
}

class FullImport : public Import {
 protected:
  FullImport() : Import({"--max-imported", "2"}) {}
};

TEST_F(FullImport, MaxImportedKeepsTheNewestSessions) {
  for (const char* name : {"oldest", "middle", "newest"}) {
    write_talk(name, 2);
    const bool is_oldest = name == std::string_view("oldest");
    fs::last_write_time(fixture_.transcript(name),
                        fs::file_time_type::clock::now() - std::chrono::hours(is_oldest ? 2 : 1));
  }
  const json::object done = import();
  EXPECT_EQ(number(done, "sessions"), 2) << json::serialize(done);
  EXPECT_EQ(number(done, "files_left"), 1) << json::serialize(done);
  EXPECT_EQ(session_count(), 2);
  EXPECT_THAT(fixture_.turns("newest"), SizeIs(4));
  EXPECT_EQ(get(fixture_.server(), "/api/sessions/oldest").status, 404);
}

TEST_F(Import, TwiceIsOnce) {
  record("claude-interactive");
  record("droid-jsonrpc");
  import();
  const auto before = fixture_.turn_objects("claude-interactive");
  ASSERT_THAT(before, SizeIs(25));
  const json::object again = import();
  EXPECT_EQ(number(again, "files_unchanged"), 2);
  EXPECT_EQ(number(again, "turns"), 0);
  EXPECT_EQ(fixture_.turn_objects("claude-interactive"), before);
  fixture_.kill_and_restart();
  import();
  EXPECT_EQ(fixture_.turn_objects("claude-interactive"), before);
  EXPECT_EQ(session_count(), 2);
}

TEST_F(Import, AWatcherGetsOneEventForEachSession) {
  SseClient watcher(fixture_.server());
  write_talk("s1", 100);
  import();
  const SseFrame first = watcher.next_event();
  EXPECT_EQ(first.event, "session_imported");
  EXPECT_EQ(first.json().at("data").at("turns").to_number<int>(), 200);
  EXPECT_THROW(watcher.next_event(Milliseconds{300}), std::exception);
}

TEST_F(Import, AKillInTheMiddleLosesAndDoublesNothing) {
  constexpr int kSessions = 6;
  constexpr int kPairs = 150;
  Lines wanted;
  for (int i = 0; i < kPairs; ++i) {
    const std::string number = std::to_string(i);
    wanted.push_back("user command: do " + number + std::string(20'000, 'x'));
    wanted.push_back("agent completion: Did " + number + ".");
  }
  for (int i = 0; i < kSessions; ++i)
    write_talk("s" + std::to_string(i), kPairs, std::string(20'000, 'x'));
  ASSERT_EQ(begin().status, 202);
  int kills = 0;
  std::int64_t seen = 0;
  // Each kill comes later; after each the import continues by itself.
  while (kills < 4) {
    json::object now;
    ASSERT_TRUE(eventually([&] {
      now = progress();
      return now.at("state") != "running" || number(now, "turns") > 0;
    }));
    if (now.at("state") != "running") break;
    seen += number(now, "turns");
    fixture_.kill_and_restart();
    ++kills;
  }
  EXPECT_GT(kills, 0) << seen;
  ended();
  import();  // and again by hand
  EXPECT_EQ(session_count(), kSessions);
  for (int i = 0; i < kSessions; ++i)
    EXPECT_EQ(fixture_.turns("s" + std::to_string(i)), wanted) << i;
}

TEST_F(Import, WhatIsWrittenLaterIsAddedByTheNextOne) {
  const auto line = ObservedFixture::prompt_line("u1", "one", time_before_now(Milliseconds{5'000}));
  write("s1", line + R"({"type":"user","uuid":"u2",)");  // and half a line
  EXPECT_EQ(number(import(), "turns"), 1);
  write("s1", R"("message":{"role":"user","content":"two"}})"
              "\n");
  const json::object second = import();
  EXPECT_EQ(number(second, "turns"), 1);
  EXPECT_EQ(number(second, "lines_skipped"), 0);
  EXPECT_EQ(fixture_.turns("s1"), (Lines{"user command: one", "user command: two"}));
}

TEST_F(Import, ASessionThatIsResumedIsWatchedFromThereOn) {
  write_talk("s1", 1);
  import();
  EXPECT_EQ(fixture_.shown("s1", "status"), "completed");
  fixture_.prompt("s1", "and now?");
  const Lines wanted{"user command: do 0", "agent completion: Did 0.", "user command: and now?"};
  ASSERT_TRUE(fixture_.has_turns("s1", wanted));
  write("s1", ObservedFixture::prompt_line("u9", "and now?", time_before_now()));
  EXPECT_TRUE(eventually([&] {
    const auto turns = fixture_.turn_objects("s1");
    return turns.size() == 3 && turns.back().at("entry_id") == "u9";
  }));
  EXPECT_EQ(fixture_.session("s1").at("is_imported"), false);
  EXPECT_EQ(number(import(), "files_watched"), 1);
  EXPECT_EQ(fixture_.turns("s1"), wanted);
}

TEST_F(Import, OnlyWhatIsBelowTheRootsIsRead) {
  const auto refusal = [&](const std::string& folder) {
    return begin(json::serialize(json::object{{"folders", json::array{folder}}}));
  };
  for (const std::string& folder :
       {fixture_.outside().string(), std::string("/etc"), fixture_.root().string() + "/../outside",
        std::string("projects")}) {
    const HttpResponse answer = refusal(folder);
    EXPECT_EQ(answer.status, 400) << folder;
    EXPECT_EQ(answer.error_code(), "path_not_allowed") << folder;
    EXPECT_THAT(answer.body, HasSubstr("--transcript-roots"));
  }
  EXPECT_EQ(refusal(fixture_.root().string() + "/nowhere").status, 404);
  std::ofstream(fixture_.outside() / "secret.jsonl")
      << ObservedFixture::prompt_line("u1", "secret", time_before_now());
  fs::create_symlink(fixture_.outside() / "secret.jsonl", fixture_.transcript("secret"));
  fs::create_directory_symlink(fixture_.outside(), fixture_.root() / "way-out");
  EXPECT_EQ(refusal(fixture_.root().string() + "/way-out").error_code(), "path_not_allowed");
  EXPECT_EQ(number(import(), "files_total"), 0);
  EXPECT_EQ(session_count(), 0);
}

TEST_F(Import, BadInputIsSkippedWithItsPlaceAndNothingStops) {
  const std::string first = ObservedFixture::prompt_line("u1", "one", time_before_now());
  const std::string garbage = std::string("\0\xff\xfe{\"type\":", 12) + "\n";
  write("s1", first + garbage + std::string(65 << 20, 'x') + "\n" +
                  ObservedFixture::prompt_line("u2", "two", time_before_now()));
  write("binary", std::string("\x7f"
                              "ELF\0\0\n\n\0\r\n\xc3\x28",
                              14) +
                      std::string(100'000, '\0'));
  write("nothing", "");
  fs::create_directory(fixture_.transcript("directory"));
  ASSERT_EQ(mkfifo(fixture_.transcript("pipe").c_str(), 0600), 0);
  write("s2", ObservedFixture::prompt_line("u1", "fine", time_before_now()));
  const json::object done = import();
  EXPECT_EQ(done.at("state"), "done") << json::serialize(done);
  EXPECT_EQ(number(done, "sessions"), 2);
  EXPECT_EQ(fixture_.turns("s1"), (Lines{"user command: one", "user command: two"}));
  EXPECT_EQ(fixture_.turns("s2"), (Lines{"user command: fine"}));
  EXPECT_GE(number(done, "lines_skipped"), 2);
  std::set<std::string> places;
  for (const json::value& skip : done.at("skipped").as_array()) {
    if (skip.at("path").as_string().ends_with("s1.jsonl"))
      places.insert(std::to_string(skip.at("offset").to_number<std::uint64_t>()) + " " +
                    std::string(skip.at("why").as_string()));
  }
  EXPECT_EQ(places, (std::set<std::string>{
                        std::to_string(first.size()) + " not a JSON object",
                        std::to_string(first.size() + garbage.size()) + " the line is too long"}));
}

TEST_F(Import, RequestsThatMakeNoSenseAreRefused) {
  for (const char* body : {"[]", "{", R"({"folders":"x"})", R"({"days":0})", R"({"days":"x"})",
                           R"({"dry_run":1})", R"({"what":1})"})
    EXPECT_EQ(begin(body).status, 400) << body;
  EXPECT_EQ(progress().at("state"), "idle");
  EXPECT_EQ(call(fixture_.server(), {.method = "DELETE", .target = "/api/import"}).status, 200);
}

TEST_F(Import, ADryRunListsAndReadsNothing) {
  record("claude-print-text");
  const HttpResponse plan = begin(R"({"dry_run":true})");
  EXPECT_EQ(plan.status, 200);
  EXPECT_EQ(number(plan.json(), "files_total"), 1);
  EXPECT_EQ(std::string(plan.json().at("files").at(0).at("path").as_string()),
            fixture_.transcript("claude-print-text").string());
  EXPECT_EQ(session_count(), 0);
  EXPECT_EQ(progress().at("state"), "idle");
}

TEST_F(Import, ACancelledOneGoesOnWithTheNext) {
  for (int i = 0; i < 40; ++i)
    write_talk("s" + std::to_string(i), 20, std::string(10'000, 'x'));
  ASSERT_EQ(begin().status, 202);
  EXPECT_EQ(begin().error_code(), "import_running");
  const HttpResponse answer =
      call(fixture_.server(), {.method = "DELETE", .target = "/api/import"});
  EXPECT_EQ(answer.json().at("state"), "cancelled") << answer.body;
  EXPECT_LT(number(answer.json(), "files_done"), 40);
  import();
  EXPECT_EQ(session_count(), 40);
  for (const char* id : {"s0", "s20", "s39"})
    EXPECT_THAT(fixture_.turns(id), SizeIs(40));
}

TEST_F(Import, TheServerAnswersOthersMeanwhile) {
  for (int i = 0; i < 8; ++i)
    write_talk("s" + std::to_string(i), 100, std::string(20'000, 'x'));
  ASSERT_EQ(begin().status, 202);
  int answered = 0;
  while (progress().at("state") == "running") {
    EXPECT_EQ(post_event(fixture_.server(), R"({"type":"build"})").status, 201);
    EXPECT_EQ(fixture_.prompt("live", "hello").status, 202);
    ++answered;
  }
  EXPECT_GT(answered, 0);
  ended();
  EXPECT_THAT(fixture_.turns("s7"), SizeIs(200));
}

TEST_F(Import, AtATerminalABarShowsHowFarItIs) {
  record("claude-interactive");
  TerminalProcess terminal({oriel_program(), "import", "--url", fixture_.server().url()},
                           fixture_.work());
  EXPECT_TRUE(terminal.shows("100 %")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("The import is done: 1 session, 25 turns, 1 of 1 file"))
      << terminal.screen();
  EXPECT_EQ(terminal.wait_exit(), 0);
  EXPECT_THAT(terminal.screen(), HasSubstr("[####"));
}

TEST_F(Import, InAPipeItIsLines) {
  record("claude-print-text");
  const Finished dry = run({.words = {oriel_program(), "import", "--dry-run"},
                            .environment = {{"ORIEL_URL", fixture_.server().url()}}});
  EXPECT_EQ(dry.exit_code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("claude-print-text.jsonl\n1 file, 3.1 kB\n"));
  const Finished done = run({.words = {oriel_program(), "import", fixture_.root().string()},
                             .environment = {{"ORIEL_URL", fixture_.server().url()}}});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("The import is done: 1 session, 2 turns"), Not(HasSubstr("\x1b"))));
  const Finished refused = run({.words = {oriel_program(), "import", "/etc"},
                                .environment = {{"ORIEL_URL", fixture_.server().url()}}});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("--transcript-roots"));
}

}  // namespace
}  // namespace oriel
