// How a session is made.

#include "base/id.h"
#include "base/text/quote.h"
#include "supervisor/refusals.h"
#include "supervisor/supervisor.h"

#include <spdlog/fmt/ranges.h>

#include <utility>

namespace oriel {

asio::awaitable<Result<SessionMade>> Supervisor::create_here(NewSession wanted) {
  if (is_stopping_) co_return stopping();
  if (const SessionEntry* const known = sessions_.made_by(wanted.request_id)) {
    std::string session_id = known->state->session_id;
    co_return co_await repeat(std::move(session_id), std::move(wanted));
  }
  const ProjectSpec project = project_of(wanted);
  SessionState state;
  state.session_id = "ses_" + random_id();
  state.agent = project.agent;
  state.project_id = wanted.project_id;
  state.title = wanted.title;
  state.workspace = project.workspace;
  state.request_id = wanted.request_id;
  if (wanted.permissions) state.permissions = name_of(*wanted.permissions);
  const auto spec = spec_for(state);
  if (!spec) co_return spec.error();
  if (auto allowed = sessions_.check_limits(state.project_id); !allowed) co_return allowed.error();

  // Registered before the first wait, so that a repeated request finds it and it counts in limits.
  const std::string session_id = state.session_id;
  SessionEntry& entry = sessions_.add(state);
  entry.is_being_made = true;

  auto workspace = co_await workspace_for(state, project.repository);
  if (workspace && is_stopping_) workspace = stopping();
  if (!workspace) {
    sessions_.remove(session_id);
    co_return workspace.error();
  }
  state.workspace = *std::move(workspace);
  entry.state = std::make_shared<const SessionState>(std::move(state));
  make_runner(entry, *spec);
  const std::shared_ptr<SessionRunner> runner = entry.runner;  // whoever may end it meanwhile
  auto creation = runner->create();
  co_await finish_on(executor_of(entry), std::move(creation));
  auto made = co_await begin(session_id, std::move(wanted));
  entry.is_being_made = false;
  co_await forget_oldest();
  co_return made;
}

// Its first message, if it has one.
asio::awaitable<Result<SessionMade>> Supervisor::begin(std::string session_id, NewSession wanted) {
  SessionMade made;
  if (!wanted.message.empty()) {
    auto taken = co_await message_here(session_id, std::move(wanted.message), wanted.request_id);
    if (!taken) co_return taken.error();
    made.task_id = taken->task_id;
    made.last_index = taken->last_index;
  }
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  made.session = entry->state;
  co_return made;
}

// What the request that made the session was told. Its message is sent if the session was made but
// Oriel ended before it took it.
asio::awaitable<Result<SessionMade>> Supervisor::repeat(std::string session_id, NewSession wanted) {
  const SessionEntry& entry = *sessions_.find(session_id);
  if (entry.is_being_made) co_return in_progress(session_id);
  SessionMade made{.session = entry.state, .task_id = {}, .last_index = -1, .is_repeat = true};
  for (const TakenRequest& taken : made.session->requests) {
    if (taken.request_id != wanted.request_id) continue;
    made.task_id = taken.task_id;
    made.last_index = taken.last_index;
  }
  const bool was_taken = !made.task_id.empty() || !made.session->task_id.empty();
  if (was_taken || made.session->status == SessionStatus::kCompleted) co_return made;
  auto begun = co_await begin(std::move(session_id), std::move(wanted));
  if (begun) begun->is_repeat = true;
  co_return begun;
}

// Where and with whom the session works: what the project says, and over it what is wanted.
ProjectSpec Supervisor::project_of(const NewSession& wanted) const {
  ProjectSpec project;
  for (const ProjectSpec& known : options_.projects) {
    if (known.id == wanted.project_id) project = known;
  }
  if (!wanted.agent.empty()) project.agent = wanted.agent;
  if (project.agent.empty()) project.agent = options_.default_agent;
  if (!wanted.workspace.empty()) project.workspace = wanted.workspace;
  return project;
}

asio::awaitable<Result<std::string>> Supervisor::workspace_for(SessionState state,
                                                               std::string repository) {
  if (!state.workspace.empty()) {
    auto check = [named = state.workspace] { return check_workspace(named); };
    co_return co_await blocking_.run(std::move(check));
  }
  std::filesystem::path fresh = options_.workspaces / state.session_id;
  auto made = co_await make_workspace(fresh, std::move(repository), blocking_);
  if (!made) co_return made.error();
  co_return Result<std::string>(boost::system::in_place_value, fresh.string());
}

Result<AgentSpec> Supervisor::spec_for(const SessionState& state) const {
  std::vector<std::string> names;
  for (const AgentSpec& spec : options_.agents) {
    names.push_back(spec.name);
    if (spec.name != state.agent) continue;
    AgentSpec found = spec;
    if (const auto mode = parse_permission_mode(state.permissions)) found.permissions = *mode;
    if (!options_.uploads.directory.empty())
      found.uploads = uploads_.directory_of(state.session_id);
    return found;
  }
  return Error{.kind = ErrorKind::kUnknownAgent,
               .message = "there is no agent " + quote(state.agent),
               .hint = fmt::format("choose from {}, or add [agents.{}] to oriel.toml",
                                   fmt::join(names, ", "), state.agent)};
}

}  // namespace oriel
