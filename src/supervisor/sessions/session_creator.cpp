#include "supervisor/sessions/session_creator.h"

#include "base/id.h"
#include "supervisor/errors.h"

#include <utility>

namespace oriel {

SessionCreator::SessionCreator(SessionRegistry& sessions, SessionRunners& runners,
                               const AgentCatalog& agents, const std::vector<ProjectSpec>& projects,
                               std::filesystem::path workspaces, BlockingThread& blocking,
                               WorkspaceSnapshots& snapshots)
    : sessions_(sessions),
      runners_(runners),
      agents_(agents),
      projects_(projects),
      workspaces_(std::move(workspaces)),
      blocking_(blocking),
      snapshots_(snapshots) {}

std::string new_session_id() {
  return "ses_" + random_id();
}

asio::awaitable<Result<CreatedSession>> SessionCreator::create(NewSession wanted) {
  if (runners_.is_stopping()) co_return stopping();
  const RequestKey request{
      .owner = wanted.by, .project_id = wanted.project_id, .request_id = wanted.request_id};
  if (const SessionEntry* const known = sessions_.created_by(request)) {
    std::string session_id = known->state->session_id;
    if (!sessions_.is_own(*known)) co_return taken_over(session_id);
    co_return co_await repeat(std::move(session_id), std::move(wanted));
  }
  ProjectSpec project = project_of(wanted);
  SessionState state;
  state.session_id = wanted.session_id.empty() ? new_session_id() : wanted.session_id;
  state.agent = project.agent;
  state.project_id = wanted.project_id;
  state.title = wanted.title;
  state.workspace = project.workspace;
  state.request_id = wanted.request_id;
  state.owner = wanted.by;
  state.permissions = wanted.permissions;
  const auto spec = runners_.spec_for(state);
  if (!spec) co_return spec.error();
  if (auto allowed = sessions_.check_limits(state.project_id); !allowed) co_return allowed.error();

  // Registered before the first wait, so that a repeated request finds it and it counts in limits.
  const std::string session_id = state.session_id;
  SessionEntry& entry = sessions_.add(state);
  const EntryFlag being_created(sessions_, session_id, &SessionEntry::is_being_created);

  const CloneKind kind =
      spec->sandbox == SandboxKind::kNone ? CloneKind::kWorktree : CloneKind::kSeparate;
  auto preparing = prepare_workspace(session_id, project, kind);
  auto workspace = co_await std::move(preparing);
  if (workspace) {
    auto starting = snapshots_.take_start(session_id, *workspace);
    co_await std::move(starting);
  }
  if (workspace && runners_.is_stopping()) workspace = stopping();
  if (!workspace) {
    sessions_.remove(session_id);
    co_return workspace.error();
  }
  state.workspace = *std::move(workspace);
  state.node = sessions_.own_node().name;
  entry.state = std::make_shared<const SessionState>(std::move(state));
  const auto stored = co_await runners_.create(entry, *spec);
  if (!stored && stored.error().kind == ErrorKind::kOvertaken) {
    auto discarding = discard(session_id, std::move(project), kind);
    co_await std::move(discarding);
  }
  if (!stored) co_return stored.error();
  co_return co_await send_first_message(session_id, std::move(wanted));
}

asio::awaitable<Result<CreatedSession>> SessionCreator::send_first_message(std::string session_id,
                                                                           NewSession wanted) {
  CreatedSession created;
  if (!wanted.message.empty()) {
    UserMessage first{.text = std::move(wanted.message),
                      .request_id = std::move(wanted.request_id),
                      .by = std::move(wanted.by)};
    auto message = [first = std::move(first)](SessionRunner& runner) mutable {
      return runner.message(std::move(first));
    };
    auto sending = runners_.start_task(session_id, std::move(message));
    auto taken = co_await std::move(sending);
    if (!taken) co_return taken.error();
    created.task_id = taken->task_id;
    created.last_index = taken->last_index;
  }
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  created.session = entry->shown();
  co_return created;
}

// Of a session that is never stored.
asio::awaitable<void> SessionCreator::discard(std::string session_id, ProjectSpec project,
                                              CloneKind kind) {
  SessionEntry discarded = *sessions_.find(session_id);
  sessions_.remove(session_id);
  auto forgetting = snapshots_.forget(session_id, discarded.state->workspace);
  co_await std::move(forgetting);
  co_await runners_.stop(std::move(discarded));
  if (!project.workspace.empty()) co_return;
  std::filesystem::path directory = workspaces_ / session_id;
  auto discarding =
      discard_workspace(std::move(directory), std::move(project.repository), kind, blocking_);
  co_await std::move(discarding);
}

// Sends the message if the server ended, or the journal failed, between the session's creation and
// the message.
asio::awaitable<Result<CreatedSession>> SessionCreator::repeat(std::string session_id,
                                                               NewSession wanted) {
  if (sessions_.find(session_id)->is_being_created) co_return in_progress(session_id);
  const auto stored = co_await runners_.confirm(session_id);
  if (!stored) co_return stored.error();
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) co_return unknown_session(session_id);
  CreatedSession created{
      .session = entry->shown(), .task_id = {}, .last_index = -1, .is_repeat = true};
  for (const TakenRequest& taken : created.session->requests) {
    if (taken.request_id != wanted.request_id) continue;
    created.task_id = taken.task_id;
    created.last_index = taken.last_index;
  }
  const bool was_taken = !created.task_id.empty() || !created.session->task_id.empty();
  if (was_taken || created.session->status == SessionStatus::kCompleted) co_return created;
  auto sent = co_await send_first_message(std::move(session_id), std::move(wanted));
  if (sent) sent->is_repeat = true;
  co_return sent;
}

ProjectSpec SessionCreator::project_of(const NewSession& wanted) const {
  ProjectSpec project;
  for (const ProjectSpec& known : projects_) {
    if (known.id == wanted.project_id) project = known;
  }
  if (!wanted.agent.empty()) project.agent = wanted.agent;
  if (project.agent.empty()) project.agent = agents_.default_agent();
  if (!wanted.workspace.empty()) project.workspace = wanted.workspace;
  return project;
}

asio::awaitable<Result<std::string>> SessionCreator::prepare_workspace(std::string session_id,
                                                                       ProjectSpec project,
                                                                       CloneKind kind) {
  if (!project.workspace.empty()) {
    auto check = [directory = project.workspace] { return check_workspace(directory); };
    co_return co_await blocking_.run(std::move(check));
  }
  std::filesystem::path directory = workspaces_ / session_id;
  auto made = co_await make_workspace(directory, std::move(project.repository), kind, blocking_);
  if (!made) co_return made.error();
  co_return Result<std::string>(boost::system::in_place_value, directory.string());
}

}  // namespace oriel
