#include "api/audit_log.h"

#include "base/event/event_json.h"
#include "base/log.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::seconds kRefusalInterval{1};
constexpr std::size_t kMaxRefused = 1000;

}  // namespace

bool AuditLog::is_due(const event::Audit& audit, SteadyTime now) {
  const MutexLock lock(mutex_);
  const auto is_over = [now](const auto& entry) { return entry.second + kRefusalInterval <= now; };
  if (refused_.size() >= kMaxRefused) std::erase_if(refused_, is_over);
  const auto [entry, is_new] = refused_.try_emplace({audit.by, audit.action}, now);
  if (!is_new && !is_over(*entry)) return false;
  entry->second = now;
  return true;
}

asio::awaitable<void> AuditLog::record_missing_scope(event::Audit audit, SteadyTime now) {
  audit.refusal = ErrorKind::kMissingScope;
  if (is_due(audit, now)) co_await record(std::move(audit), "");
}

asio::awaitable<void> AuditLog::record(event::Audit audit, std::string project_id) {
  std::vector<SessionEvent> events(1);
  events.front().project_id = std::move(project_id);
  events.front().timestamp = wall_now();
  events.front().payload = std::move(audit);
  const std::string line = serialize_body(events.front());
  const auto stored = co_await journal_.append(std::move(events));
  if (stored) co_return;
  const std::string& reason = stored.error().message;
  const auto left_out = failures_.admit(reason, std::chrono::steady_clock::now());
  if (left_out) log()->error("audit: {} ({}){}", line, reason, FailureLog::note(*left_out));
}

event::Audit audit_of(const Principal& principal, AuditAction action, std::string session_id) {
  return {.action = action,
          .by = principal.name,
          .address = principal.address,
          .session_id = std::move(session_id)};
}

}  // namespace oriel
