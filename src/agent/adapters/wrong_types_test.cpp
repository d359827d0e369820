// Lines of real agents in which one value is of another type: nothing throws, and what is answered
// is still JSON.

#include "agent/adapters/replay_testing.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel {
namespace {

// Which members a value has, whatever they hold: lines of one shape are tried once.
std::string shape_of(const json::value& value) {
  if (value.is_array()) {
    std::string shape = "[";
    for (const json::value& element : value.get_array())
      shape += shape_of(element);
    return shape + "]";
  }
  if (!value.is_object()) return "";
  std::string shape = "{";
  for (const auto& [key, member] : value.get_object())
    shape += std::string(key) + (key == "type" || key == "method" ? json::serialize(member) : "") +
             shape_of(member);
  return shape + "}";
}

// Calls `use` with `line` once for each value in it and each other value in its place.
template <class Use>
void with_each_replaced(json::value& line, json::value& part, const Use& use) {
  for (const json::value& other :
       {json::value(nullptr), json::value(true), json::value(-7), json::value(1e300),
        json::value("x"), json::value(json::array{"x", nullptr}), json::value(json::object{})}) {
    const json::value original = std::exchange(part, other);
    use(line);
    part = original;
  }
  if (part.is_object())
    for (auto& each : part.get_object())
      with_each_replaced(line, each.value(), use);
  if (part.is_array())
    for (json::value& element : part.get_array())
      with_each_replaced(line, element, use);
}

void expect_json(const AgentStep& step) {
  for (const std::string& line : step.lines)
    EXPECT_TRUE(parse_line(line)) << line;
}

// An adapter in a task, whatever its language wanted to hear before.
std::unique_ptr<Adapter> adapter_in_task(AdapterKind kind) {
  auto adapter = make_adapter(kind);
  adapter->start({.workspace = "/w", .resume_id = "", .model = "", .auth_method = ""});
  for (
      const char* line :
      {R"({"id":1,"result":{"protocolVersion":1}})",
       R"({"id":2,"result":{"sessionId":"s","thread":{"id":"s"}}})",
       R"({"type":"response","id":"1","result":{"sessionId":"s"}})",
       R"({"type":"control_response","response":{"subtype":"success","request_id":"oriel-initialize"}})"})
    adapter->receive(line);
  adapter->prompt("hello");
  return adapter;
}

void try_wrong_types(const std::string& name) {
  std::set<std::string> seen;
  const auto adapter = adapter_in_task(recorded_kind(name));
  for (RecordedRow& row : read_recording(name)) {
    if (row.direction != "out" || !seen.insert(shape_of(row.line)).second) continue;
    with_each_replaced(row.line, row.line, [&adapter](const json::value& line) {
      const AgentStep step = adapter->receive(json::serialize(line));
      expect_json(step);
      for (const PermissionAsked& asked : of<PermissionAsked>(step)) {
        PermissionAnswer answer;
        if (!asked.options.empty()) answer.option_id = asked.options.front().id;
        answer.answers.resize(asked.questions.size());
        expect_json(adapter->answer(asked.id, answer));
      }
      if (!of<TaskEnded>(step).empty()) adapter->prompt("again");
    });
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST(WrongTypes, BreakNoAdapter) {
  for (const char* name : {"droid-stream-jsonrpc", "droid-stream-jsonrpc-ask-user", "gemini-acp",
                           "opencode-acp", "claude-stream-json", "codex-app-server"})
    try_wrong_types(name);
}

TEST(WrongTypes, ANumberThatJsonCannotHoldIsAnsweredAsNull) {
  const auto adapter = adapter_in_task(AdapterKind::kClaude);
  adapter->receive(
      R"({"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"T","tool_use_id":"t","input":{"n":1e999}}})");
  const AgentStep step = adapter->answer("r", {.option_id = "allow_once", .answers = {}});
  EXPECT_TRUE(sent(step).at(0).at_pointer("/response/response/updatedInput/n").is_null());
}

}  // namespace
}  // namespace oriel
