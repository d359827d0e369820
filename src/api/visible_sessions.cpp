#include "api/visible_sessions.h"

#include "base/text/quote.h"
#include "supervisor/errors.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace oriel {
namespace {

Error not_allowed(std::string message, std::string hint) {
  return {.kind = ErrorKind::kNotAllowed, .message = std::move(message), .hint = std::move(hint)};
}

int looseness(PermissionMode mode) {
  switch (mode) {
    case PermissionMode::kDeny:
      return 0;
    case PermissionMode::kAsk:
      return 1;
    case PermissionMode::kAllow:
      return 2;
  }
  return 2;
}

// Both are resolved as far as they exist, so that links and ".." do not lead out.
bool is_inside(const std::string& directory, const std::string& root) {
  std::error_code ec;
  const auto inner = std::filesystem::weakly_canonical(directory, ec);
  if (ec) return false;
  const auto outer = std::filesystem::weakly_canonical(root, ec);
  if (ec) return false;
  const auto [mismatch, rest] =
      std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return mismatch == outer.end();
}

bool has_workspace(const ProjectSpec& project, const std::string& directory) {
  return !directory.empty() && !project.workspace.empty() &&
         is_inside(directory, project.workspace);
}

// A project decides about the sessions that name it, and about its directory.
bool is_allowed_agent(const AgentSpec& agent, const NewSession& wanted,
                      const std::vector<ProjectSpec>& projects) {
  return std::ranges::all_of(projects, [&](const ProjectSpec& project) {
    const bool decides =
        project.id == wanted.project_id || has_workspace(project, wanted.workspace);
    return !decides || project.agents.empty() ||
           std::ranges::find(project.agents, agent.name) != project.agents.end();
  });
}

// Leaves the names that are allowed; all allowed ones, if none is wanted in particular. Returns
// whether any is left.
bool keep_common(std::vector<std::string>& wanted, const std::vector<std::string>& allowed) {
  if (wanted.empty()) {
    wanted = allowed;
    return true;
  }
  std::erase_if(wanted, [&](const std::string& name) {
    return std::find(allowed.begin(), allowed.end(), name) == allowed.end();
  });
  return !wanted.empty();
}

template <class T>
bool answers_question(const Result<T>&) {
  return false;
}

// Whether the message answered a question, or would have if its sender were allowed to.
bool answers_question(const Result<MessageTaken>& said) {
  return said ? !said->permission_id.empty() : said.error().kind == ErrorKind::kMissingScope;
}

}  // namespace

Result<void> check_policy(const Principal& principal, const NewSession& wanted,
                          const std::vector<ProjectSpec>& projects, const AgentSpec& agent) {
  if (!principal.session_id.empty())
    return not_allowed("this credential is limited to one session", "use another one");
  if (!principal.sees(wanted.project_id)) {
    return not_allowed("this credential is limited to certain projects",
                       "name one of them as project_id");
  }
  const bool is_operator = principal.credential_id.empty();
  if (is_operator) return {};
  if (wanted.permissions && looseness(*wanted.permissions) > looseness(agent.permissions)) {
    return not_allowed("permissions: " + quote(name_of(*wanted.permissions)) +
                           " is looser than the operator allows for this agent",
                       "leave it out, or choose a stricter one");
  }
  const bool is_allowed_workspace =
      wanted.workspace.empty() ||
      std::any_of(projects.begin(), projects.end(), [&](const ProjectSpec& project) {
        const bool is_its_own = wanted.project_id.empty() || project.id == wanted.project_id;
        return is_its_own && principal.sees(project.id) && has_workspace(project, wanted.workspace);
      });
  if (!is_allowed_workspace) {
    return not_allowed("workspace: is not inside the workspace of a project",
                       "leave it out, or name a directory of the project");
  }
  const bool may_choose = principal.may(Scope::kAdmin);
  if (!may_choose && !is_allowed_agent(agent, wanted, projects)) {
    return not_allowed("agent: " + quote(agent.name) + " is not one of the project's agents",
                       "leave it out, or ask the operator to add it to the project's agents");
  }
  return {};
}

Result<EventFilter> narrow(const Principal& principal, EventFilter filter) {
  if (!principal.projects.empty() && !keep_common(filter.projects, principal.projects))
    return not_allowed("this credential does not see these projects", "leave project_ids out");
  if (!principal.session_id.empty() && !keep_common(filter.sessions, {principal.session_id}))
    return not_allowed("this credential does not see these sessions", "leave session_id out");
  return filter;
}

bool sees_all(const Principal& principal, const EventFilter& filter) {
  if (principal.projects.empty()) return true;
  return !filter.projects.empty() &&
         std::all_of(filter.projects.begin(), filter.projects.end(),
                     [&](const std::string& project_id) { return principal.sees(project_id); });
}

asio::awaitable<Result<SessionSnapshot>> VisibleSessions::find(Principal principal,
                                                               std::string session_id) {
  auto session = co_await supervisor_.find(session_id);
  if (session && !principal.sees((*session)->project_id, session_id))
    session = unknown_session(session_id);
  co_return session;
}

asio::awaitable<Result<void>> VisibleSessions::check_scope(Principal principal, Scope scope,
                                                           AuditAction action,
                                                           std::string session_id) {
  if (principal.may(scope)) co_return Result<void>();
  event::Audit audit = audit_of(principal, action, std::move(session_id));
  co_await audit_.record_missing_scope(std::move(audit), std::chrono::steady_clock::now());
  co_return Error{.kind = ErrorKind::kMissingScope,
                  .message = fmt::format("the credential {} lacks the scope {}", principal.name,
                                         name_of(scope)),
                  .hint = "ask the operator of Oriel for a token with this scope"};
}

asio::awaitable<bool> VisibleSessions::is_known(std::string session_id) {
  const auto session = co_await supervisor_.find(std::move(session_id));
  co_return session.has_value();
}

asio::awaitable<std::vector<SessionSnapshot>> VisibleSessions::list(Principal principal,
                                                                    SessionFilter filter) {
  auto sessions = co_await supervisor_.list(std::move(filter));
  std::erase_if(sessions, [&](const SessionSnapshot& session) {
    return !principal.sees(session->project_id, session->session_id);
  });
  co_return sessions;
}

// A project counts all its sessions, so that a principal of one session sees none.
asio::awaitable<std::vector<ProjectInfo>> VisibleSessions::projects(Principal principal) {
  if (!principal.session_id.empty()) co_return std::vector<ProjectInfo>();
  auto projects = co_await supervisor_.projects();
  std::erase_if(projects,
                [&](const ProjectInfo& project) { return !principal.sees(project.project_id); });
  co_return projects;
}

asio::awaitable<Result<std::vector<Turn>>> VisibleSessions::turns(Principal principal,
                                                                  std::string session_id) {
  const auto visible = co_await find(std::move(principal), session_id);
  if (!visible) co_return visible.error();
  co_return co_await supervisor_.turns(std::move(session_id));
}

asio::awaitable<Result<FoundPaths>> VisibleSessions::paths(Principal principal,
                                                           std::string session_id,
                                                           std::string typed, std::size_t most) {
  const auto visible = co_await find(std::move(principal), session_id);
  if (!visible) co_return visible.error();
  auto searching = supervisor_.paths(std::move(session_id), std::move(typed), most);
  co_return co_await std::move(searching);
}

// Its event says who has done it.
asio::awaitable<Result<SessionSnapshot>> VisibleSessions::organize(Principal principal,
                                                                   std::string session_id,
                                                                   OrganizationChange change) {
  std::string by = principal.name;
  const auto visible = co_await find(std::move(principal), session_id);
  if (!visible) co_return visible.error();
  co_return co_await supervisor_.organize(std::move(session_id), std::move(change), std::move(by));
}

asio::awaitable<Result<ChangesAnswer>> VisibleSessions::changes(Principal principal,
                                                                std::string session_id,
                                                                ChangesQuery query) {
  const auto visible = co_await find(std::move(principal), session_id);
  if (!visible) co_return visible.error();
  co_return co_await supervisor_.changes(std::move(session_id), std::move(query));
}

asio::awaitable<FoundPaths> VisibleSessions::directories(Principal principal, std::string typed,
                                                         std::size_t most) {
  const bool is_operator = principal.credential_id.empty() && principal.session_id.empty();
  if (is_operator) co_return co_await supervisor_.directories(std::move(typed), most);
  FoundPaths found;
  for (const ProjectSpec& project : supervisor_.configured_projects()) {
    const bool is_own = principal.session_id.empty() && principal.sees(project.id);
    if (is_own && !project.workspace.empty() && project.workspace.starts_with(typed))
      found.paths.push_back(project.workspace + '/');
  }
  found.is_complete = found.paths.size() <= most;
  found.paths.resize(std::min(found.paths.size(), most));
  co_return found;
}

asio::awaitable<Result<CreatedSession>> VisibleSessions::create(Principal principal,
                                                                NewSession wanted) {
  const bool has_one_project = wanted.project_id.empty() && principal.projects.size() == 1;
  if (has_one_project) wanted.project_id = principal.projects.front();
  wanted.by = principal.name;
  event::Audit audit = audit_of(principal, AuditAction::kStart);
  std::string project_id = wanted.project_id;
  auto created = co_await create_allowed(std::move(principal), std::move(wanted));
  if (created)
    audit.session_id = created->session->session_id;
  else
    audit.refusal = created.error().kind;
  co_await audit_.record(std::move(audit), std::move(project_id));
  co_return created;
}

asio::awaitable<Result<CreatedSession>> VisibleSessions::create_allowed(Principal principal,
                                                                        NewSession wanted) {
  const auto agent = supervisor_.agent_of(wanted);
  if (!agent) co_return agent.error();
  // The directory that is checked is the one that is used.
  Result<std::string> workspace(boost::system::in_place_value, wanted.workspace);
  if (!wanted.workspace.empty())
    workspace = co_await supervisor_.resolve_workspace(wanted.workspace, wanted.node);
  if (workspace) wanted.workspace = *workspace;
  const auto allowed = check_policy(principal, wanted, supervisor_.configured_projects(), *agent);
  if (!allowed) co_return allowed.error();
  // After the policy: a principal learns nothing of directories that it may not use.
  if (!workspace) co_return workspace.error();
  co_return co_await supervisor_.create(std::move(wanted));
}

// Also audits commands to sessions that the principal cannot see.
template <class T>
asio::awaitable<Result<T>> VisibleSessions::command(Principal principal, AuditAction action,
                                                    std::string session_id, Work<T> work) {
  event::Audit audit = audit_of(principal, action, session_id);
  const auto visible = co_await find(std::move(principal), std::move(session_id));
  if (!visible) {
    audit.refusal = visible.error().kind;
    co_await audit_.record(std::move(audit), "");
    co_return visible.error();
  }
  auto working = work();
  auto done = co_await std::move(working);
  if (!done) audit.refusal = done.error().kind;
  if (answers_question(done)) audit.action = AuditAction::kAnswer;
  std::string project_id = (*visible)->project_id;
  co_await audit_.record(std::move(audit), std::move(project_id));
  co_return done;
}

asio::awaitable<Result<MessageTaken>> VisibleSessions::message(Principal principal,
                                                               std::string session_id,
                                                               std::string text,
                                                               std::string request_id) {
  UserMessage said{
      .text = std::move(text), .request_id = std::move(request_id), .by = principal.name};
  auto send = [this, session_id, said = std::move(said)] {
    return supervisor_.message(session_id, said);
  };
  return command<MessageTaken>(std::move(principal), AuditAction::kMessage, std::move(session_id),
                               std::move(send));
}

asio::awaitable<Result<MessageTaken>> VisibleSessions::say(Principal principal, NewTurn turn,
                                                           std::shared_ptr<Upload> upload) {
  turn.by = principal.name;
  turn.may_answer = principal.may(Scope::kAnswer);
  std::string session_id = turn.session_id;
  auto say = [this, turn = std::move(turn), upload = std::move(upload)] {
    return supervisor_.say(turn, upload);
  };
  return command<MessageTaken>(std::move(principal), AuditAction::kMessage, std::move(session_id),
                               std::move(say));
}

asio::awaitable<Result<std::string>> VisibleSessions::cancel(Principal principal,
                                                             std::string session_id) {
  auto cancel = [this, session_id, by = principal.name] {
    return supervisor_.cancel(session_id, by);
  };
  return command<std::string>(std::move(principal), AuditAction::kCancel, std::move(session_id),
                              std::move(cancel));
}

asio::awaitable<Result<std::string>> VisibleSessions::answer(Principal principal,
                                                             std::string session_id,
                                                             std::string permission_id,
                                                             Decision decision) {
  decision.by = principal.name;
  auto answer = [this, session_id, permission_id = std::move(permission_id),
                 decision = std::move(decision)] {
    return supervisor_.answer(session_id, permission_id, decision);
  };
  return command<std::string>(std::move(principal), AuditAction::kAnswer, std::move(session_id),
                              std::move(answer));
}

asio::awaitable<Result<SessionSnapshot>> VisibleSessions::end(Principal principal,
                                                              std::string session_id) {
  auto end = [this, session_id, by = principal.name] { return supervisor_.end(session_id, by); };
  return command<SessionSnapshot>(std::move(principal), AuditAction::kEnd, std::move(session_id),
                                  std::move(end));
}

}  // namespace oriel
