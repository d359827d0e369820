// What Oriel shows of a Claude Code that somebody runs, beside what Claude Code itself wrote down.

#include "claude_at_home.h"
#include "observed_fixture.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <fstream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::SizeIs;

// "id time who: words" of all that was said, as the transcript has it.
struct Transcript {
  std::string session_id;
  Lines said;
};

std::string line_of(const json::object& entry, const json::value& text) {
  const auto word = [&](std::string_view key) { return std::string(entry.at(key).as_string()); };
  const std::string who = word("type") == "user" ? "user" : "agent";
  return word("uuid") + " " + word("timestamp") + " " + who + ": " + std::string(text.as_string());
}

// Read here by rules of its own, so that it is no mirror of what it is compared with.
Transcript read_transcript(const fs::path& folder) {
  Transcript transcript;
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".jsonl") continue;
    transcript.session_id = file.path().stem();
    std::ifstream lines(file.path());
    for (std::string line; std::getline(lines, line);) {
      const json::object entry = json::parse(line).as_object();
      const json::value& type = entry.at("type");
      if (type != "user" && type != "assistant") continue;
      const json::value& content = entry.at("message").at("content");
      if (content.is_string()) transcript.said.push_back(line_of(entry, content));
      if (!content.is_array()) continue;
      for (const json::value& block : content.as_array()) {
        if (block.at("type") == "text") transcript.said.push_back(line_of(entry, block.at("text")));
      }
    }
  }
  return transcript;
}

Lines shown_turns(ObservedFixture& fixture, const std::string& session_id) {
  Lines lines;
  for (const json::object& turn : fixture.turn_objects(session_id)) {
    const auto word = [&](std::string_view key) { return std::string(turn.at(key).as_string()); };
    lines.push_back(word("entry_id") + " " + word("timestamp") + " " + word("actor") + ": " +
                    word("text"));
  }
  return lines;
}

void expect_shown_as_written(ObservedFixture& fixture, const Transcript& transcript) {
  eventually([&] { return shown_turns(fixture, transcript.session_id) == transcript.said; });
  EXPECT_EQ(shown_turns(fixture, transcript.session_id), transcript.said);
}

class R_TURN_3 : public ClaudeCodeTest {};

TEST_F(R_TURN_3, WhatIsShownOfARealClaudeCodeIsWhatItWroteDown) {
  ObservedFixture fixture;
  const ClaudeAtHome at_home(fixture.home());
  at_home.install_hooks(fixture.server().url());
  const Finished first = run(at_home.print_mode("[[run:cat notes.txt]] Look at the notes"));
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const Finished second = run(at_home.print_mode("Go on", {"--continue"}));
  ASSERT_EQ(second.exit_code, 0) << second.err;

  const Transcript transcript = read_transcript(at_home.transcripts());
  ASSERT_THAT(transcript.said, SizeIs(5)) << testing::PrintToString(transcript.said);
  expect_shown_as_written(fixture, transcript);
  EXPECT_EQ(fixture.events(transcript.session_id, "turn_created").size(), 5u);
  EXPECT_TRUE(eventually([&] {
    return fixture.shown(transcript.session_id, "state") == "complete";
  })) << fixture.shown(transcript.session_id, "state");
}

TEST_F(R_TURN_3, AKilledServerFindsInTheTranscriptWhatARealClaudeCodeDidMeanwhile) {
  ObservedFixture fixture;
  const ClaudeAtHome at_home(fixture.home());
  at_home.install_hooks(fixture.server().url());
  TestProcess claude(at_home.print_mode("[[run:sleep 3]] [[run:cat notes.txt]] Look again"));
  ASSERT_TRUE(eventually([&] { return read_transcript(at_home.transcripts()).said.size() >= 2; }));
  fixture.kill_and_restart();  // on another port: no later hook arrives
  ASSERT_EQ(claude.wait_exit(3 * kPatience), 0) << claude.err();

  const Transcript transcript = read_transcript(at_home.transcripts());
  ASSERT_THAT(transcript.said, SizeIs(4)) << testing::PrintToString(transcript.said);
  expect_shown_as_written(fixture, transcript);
}

}  // namespace
}  // namespace oriel
