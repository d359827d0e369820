#include "observed/correlation.h"

namespace oriel {
namespace {

// A process has one session at a time, and changes it by /clear and /resume, which a session start
// reports. Any other hook with an unknown id belongs to the old session under a new id.
bool continues_session(const HookEvent& hook) {
  return hook.kind != HookKind::kSessionStart || hook.source == StartSource::kCompact;
}

}  // namespace

Correlated Correlation::match(const HookEvent& hook) const {
  if (const auto known = by_session_.find(hook.session_id); known != by_session_.end())
    return {.agent_id = known->second, .evidence = "session_id"};
  const auto file = by_transcript_.find(hook.transcript_path);
  if (!hook.transcript_path.empty() && file != by_transcript_.end())
    return {.agent_id = file->second, .evidence = "transcript"};
  if (hook.pid && continues_session(hook)) {
    const auto process = by_process_.find({*hook.pid, hook.cwd});
    // A fork names the session it was made of, and then continues under an id of its own.
    if (process != by_process_.end() && !process->second.is_resumed_only)
      return {.agent_id = process->second.agent_id, .evidence = "process"};
  }
  return {.agent_id = hook.session_id, .evidence = "new"};
}

Correlated Correlation::resolve(const HookEvent& hook) {
  Correlated found = match(hook);
  learn(found.agent_id, hook.session_id, hook.transcript_path, hook.cwd, hook.pid);
  if (hook.pid && hook.kind == HookKind::kSessionStart && hook.source == StartSource::kResume)
    by_process_.at({*hook.pid, hook.cwd}).is_resumed_only = true;
  if (hook.kind == HookKind::kSessionEnd) forget_process(found.agent_id);
  return found;
}

void Correlation::learn(const std::string& agent_id, const std::string& native_id,
                        const std::string& transcript_path, const std::string& cwd,
                        std::optional<std::int64_t> pid) {
  if (!native_id.empty()) by_session_.emplace(native_id, agent_id);
  if (!transcript_path.empty()) by_transcript_.emplace(transcript_path, agent_id);
  if (pid) by_process_.insert_or_assign({*pid, cwd}, Owner{.agent_id = agent_id});
}

void Correlation::forget_process(const std::string& agent_id) {
  std::erase_if(by_process_, [&](const auto& each) { return each.second.agent_id == agent_id; });
}

void Correlation::forget(const std::string& agent_id) {
  const auto is_agent = [&](const auto& each) { return each.second == agent_id; };
  std::erase_if(by_session_, is_agent);
  std::erase_if(by_transcript_, is_agent);
  forget_process(agent_id);
}

std::optional<std::string> Correlation::find(std::string_view native_id) const {
  const auto known = by_session_.find(native_id);
  if (known == by_session_.end()) return std::nullopt;
  return known->second;
}

}  // namespace oriel
