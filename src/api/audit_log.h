#pragma once
// Who did what, from where, to which session: an append-only record in the journal that only
// administrators read.

#include "base/principal.h"
#include "journal/journal.h"

#include <string>

namespace oriel {

// Must outlive the HTTP server. Usable on any shard.
class AuditLog {
 public:
  explicit AuditLog(Journal& journal) : journal_(journal) {}

  // Returns when it is stored. If the journal fails, writes it to the server's log. `project_id` is
  // the session's; empty: none.
  asio::awaitable<void> record(event::Audit audit, std::string project_id);

 private:
  Journal& journal_;
};

// The audit entry of a successful action.
event::Audit audit_of(const Principal& principal, AuditAction action, std::string session_id = {});

}  // namespace oriel
