#pragma once
// Who did what, from where, to which session: an append-only record in the journal that only
// administrators read.

#include "base/failure_log.h"
#include "base/moment.h"
#include "base/mutex.h"
#include "base/principal.h"
#include "journal/journal.h"

#include <map>
#include <string>
#include <utility>

namespace oriel {

// Must outlive the HTTP server. Usable on any shard.
class AuditLog {
 public:
  explicit AuditLog(Journal& journal) : journal_(journal) {}

  // Returns when it is stored. If the journal fails, writes it to the server's log, one entry for
  // each interval of FailureLog and reason. `project_id` is the session's; empty: none.
  asio::awaitable<void> record(event::Audit audit, std::string project_id);

  // The same for a request that lacks a scope: of each principal at most one a second for each
  // action, so that it cannot fill the journal.
  asio::awaitable<void> record_missing_scope(event::Audit audit, SteadyTime now);

 private:
  bool is_due(const event::Audit& audit, SteadyTime now);

  Journal& journal_;
  FailureLog failures_;
  Mutex mutex_;  // requests arrive on every shard
  std::map<std::pair<std::string, AuditAction>, SteadyTime> refused_ GUARDED_BY(mutex_);
};

// The audit entry of a successful action.
event::Audit audit_of(const Principal& principal, AuditAction action, std::string session_id = {});

}  // namespace oriel
