#pragma once
// Takes over sessions of lost nodes with the workspaces that these have pushed to a git remote.

#include "cluster/peers.h"
#include "runtime/condition.h"
#include "supervisor/cluster/session_claims.h"
#include "supervisor/sync/workspace_sync.h"

#include <chrono>
#include <optional>
#include <set>
#include <string>

namespace oriel {

// Lives on the first shard.
class WorkspaceTakeover {
 public:
  // `sync` is null if no workspace is pushed here. Restoring takes at most `limit`.
  WorkspaceTakeover(asio::any_io_executor shard, Journal& journal, SessionRegistry& sessions,
                    SessionClaims& claims, const Peers& peers, WorkspaceSync* sync,
                    std::chrono::milliseconds limit);

  // What the session's node has pushed last; none: nothing that this node could restore.
  asio::awaitable<std::optional<PushedWorkspace>> pushed(SessionSnapshot session);

  // Restores that workspace here, then claims the session for this node and says so in it. Errors:
  // workspace_failed, those of SessionClaims, and overtaken, if its node is back.
  asio::awaitable<Result<void>> take_over(SessionSnapshot session, PushedWorkspace pushed,
                                          std::string reason);

 private:
  asio::awaitable<Result<void>> restore_and_claim(SessionSnapshot session, PushedWorkspace pushed,
                                                  std::string reason);
  asio::awaitable<Result<void>> claim_unless_back(SessionSnapshot session, Claim claim);

  Journal& journal_;
  SessionRegistry& sessions_;
  SessionClaims& claims_;
  const Peers& peers_;
  WorkspaceSync* const sync_;
  const std::chrono::milliseconds limit_;
  std::set<std::string> under_way_;  // session ids
  Condition changed_;
};

}  // namespace oriel
