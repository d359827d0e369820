// Generates sessions and delivers them unreliably: hooks are late, out of order, repeated and lost;
// the transcript arrives in arbitrary pieces, and continues in a second file that repeats the
// first; the agent is restored from its documents at any time. In the end its turns are those of
// the transcript, each once and in order.

#include "base/text/json_text.h"
#include "observed/observed_testing.h"
#include "transcript/jsonl_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr const char* kFiles[] = {"/t/one.jsonl", "/t/two.jsonl"};

struct Truth {
  TurnActor actor = TurnActor::kUser;
  TurnIntent intent = TurnIntent::kCommand;
  std::string text;
  std::string entry_id;
  std::int64_t time = 0;
  int task = 0;
};

struct Line {
  std::int64_t time = 0;
  std::string text;
};

struct Call {
  std::int64_t time = 0;
  HookEvent hook;
};

// Whether the hooks of this version of the agent have ids.
struct Ids {
  bool of_prompts = true;
  bool of_tools = true;
};

// What really happened.
class Story {
 public:
  Story(std::uint32_t seed, Ids ids)
      : random_(seed), has_prompt_ids_(ids.of_prompts), has_tool_ids_(ids.of_tools) {
    has_stop_reasons_ = chance(70);
    has_last_texts_ = chance(80);
    has_permission_ = chance(50);
    const int tasks = pick(1, 6);
    for (task_ = 1; task_ <= tasks; ++task_)
      add_task(task_ == tasks);
  }

  bool chance(int percent) { return pick(1, 100) <= percent; }

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  std::vector<Truth> truth;
  std::vector<Line> lines;
  std::vector<Call> hooks;
  std::set<std::string> tools;
  std::size_t permissions = 0;
  std::size_t restart_at = 0;  // the first line of the second file

 private:
  std::string any_text() {
    static constexpr const char* kTexts[] = {"yes",           "continue",         "Done.",
                                             "I use a tool.", "fix it",           " padded ",
                                             "two\nlines",    "caf\xC3\xA9 \"q\""};
    return kTexts[pick(0, 7)];
  }

  // Often within one millisecond.
  void pass() {
    if (chance(80)) now_ += pick(1, chance(10) ? 20'000 : 800);
  }

  std::string new_id(const char* kind) { return std::string(kind) + std::to_string(++ids_); }

  json::object common(const char* type, const std::string& uuid) {
    return {{"type", type},
            {"uuid", uuid},
            {"timestamp", format_time(at_ms(now_))},
            {"isSidechain", false},
            {"sessionId", "s"}};
  }

  void write(json::object line) { lines.push_back({.time = now_, .text = json_text(line)}); }

  void user(const std::string& uuid, json::value content, const std::string& prompt_id) {
    json::object line = common("user", uuid);
    line["message"] = {{"role", "user"}, {"content", std::move(content)}};
    if (has_prompt_ids_) line["promptId"] = prompt_id;
    write(std::move(line));
  }

  void assistant(const std::string& uuid, json::value block, const char* stop_reason) {
    json::object line = common("assistant", uuid);
    line["message"] = {{"role", "assistant"},
                       {"content", json::array{std::move(block)}},
                       {"stop_reason", nullptr}};
    if (has_stop_reasons_) line["message"].as_object()["stop_reason"] = stop_reason;
    write(std::move(line));
  }

  HookEvent& fire(HookKind kind, const std::string& prompt_id) {
    HookEvent hook;
    hook.kind = kind;
    hook.session_id = "s";
    hook.transcript_path = kFiles[0];
    hook.cwd = "/w";
    if (has_prompt_ids_) hook.prompt_id = prompt_id;
    hooks.push_back({.time = now_, .hook = std::move(hook)});
    return hooks.back().hook;
  }

  void noise() {
    if (chance(80)) return;
    if (chance(50)) return write({{"type", "file-history-snapshot"}, {"messageId", "m"}});
    json::object line = common("assistant", new_id("side"));
    line["isSidechain"] = true;
    line["message"] = {{"content", json::array{json::object{{"type", "text"}, {"text", "yes"}}}}};
    write(std::move(line));
  }

  std::string say(const std::string& text, TurnIntent intent, const char* stop_reason) {
    pass();
    const std::string uuid = new_id("a");
    truth.push_back({.actor = TurnActor::kAgent,
                     .intent = intent,
                     .text = text,
                     .entry_id = uuid,
                     .time = now_,
                     .task = task_});
    assistant(uuid, json::object{{"type", "text"}, {"text", text}}, stop_reason);
    return text;
  }

  void use_tool(const std::string& prompt_id) {
    const bool asks = chance(25);
    const std::string id = new_id("tool");
    const std::string name = asks ? "AskUserQuestion" : "Bash";
    const std::string question = "Which " + id + "?";
    // Equal commands that both need a permission are indistinguishable: the hook has no call id.
    const bool needs_permission = has_permission_ && chance(50);
    const bool is_repeated = !needs_permission && chance(50);
    json::value input = json::object{{"command", is_repeated ? "make" : "make " + id}};
    if (asks)
      input = json::object{{"questions", json::array{json::object{{"question", question}}}}};
    pass();
    const std::string uuid = new_id("u");
    tools.insert(id);
    if (asks)
      truth.push_back({.actor = TurnActor::kAgent,
                       .intent = TurnIntent::kQuestion,
                       .text = question,
                       .entry_id = uuid,
                       .time = now_,
                       .task = task_});
    assistant(uuid,
              json::object{{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", input}},
              "tool_use");
    HookEvent& before = fire(HookKind::kPreToolUse, prompt_id);
    before.tool_name = name;
    before.tool_input = input;
    if (has_tool_ids_) before.tool_call_id = id;
    if (needs_permission) {
      pass();
      HookEvent& permission = fire(HookKind::kPermissionRequest, prompt_id);
      permission.tool_name = name;
      permission.tool_input = input;
      if (!asks) ++permissions;
      HookEvent& notice = fire(HookKind::kNotification, prompt_id);
      notice.notification_type = "permission_prompt";
    }
    noise();
    pass();
    const std::string answer = any_text();
    const json::value response =
        asks ? json::object{{"answers", {{question, answer}}}} : json::object{{"stdout", "out"}};
    HookEvent& after = fire(HookKind::kPostToolUse, prompt_id);
    after.tool_name = name;
    after.tool_input = input;
    after.tool_response = response;
    if (has_tool_ids_) after.tool_call_id = id;
    const std::string result = new_id("r");
    if (asks)
      truth.push_back({.actor = TurnActor::kUser,
                       .intent = TurnIntent::kAnswer,
                       .text = answer,
                       .entry_id = result,
                       .time = now_,
                       .task = task_});
    json::object line = common("user", result);
    line["message"] = {
        {"content", json::array{json::object{
                        {"type", "tool_result"}, {"tool_use_id", id}, {"content", "out"}}}}};
    line["toolUseResult"] = response;
    if (has_prompt_ids_) line["promptId"] = prompt_id;
    write(std::move(line));
  }

  void stop(const std::string& prompt_id, const std::string& last_text) {
    HookEvent& hook = fire(HookKind::kStop, prompt_id);
    if (has_last_texts_) hook.last_text = std::string(trim(last_text));
  }

  static std::string trim(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \n");
    return text.substr(first, text.find_last_not_of(" \n") - first + 1);
  }

  void end_mark() {
    if (has_stop_reasons_ && chance(50)) return;
    json::object line = common("system", new_id("end"));
    line["subtype"] = "turn_duration";
    write(std::move(line));
  }

  void add_task(bool is_last) {
    now_ += pick(0, 5'000);
    const std::string prompt_id = new_id("p");
    const std::string uuid = new_id("q");
    const std::string text = any_text();
    fire(HookKind::kUserPromptSubmit, prompt_id).prompt = text;
    truth.push_back({.actor = TurnActor::kUser,
                     .intent = TurnIntent::kCommand,
                     .text = text,
                     .entry_id = uuid,
                     .time = now_,
                     .task = task_});
    const bool is_string = chance(60);
    json::value content(text);
    if (!is_string) content = json::array{json::object{{"type", "text"}, {"text", text}}};
    user(uuid, std::move(content), prompt_id);
    if (chance(20) && restart_at == 0) restart_at = lines.size();
    const int steps = pick(0, 4);
    for (int i = 0; i < steps; ++i) {
      noise();
      if (chance(60)) say(any_text(), TurnIntent::kProgress, "tool_use");
      use_tool(prompt_id);
    }
    if (!is_last && chance(15)) return interrupt(prompt_id);
    if (chance(10) && has_stop_reasons_) {  // a stop hook makes the agent continue
      stop(prompt_id, say(any_text(), TurnIntent::kProgress, "end_turn"));
      use_tool(prompt_id);
    }
    const std::string last = say(any_text(), TurnIntent::kCompletion, "end_turn");
    pass();
    stop(prompt_id, last);
    end_mark();
  }

  void interrupt(const std::string& prompt_id) {
    if (chance(50)) say(any_text(), TurnIntent::kProgress, "tool_use");
    pass();
    user(new_id("i"),
         json::array{json::object{{"type", "text"}, {"text", "[Request interrupted by user]"}}},
         prompt_id);
  }

  std::mt19937 random_;
  bool has_prompt_ids_ = true;
  bool has_tool_ids_ = true;
  std::int64_t now_ = 1'000;
  int ids_ = 0;
  int task_ = 0;
  bool has_stop_reasons_ = true;
  bool has_last_texts_ = true;
  bool has_permission_ = true;
};

// The transcript as it grows on the disk, and the hooks as they arrive.
class Delivery {
 public:
  Delivery(Story& story, std::uint32_t seed) : story_(story), random_(seed) {
    deliver_hooks();
    write_files();
  }

  void run() {
    std::int64_t now = 0;
    for (const Call& call : calls_) {
      // Between two hooks the transcript is read any number of times.
      while (chance(40))
        look(now + pick(0, static_cast<int>(std::max<std::int64_t>(call.time - now, 0))));
      now = std::max(now, call.time);
      fixture_.hook(call.hook, at_ms(now));
      maybe_restart();
    }
    end_ = std::max(now, story_.lines.back().time + 2'000);
    for (int i = 0; i < 100 && !is_read(); ++i)
      look(end_);
    is_cut_ = false;
    look(end_);
    look(end_);
    maybe_restart();
    fixture_.tick(at_ms(end_ + 300'000));
  }

  ObservedFixture& fixture() { return fixture_; }

 private:
  bool chance(int percent) { return pick(1, 100) <= percent; }

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  void deliver_hooks() {
    const int lost = pick(0, 2) * 20;
    const int doubled = pick(0, 2) * 15;
    const int late = pick(0, 1) * 30;
    for (const Call& call : story_.hooks) {
      if (chance(lost)) continue;
      const int copies = chance(doubled) ? 2 : 1;
      for (int i = 0; i < copies; ++i) {
        Call copy = call;
        copy.time += pick(0, 40) + (chance(late) ? pick(0, 3'000) : 0);
        calls_.push_back(std::move(copy));
      }
    }
    std::stable_sort(calls_.begin(), calls_.end(),
                     [](const Call& a, const Call& b) { return a.time < b.time; });
  }

  void write_files() {
    const int lag = pick(0, 1) * pick(0, 1'500);
    for (std::size_t i = 0; i < story_.lines.size(); ++i) {
      const std::size_t file = story_.restart_at != 0 && i >= story_.restart_at ? 1 : 0;
      if (file == 1 && written_[1].empty()) written_[1] = written_[0];  // repeats the old lines
      written_[file].push_back({.time = story_.lines[i].time + lag,
                                .text = story_.lines[i].text + (chance(10) ? "\r\n" : "\n")});
    }
  }

  std::string visible(std::size_t file, std::int64_t now) const {
    std::string bytes;
    for (const Line& line : written_[file]) {
      if (line.time > now) break;
      bytes += line.text;
    }
    return bytes;
  }

  bool is_read() const {
    const std::size_t last = written_[1].empty() ? 0 : 1;
    return file_ == last && splitter_.taken_offset() == visible(last, 1LL << 60).size();
  }

  void look(std::int64_t now) {
    const std::string bytes = visible(file_, now);
    if (splitter_.read_offset() >= bytes.size()) {
      if (file_ == 0 && !visible(1, now).empty() && now >= written_[1].back().time) follow(now);
      return;
    }
    std::string piece = bytes.substr(splitter_.read_offset());
    if (is_cut_) piece.resize(static_cast<std::size_t>(pick(0, static_cast<int>(piece.size()))));
    take(piece, now, false);
    if (is_cut_ && chance(2)) {  // the file was rewritten
      splitter_ = JsonlSplitter();
      take(visible(file_, now), now, true);
    }
    maybe_restart();
  }

  void follow(std::int64_t now) {
    HookEvent hook;
    hook.kind = HookKind::kSessionStart;
    hook.session_id = "s2";
    hook.source = StartSource::kCompact;
    hook.transcript_path = kFiles[1];
    fixture_.hook(hook, at_ms(now));
    fixture_.store(fixture_.agent().follow_wanted(moment_at(at_ms(now))));
    EXPECT_EQ(fixture_.state().transcript.position.path, kFiles[1]);
    file_ = 1;
    splitter_ = JsonlSplitter();
  }

  void take(const std::string& piece, std::int64_t now, bool is_from_start) {
    EntryBatch batch;
    for (const JsonlLine& line : splitter_.push(piece)) {
      TranscriptLine parsed = parse_claude_line(line.text);
      EXPECT_EQ(parsed.skipped, "") << line.text;
      for (TranscriptEntry& entry : parsed.entries)
        batch.entries.push_back(std::move(entry));
    }
    batch.position = {.path = kFiles[file_], .inode = 1, .offset = splitter_.taken_offset()};
    batch.is_from_start = is_from_start;
    fixture_.entries(std::move(batch), at_ms(now));
  }

  void maybe_restart() {
    if (!chance(5)) return;
    fixture_.restart();
    if (fixture_.state().transcript.position.path == kFiles[file_])
      splitter_ = JsonlSplitter(fixture_.state().transcript.position.offset);
    else
      splitter_ = JsonlSplitter();
  }

  Story& story_;
  std::mt19937 random_;
  std::vector<Call> calls_;
  std::vector<Line> written_[2];
  std::size_t file_ = 0;
  JsonlSplitter splitter_;
  bool is_cut_ = true;
  std::int64_t end_ = 0;
  ObservedFixture fixture_{"s"};
};

std::string in_short(const Truth& truth) {
  return std::string(name_of(truth.actor)) + " " + std::string(name_of(truth.intent)) + " " +
         truth.entry_id + " @" + std::to_string(truth.time) + ": " + truth.text;
}

std::string in_short(const Turn& turn) {
  return std::string(name_of(turn.actor)) + " " + std::string(name_of(turn.intent)) + " " +
         turn.entry_id + " @" + std::to_string((turn.timestamp - at_ms(0)).count()) + ": " +
         turn.text;
}

// A client that has only the events knows what is stored.
void expect_events_complete(const ObservedFixture& fixture) {
  std::map<std::string, const EventView*> known;
  for (const EventView& event : fixture.events()) {
    if (event.feed_type != "turn_created" && event.feed_type != "turn_updated") continue;
    const std::string turn_id(event.data->at("turn_id").as_string());
    if (event.feed_type == "turn_created") {
      ASSERT_TRUE(known.emplace(turn_id, &event).second) << "created twice";
    } else {
      ASSERT_TRUE(known.contains(turn_id)) << "changed before it was created";
      known[turn_id] = &event;
      if (event.data->at("update_type") == "withdrawn") known.erase(turn_id);
    }
  }
  const std::vector<Turn> turns = fixture.turns();
  ASSERT_EQ(known.size(), turns.size());
  for (const Turn& turn : turns) {
    ASSERT_TRUE(known.contains(turn.turn_id));
    const EventView& event = *known[turn.turn_id];
    EXPECT_EQ(event.timestamp, turn.timestamp);
    EXPECT_EQ(event.data->at("intent").as_string(), name_of(turn.intent));
    EXPECT_EQ(event.data->at("task_id").as_string(), turn.task_id);
  }
}

void expect_tools_once(const Story& story, const ObservedFixture& fixture) {
  std::multiset<std::string> calls;
  std::multiset<std::string> results;
  for (const EventView& event : fixture.events()) {
    if (event.type == "tool_call") calls.insert(event.tool_call_id);
    if (event.type == "tool_result") results.insert(event.tool_call_id);
  }
  EXPECT_EQ(calls, std::multiset<std::string>(story.tools.begin(), story.tools.end()));
  EXPECT_EQ(results, calls);
}

void expect_truth(const Story& story, const ObservedFixture& fixture) {
  std::vector<Truth> truth = story.truth;
  std::stable_sort(truth.begin(), truth.end(),
                   [](const Truth& a, const Truth& b) { return a.time < b.time; });
  std::vector<std::string> expected;
  for (const Truth& each : truth)
    expected.push_back(in_short(each));
  std::vector<std::string> found;
  std::size_t permissions = 0;
  std::map<std::string, std::set<std::string>> tasks;
  for (const Turn& turn : fixture.turns()) {
    if (turn.entry_id.empty()) {
      EXPECT_EQ(turn.intent, TurnIntent::kQuestion) << in_short(turn);
      EXPECT_NE(to_json(turn.data).at("status"), "pending") << in_short(turn);
      ++permissions;
      continue;
    }
    EXPECT_EQ(turn.timestamp_source, TimestampSource::kTranscript);
    found.push_back(in_short(turn));
    tasks[turn.task_id].insert(turn.entry_id);
  }
  EXPECT_EQ(found, expected);
  EXPECT_LE(permissions, story.permissions);
  std::map<int, std::set<std::string>> true_tasks;
  for (const Truth& each : story.truth)
    true_tasks[each.task].insert(each.entry_id);
  std::set<std::set<std::string>> groups;
  for (const auto& [task_id, entries] : tasks)
    groups.insert(entries);
  std::set<std::set<std::string>> true_groups;
  for (const auto& [task, entries] : true_tasks)
    true_groups.insert(entries);
  EXPECT_EQ(groups, true_groups);
  EXPECT_EQ(fixture.state().state, WorkState::kComplete);
  EXPECT_EQ(fixture.state().turns.count, fixture.turns().size());
}

void expect_truth_for_seeds(Ids ids, std::uint32_t from = 1) {
  const char* const only = std::getenv("ORIEL_SEED");  // a single case
  const auto first = only ? static_cast<std::uint32_t>(std::atoi(only)) : from;
  const char* const cases = std::getenv("ORIEL_CASES");  // for a longer run
  const std::uint32_t count = cases ? static_cast<std::uint32_t>(std::atoi(cases)) : 300;
  const std::uint32_t last = only ? first : from + count - 1;
  for (std::uint32_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("ORIEL_SEED=" + std::to_string(seed));
    Story story(seed, ids);
    Delivery delivery(story, seed * 7'919);
    delivery.run();
    expect_truth(story, delivery.fixture());
    expect_tools_once(story, delivery.fixture());
    expect_events_complete(delivery.fixture());
    if (testing::Test::HasFailure()) return;
  }
}

TEST(R_TURN_3, TurnsEqualTheTranscript) {
  expect_truth_for_seeds({.of_prompts = true, .of_tools = true});
}

TEST(R_TURN_3, TurnsEqualTheTranscriptWithoutPromptIds) {
  expect_truth_for_seeds({.of_prompts = false, .of_tools = true});
}

TEST(R_TURN_3, TurnsEqualTheTranscriptWithoutCallIds) {
  expect_truth_for_seeds({.of_prompts = true, .of_tools = false});
}

TEST(R_TURN_3, TurnsEqualTheTranscriptWithoutIds) {
  expect_truth_for_seeds({.of_prompts = false, .of_tools = false});
}

TEST(R_TURN_3, TurnsEqualTheTranscriptForMoreSeeds) {
  expect_truth_for_seeds({.of_prompts = true, .of_tools = true}, 10'001);
}

TEST(R_TURN_3, TurnsEqualTheTranscriptForMoreSeedsWithoutPromptIds) {
  expect_truth_for_seeds({.of_prompts = false, .of_tools = true}, 10'001);
}

TEST(R_TURN_3, TurnsEqualTheTranscriptForMoreSeedsWithoutCallIds) {
  expect_truth_for_seeds({.of_prompts = true, .of_tools = false}, 10'001);
}

TEST(R_TURN_3, TurnsEqualTheTranscriptForMoreSeedsWithoutIds) {
  expect_truth_for_seeds({.of_prompts = false, .of_tools = false}, 10'001);
}

}  // namespace
}  // namespace oriel
