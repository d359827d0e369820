#pragma once
// The running tools of an observed agent, and those that have ended recently. Pure.

#include "base/time.h"
#include "observed/hook.h"
#include "transcript/transcript_entry.h"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A call as a hook or an entry describes it. Refers to the input of that hook or entry.
struct ToolCall {
  std::string id;  // empty: unknown
  std::string name;
  const boost::json::value& input;
  std::uint64_t fingerprint = 0;  // of name and input
};

ToolCall tool_call_of(const HookEvent& hook);
ToolCall tool_call_of(const TranscriptEntry& entry);

// A tool that runs.
struct ObservedTool {
  std::string tool_call_id;
  std::string tool_name;
  std::uint64_t fingerprint = 0;
  std::string task_id;
  WallTime since;

  bool operator==(const ObservedTool&) const = default;
};

// A tool that ended recently: one of its hooks may still arrive, or arrive again.
struct EndedTool {
  std::string tool_call_id;  // empty: unknown
  std::uint64_t fingerprint = 0;
  bool is_question = false;  // its result is a person's answer
  WallTime at;

  bool operator==(const EndedTool&) const = default;
};

class ToolCalls {
 public:
  static constexpr std::size_t kMaxEnded = 64;

  ToolCalls() = default;
  ToolCalls(std::vector<ObservedTool> running, std::vector<EndedTool> ended);

  const std::vector<ObservedTool>& running() const { return running_; }

  const std::vector<EndedTool>& ended() const { return ended_; }

  // A running tool; null: none.
  const ObservedTool* find(std::string_view tool_call_id) const;
  const ObservedTool* find_same(std::uint64_t fingerprint) const;

  // Whether the call runs or has ended recently.
  bool knows(std::string_view tool_call_id) const;

  // Whether such a call asks a person.
  bool is_question(std::string_view tool_call_id) const;

  // Whether an equal call has ended a moment ago and no other has started since: a hook without a
  // call id that arrives now belongs to it.
  bool has_ended_recently(const ToolCall& call, WallTime now) const;

  bool has_running(std::string_view task_id) const;
  std::vector<std::string> running_ids(std::string_view task_id) const;

  void start(const ToolCall& call, const std::string& task_id, WallTime at);

  // The tool as it ran; none: no such tool runs.
  std::optional<ObservedTool> end(std::string_view tool_call_id, WallTime now);

  // A call with an unknown id has ended.
  void note_ended(std::uint64_t fingerprint, WallTime now);

  // A running tool belongs to another task. Returns the task it belonged to.
  std::string move(std::string_view tool_call_id, const std::string& task_id);

  // All running tools of a task belong to another.
  void move_all(std::string_view from_task, const std::string& to_task);

  bool operator==(const ToolCalls&) const = default;

 private:
  void add_ended(EndedTool tool);

  std::vector<ObservedTool> running_;
  std::vector<EndedTool> ended_;  // the last kMaxEnded
};

}  // namespace oriel
