#include "observed/observed_agent.h"

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

std::unordered_set<std::string> entry_ids_of(const std::vector<Turn>& turns) {
  std::unordered_set<std::string> ids;
  for (const Turn& turn : turns) {
    if (!turn.entry_id.empty()) ids.insert(turn.entry_id);
  }
  return ids;
}

std::string in_words(std::chrono::milliseconds time) {
  const auto seconds = time.count() / 1000;
  return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

}  // namespace

ObservedAgent::ObservedAgent(ObservedState state, const std::vector<Turn>& turns,
                             ObservedLimits limits)
    : state_(std::move(state)),
      limits_(limits),
      reconciler_(state_.waiting, entry_ids_of(turns)),
      stored_(state_) {
  for (const Turn& turn : turns)
    turns_.emplace(turn.turn_id, turn);
  finish(begin({}));  // keeps of the turns only those that may change
}

void ObservedAgent::join_project(const Project& project) {
  if (!state_.project_id.empty()) return;
  state_.project_id = project.project_id;
  state_.project_name = project.name;
}

ObservedAgent::Work ObservedAgent::begin(Moment now) {
  Work work;
  work.now = now;
  work.at = now.wall;
  return work;
}

ObservedStep ObservedAgent::finish(Work work) {
  state_.waiting = reconciler_.state();
  for (const std::string& turn_id : work.touched) {
    const auto turn = turns_.find(turn_id);
    if (turn == turns_.end()) continue;
    if (may_change(turn_id)) {
      work.step.turns.push_back(turn->second);
    } else {
      work.step.turns.push_back(std::move(turn->second));
      turns_.erase(turn);
    }
  }
  std::erase_if(turns_, [&](const auto& each) { return !may_change(each.first); });
  if (!work.step.events.empty()) {
    state_.updated_at = work.now.wall;
    state_.last_index += static_cast<std::int64_t>(work.step.events.size());
  }
  stored_.heard_at = state_.heard_at;  // alone it is not worth a write
  work.step.is_changed = !(stored_ == state_);
  if (work.step.is_changed) stored_ = state_;
  return std::move(work.step);
}

bool ObservedAgent::may_change(const std::string& turn_id) const {
  const auto is_it = [&](const auto& other) { return other.turn_id == turn_id; };
  const auto is_last = [&](const ObservedTask& task) { return task.last_text_turn_id == turn_id; };
  return std::any_of(state_.waiting.waiting.begin(), state_.waiting.waiting.end(), is_it) ||
         std::any_of(state_.questions.begin(), state_.questions.end(), is_it) ||
         std::any_of(state_.tasks.begin(), state_.tasks.end(), is_last);
}

void ObservedAgent::create(Work& work) {
  if (state_.is_created) return;
  state_.is_created = true;
  state_.is_imported = work.is_import;
  state_.created_at = work.at;
  SessionEvent& event = emit("system", "session_created", work);
  event.text = "session seen";
  event.data = json::object{{"agent_id", state_.session_id},
                            {"agent", state_.agent},
                            {"project_id", state_.project_id},
                            {"workspace", state_.cwd},
                            {"is_observed", true}};
}

void ObservedAgent::revive(Work& work) {
  if (!state_.ended_at) return;
  state_.ended_at.reset();
  state_.end_reason.clear();
  SessionEvent& event = emit("system", "session_resumed", work);
  event.text = "session goes on";
  event.data = json::object{{"agent_id", state_.session_id}, {"project_id", state_.project_id}};
}

void ObservedAgent::end_session(const std::string& reason, Work& work) {
  if (state_.ended_at) return;
  state_.ended_at = work.at;
  state_.end_reason = reason;
  cut_tasks(work);
  settle_state("session_end", work);
  SessionEvent& event = emit("system", "session_ended", work);
  event.text = "session ended: " + reason;
  event.data = json::object{{"agent_id", state_.session_id},
                            {"project_id", state_.project_id},
                            {"reason", reason},
                            {"turns", state_.turns}};
}

void ObservedAgent::cut_tasks(Work& work) {
  for (ObservedTask& task : state_.tasks) {
    dismiss_questions(task.task_id, work);
    if (task.done_at) continue;
    task.done_at = work.at;
    task.is_cut = true;
  }
}

SessionEvent& ObservedAgent::emit(std::string type, std::string feed_type, Work& work) {
  SessionEvent event;
  event.type = std::move(type);
  event.feed_type = std::move(feed_type);
  event.session_id = state_.session_id;
  event.project_id = state_.project_id;
  event.timestamp = work.at;
  work.step.events.push_back(std::move(event));
  return work.step.events.back();
}

WorkState ObservedAgent::present_state() {
  const ObservedTask* task = live_task();
  if (state_.ended_at) return WorkState::kComplete;
  if (!task) return WorkState::kIdle;
  if (task->done_at) return WorkState::kComplete;
  if (task->asked_at || is_question_open(task->task_id)) return WorkState::kAwaitingInput;
  return task->has_work ? WorkState::kProcessing : WorkState::kCommanded;
}

void ObservedAgent::settle_state(std::string_view trigger, Work& work) {
  const WorkState now = present_state();
  const bool works = now == WorkState::kProcessing || now == WorkState::kAwaitingInput;
  const std::string status = state_.ended_at ? "completed" : works ? "running" : "idle";
  if (work.is_import) {  // and nobody is told
    state_.state = now;
    state_.status = status;
    return;
  }
  if (now != state_.state) {
    const ObservedTask* task = live_task();
    work.step.events.push_back(state_transition_event({.session_id = state_.session_id,
                                                       .project_id = state_.project_id,
                                                       .task_id = task ? task->task_id : "",
                                                       .from = state_.state,
                                                       .to = now,
                                                       .trigger = std::string(trigger)},
                                                      work.at));
    state_.state = now;
  }
  if (status == state_.status) return;
  state_.status = status;
  SessionEvent& event = emit("status", "session_event", work);
  event.text = status;
  event.status = status;
}

ObservedStep ObservedAgent::follow_wanted(Moment now) {
  Work work = begin(now);
  if (!state_.wanted_path.empty()) {
    if (!state_.position.path.empty()) expect_copies();
    state_.position = {.path = state_.wanted_path, .inode = 0, .offset = 0};
    state_.wanted_path.clear();
  }
  return finish(std::move(work));
}

ObservedStep ObservedAgent::tick(Moment now, Liveness liveness) {
  Work work = begin(now);
  // A transcript that is followed has an entry by now, or never will.
  if (state_.last_entry_at) {
    withdraw_passed(now.wall - limits_.orphan_after, work);
    settle_state("reconciliation", work);
  }
  const Silence silence = present_silence(now, liveness);
  if (silence == Silence::kGone && !state_.ended_at) end_session("its process has ended", work);
  if (silence != state_.silence) {
    state_.silence = silence;
    tell_silence(work);
  }
  return finish(std::move(work));
}

Silence ObservedAgent::present_silence(const Moment& now, Liveness liveness) {
  if (liveness == Liveness::kGone && state_.is_created) return Silence::kGone;
  const WorkState state = present_state();
  if (state == WorkState::kIdle || state == WorkState::kComplete) return Silence::kAtRest;
  const auto quiet = now.wall - state_.heard_at;
  const bool has_tool = !state_.tools.empty();
  if (quiet < (has_tool ? limits_.tool_long_after : limits_.silent_after)) return Silence::kNone;
  if (state == WorkState::kAwaitingInput) return Silence::kQuestion;
  return has_tool ? Silence::kTool : Silence::kUnknown;
}

void ObservedAgent::tell_silence(Work& work) {
  const Silence silence = state_.silence;
  const bool is_told =
      silence == Silence::kQuestion || silence == Silence::kTool || silence == Silence::kUnknown;
  if (!is_told) return;
  const std::string quiet = in_words(work.now.wall - state_.heard_at);
  SessionEvent& event = emit("system", "agent_silence", work);
  json::object data = {{"agent_id", state_.session_id},
                       {"project_id", state_.project_id},
                       {"kind", name_of(silence)},
                       {"since", format_time(state_.heard_at)}};
  if (silence == Silence::kQuestion) event.text = "waits for a person since " + quiet;
  if (silence == Silence::kUnknown) event.text = "should work, and says nothing since " + quiet;
  if (silence == Silence::kTool) {
    const ObservedTool& tool = state_.tools.back();
    event.text = tool.tool_name + " runs since " + in_words(work.now.wall - tool.since);
    event.tool_name = tool.tool_name;
    event.tool_call_id = tool.tool_call_id;
    data["since"] = format_time(tool.since);
  }
  event.data = std::move(data);
}

}  // namespace oriel
