#include "api/audit_log.h"

#include "base/event/event_json.h"
#include "base/log.h"

#include <utility>

namespace oriel {

asio::awaitable<void> AuditLog::record(event::Audit audit, std::string project_id) {
  std::vector<SessionEvent> events(1);
  events.front().project_id = std::move(project_id);
  events.front().timestamp = wall_now();
  events.front().payload = std::move(audit);
  const std::string line = serialize_body(events.front());
  const auto stored = co_await journal_.append(std::move(events));
  if (!stored) log()->error("audit: {} ({})", line, stored.error().message);
}

event::Audit audit_of(const Principal& principal, AuditAction action, std::string session_id) {
  return {.action = action,
          .by = principal.name,
          .address = principal.address,
          .session_id = std::move(session_id)};
}

}  // namespace oriel
