#pragma once
// Sessions as one principal sees them. Hides sessions outside its projects or its one session,
// rejects requests that loosen the operator's policy, and records commands in the audit. Endpoints
// use this instead of the supervisor.

#include "api/audit_log.h"
#include "base/principal.h"
#include "supervisor/supervisor.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

// Must outlive the HTTP server. Usable on any shard. Errors are those of the supervisor, and
// unknown_session and not_allowed.
class VisibleSessions {
 public:
  VisibleSessions(Supervisor& supervisor, AuditLog& audit)
      : supervisor_(supervisor), audit_(audit) {}

  asio::awaitable<Result<SessionSnapshot>> find(Principal principal, std::string session_id);
  asio::awaitable<std::vector<SessionSnapshot>> list(Principal principal, SessionFilter filter);
  asio::awaitable<std::vector<ProjectInfo>> projects(Principal principal);
  asio::awaitable<Result<std::vector<Turn>>> turns(Principal principal, std::string session_id);

  asio::awaitable<Result<SessionSnapshot>> organize(Principal principal, std::string session_id,
                                                    OrganizationChange change);
  asio::awaitable<Result<ChangesAnswer>> changes(Principal principal, std::string session_id,
                                                 ChangesQuery query);

  asio::awaitable<Result<CreatedSession>> create(Principal principal, NewSession wanted);
  asio::awaitable<Result<MessageTaken>> message(Principal principal, std::string session_id,
                                                std::string text, std::string request_id);
  asio::awaitable<Result<MessageTaken>> say(Principal principal, NewTurn turn,
                                            std::shared_ptr<Upload> upload = nullptr);
  asio::awaitable<Result<std::string>> cancel(Principal principal, std::string session_id);
  asio::awaitable<Result<std::string>> answer(Principal principal, std::string session_id,
                                              std::string permission_id, Decision decision);
  asio::awaitable<Result<SessionSnapshot>> end(Principal principal, std::string session_id);

  // Fails with missing_scope, which the audit records as this action on the session.
  asio::awaitable<Result<void>> check_scope(Principal principal, Scope scope, AuditAction action,
                                            std::string session_id);

  // Whether there is a session with this id, visible or not.
  asio::awaitable<bool> is_known(std::string session_id);

  asio::awaitable<std::vector<AgentInfo>> agents() { return supervisor_.agents(); }

  const std::string& default_agent() const { return supervisor_.default_agent(); }

  Uploads& uploads() { return supervisor_.uploads(); }

  // Paths of a hosted session's workspace; see Supervisor::paths().
  asio::awaitable<Result<FoundPaths>> paths(Principal principal, std::string session_id,
                                            std::string typed, std::size_t most);

  // Directories in which the principal may start an agent and whose path begins with what is typed:
  // for the operator any of this machine, for others the workspaces of their projects.
  asio::awaitable<FoundPaths> directories(Principal principal, std::string typed, std::size_t most);

  // Of a turn that turns() has returned.
  asio::awaitable<Result<Download>> download(std::string session_id, TurnFile file) {
    return supervisor_.download(std::move(session_id), std::move(file));
  }

 private:
  template <class T>
  using Work = std::function<asio::awaitable<Result<T>>()>;

  template <class T>
  asio::awaitable<Result<T>> command(Principal principal, AuditAction action,
                                     std::string session_id, Work<T> work);
  asio::awaitable<Result<CreatedSession>> create_allowed(Principal principal, NewSession wanted);

  Supervisor& supervisor_;
  AuditLog& audit_;
};

// Fails if this principal may not start such a session with this agent. Pure.
Result<void> check_policy(const Principal& principal, const NewSession& wanted,
                          const std::vector<ProjectSpec>& projects, const AgentSpec& agent);

// Narrows the filter to the principal's projects and session. Error: not_allowed, if nothing is
// left.
Result<EventFilter> narrow(const Principal& principal, EventFilter filter);

// Whether the principal sees everything that passes this filter.
bool sees_all(const Principal& principal, const EventFilter& filter);

}  // namespace oriel
