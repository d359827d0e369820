// What the recorded agents asked for, against what a person is shown of it.

#include "agent/adapters/replay_testing.h"
#include "base/event/permission_view.h"
#include "base/text/json_text.h"
#include "base/text/visible.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

namespace oriel {
namespace {

namespace fs = std::filesystem;

// Names and values that address the request and say nothing of its effect.
const std::set<std::string_view> kAddresses = {
    "/sessionId", "/toolCallId", "/toolCall/toolCallId", "/toolCall/status", "/subtype",
    "/tool_use_id", "/toolUses/toolUse/id", "/toolUses/toolUse/type", "/questions/index",
    // Of an option the label is shown.
    "/options/optionId", "/options/kind", "/options/value", "/options/selectedColor",
    "/options/selectedPrefix"};

std::string all_that_is_shown(const PermissionAsked& asked) {
  const PermissionView view = view_permission(asked);
  std::string shown = view.title + "\n";
  for (const PermissionRow& row : view.rows)
    shown += row_text(row) + "\n";
  for (const PermissionOption& option : asked.options) {
    shown += visible(option.label) + "\n";
    for (const std::string& line : scope_lines(option))
      shown += line + "\n";
  }
  for (const Question& question : asked.questions) {
    shown += visible(question.text) + "\n";
    for (const std::string& choice : question.choices)
      shown += visible(choice) + "\n";
  }
  return shown;
}

void find_missing(const std::string& path, const json::value& value, const std::string& shown,
                  std::vector<std::string>& missing) {
  for (const auto& [key, each] : object_of(value))
    find_missing(path + "/" + std::string(key), each, shown, missing);
  for (const json::value& each : elements_of(value))
    find_missing(path, each, shown, missing);
  if (value.is_object() || value.is_array() || value.is_null() || kAddresses.contains(path)) return;
  std::string text = value.is_string() ? std::string(text_of(value)) : json_text(value);
  while (!text.empty()) {
    const std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    if (shown.find(visible(line)) == shown.npos) missing.push_back(path + ": " + line);
  }
}

// The requests of a recording with this id; a restarted agent counts from the beginning.
std::vector<json::value> requests_with(const std::vector<RecordedRow>& rows,
                                       const std::string& id) {
  std::vector<json::value> found;
  for (const RecordedRow& row : rows) {
    const json::value& number = member(row.line, "id");
    const bool is_it = content_text(number) == id || text_of(member(row.line, "request_id")) == id;
    if (row.direction != "out" || !is_it) continue;
    if (!member(row.line, "method").is_null()) found.push_back(member(row.line, "params"));
    if (member(row.line, "request").is_object()) found.push_back(member(row.line, "request"));
  }
  return found;
}

TEST(R_TRUTH_1, NoFieldOfARecordedRequestIsMissingFromWhatIsShown) {
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(ORIEL_RECORDINGS)) {
    const std::string name = entry.path().stem().string();
    // The second one was recorded to show a race in its history.
    if (entry.path().extension() != ".jsonl" || name == "gemini-acp-replay-leak") continue;
    const std::vector<RecordedRow> rows = read_recording(name);
    for (const AgentEvent& event : Replay(name).run()) {
      const auto* asked = std::get_if<PermissionAsked>(&event);
      if (!asked) continue;
      ++count;
      const std::string shown = all_that_is_shown(*asked);
      std::vector<std::vector<std::string>> missing;  // by request
      for (const json::value& request : requests_with(rows, asked->id))
        find_missing("", request, shown, missing.emplace_back());
      EXPECT_THAT(missing, testing::Contains(testing::IsEmpty())) << name << "\n" << shown;
    }
  }
  EXPECT_GT(count, 25);
}

TEST(R_TRUTH_1, ARecordedWriteShowsItsText) {
  std::string shown;
  for (const AgentEvent& event : Replay("gemini-acp").run())
    if (const auto* asked = std::get_if<PermissionAsked>(&event))
      shown += all_that_is_shown(*asked);
  EXPECT_THAT(shown, testing::HasSubstr("details.content[0]: oldText → newText\n"
                                        "  + made by mock\n"));
}

}  // namespace
}  // namespace oriel
