#include "cli/commands/audit_command.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"
#include "cli/report_error.h"
#include "client/session_api.h"

#include <spdlog/fmt/fmt.h>

#include <deque>
#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

// The newest `limit` entries that are wanted. The server has them oldest first.
Result<std::deque<json::object>> read_audit(const AuditOptions& options) {
  std::deque<json::object> newest;
  std::string after;
  bool has_more = true;
  while (has_more) {
    const auto page =
        get_now(options.server, api_target("/api/audit", {{"after", after}, {"limit", "1000"}}));
    if (!page) return page.error();
    for (const json::value& entry : elements_of(member(*page, "entries"))) {
      const bool is_wanted =
          options.session.empty() || text_at(entry, "data", "session_id") == options.session;
      if (is_wanted) newest.push_back(object_of(entry));
      if (newest.size() > options.limit) newest.pop_front();
    }
    after = text_at(*page, "next");
    has_more = is_true(member(*page, "has_more"));
  }
  return newest;
}

}  // namespace

std::string audit_line(const json::object& entry) {
  const json::value& data = member(entry, "data");
  const std::string status = text_at(entry, "status");
  const std::string session = text_at(data, "session_id");
  const std::string subject = session.empty() ? text_at(data, "token") : session;
  return printable(fmt::format("{}  {:<8} {:<16} by {} from {}{}", text_at(entry, "timestamp"),
                               text_at(entry, "text"), subject, text_at(data, "by"),
                               text_at(data, "address"),
                               status == "ok" ? "" : "  refused: " + status));
}

int audit_command(const AuditOptions& options, std::ostream& out, std::ostream& err) {
  const auto entries = read_audit(options);
  if (!entries) return report_error(err, entries.error(), kExitFailure);
  for (const json::object& entry : *entries)
    out << (options.is_json ? json_text(entry) : audit_line(entry)) << '\n';
  out << std::flush;
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
