#include "observed/observed_events.h"

#include "base/text/json_text.h"

#include <boost/json/object.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

SessionEvent event_of(const ObservedState& state, std::string type, std::string feed_type,
                      WallTime at) {
  SessionEvent event;
  event.type = std::move(type);
  event.feed_type = std::move(feed_type);
  event.session_id = state.session_id;
  event.project_id = state.project_id;
  event.timestamp = at;
  return event;
}

std::string in_words(milliseconds time) {
  const auto seconds = time.count() / 1000;
  return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

}  // namespace

SessionEvent session_created_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "system", "session_created", at);
  event.text = "session seen";
  event.data = json::object{{"agent_id", state.session_id},
                            {"agent", state.agent},
                            {"project_id", state.project_id},
                            {"workspace", state.cwd},
                            {"is_observed", true}};
  return event;
}

SessionEvent session_resumed_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "system", "session_resumed", at);
  event.text = "session resumed";
  event.data = json::object{{"agent_id", state.session_id}, {"project_id", state.project_id}};
  return event;
}

SessionEvent session_ended_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "system", "session_ended", at);
  event.text = "session ended: " + state.end_reason;
  event.data = json::object{{"agent_id", state.session_id},
                            {"project_id", state.project_id},
                            {"reason", state.end_reason},
                            {"turns", state.turns.count}};
  return event;
}

SessionEvent session_imported_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "system", "session_imported", at);
  event.text = "session imported";
  event.data = json::object{{"agent_id", state.session_id},
                            {"agent", state.agent},
                            {"project_id", state.project_id},
                            {"workspace", state.cwd},
                            {"title", state.turns.title},
                            {"turns", state.turns.count},
                            {"created_at", format_time(state.created_at)},
                            {"ended_at", format_time(state.ended_at.value_or(at))}};
  return event;
}

SessionEvent status_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "status", "session_event", at);
  event.text = state.status;
  event.status = state.status;
  return event;
}

SessionEvent compaction_event(const ObservedState& state, WallTime at) {
  SessionEvent event = event_of(state, "system", "session_event", at);
  event.text = "the conversation was compacted";
  return event;
}

SessionEvent silence_event(const ObservedState& state, WallTime now) {
  SessionEvent event = event_of(state, "system", "agent_silence", now);
  WallTime since = state.active_at;
  if (state.silence == Silence::kTool) {
    const ObservedTool& tool = state.tools.running().back();
    since = tool.since;
    event.text = tool.tool_name + " has been running for " + in_words(now - since);
    event.tool_name = tool.tool_name;
    event.tool_call_id = tool.tool_call_id;
  } else if (state.silence == Silence::kQuestion) {
    event.text = "waiting for a person for " + in_words(now - since);
  } else {
    event.text = "no sign of work for " + in_words(now - since);
  }
  event.data = json::object{{"agent_id", state.session_id},
                            {"project_id", state.project_id},
                            {"kind", name_of(state.silence)},
                            {"since", format_time(since)}};
  return event;
}

SessionEvent tool_call_event(const ObservedState& state, const ToolCall& call,
                             const ObservedTask& task, WallTime at) {
  SessionEvent event = event_of(state, "tool_call", "session_event", at);
  event.task_id = task.task_id;
  event.tool_name = call.name;
  event.tool_call_id = call.id;
  event.status = "running";
  event.text = json_text(call.input);
  return event;
}

SessionEvent tool_result_event(const ObservedState& state, const ObservedTool& tool,
                               const ToolOutcome& outcome, WallTime at) {
  SessionEvent event = event_of(state, "tool_result", "session_event", at);
  event.task_id = tool.task_id;
  event.tool_name = tool.tool_name;
  event.tool_call_id = tool.tool_call_id;
  event.status = outcome.is_ok ? "ok" : "error";
  event.text = outcome.output;
  const auto duration = std::max(at - tool.since, milliseconds(0));
  event.data = json::object{{"duration_ms", duration.count()}};
  return event;
}

}  // namespace oriel
