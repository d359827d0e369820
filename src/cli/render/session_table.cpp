#include "cli/render/session_table.h"

#include "cli/render/age.h"
#include "cli/render/permission_prompt.h"
#include "cli/render/task_summary.h"
#include "cli/render/tool_line.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

constexpr std::size_t kTableColumns = 6;
constexpr std::size_t kWidestPlace = 30;

using Row = std::array<std::string, kTableColumns>;

struct State {
  std::string word;
  std::string color;
};

// A commanded session shows how long it has waited for its agent.
State state_of(const SessionInfo& session, WallTime now) {
  if (session.state == WorkState::kCommanded) {
    const std::string age = age_of(session.state_since, now);
    return {age.empty() ? "commanded" : "commanded " + age, "32"};
  }
  if (session.status == SessionStatus::kFailed) return {"failed", "31"};
  if (session.status == SessionStatus::kCompleted) return {"ended", "2"};
  if (session.state == WorkState::kAwaitingInput) return {"asks", "1;33"};
  if (session.is_at_work()) return {"running", "32"};
  return {std::string(name_of(session.status)), ""};
}

// A long path keeps its end.
std::string location_of(const SessionInfo& session, const std::string& home) {
  if (!session.project.empty()) return printable(session.project);
  std::string path = session.workspace;
  const bool is_at_home = !home.empty() && (path == home || path.starts_with(home + "/"));
  if (is_at_home) path.replace(0, home.size(), "~");
  while (display_width(printable(path)) > kWidestPlace) {
    const std::size_t slash = path.find('/', path.starts_with("…/") ? 5 : 1);
    if (slash == path.npos) return printable(path, kWidestPlace);
    path = "…" + path.substr(slash);
  }
  return printable(path);
}

std::string last_words(const SessionInfo& session) {
  if (session.status == SessionStatus::kFailed) return session.reason;
  if (!session.permissions.empty()) return "? " + session.permissions.front().title;
  if (!session.tool.empty()) return "⚙ " + session.tool;
  return short_result(session.last_text.empty() ? session.title : session.last_text);
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(width > used ? width - used : 0, ' ');
}

std::string detail(const Screen& screen, std::string_view name, const std::string& value) {
  if (value.empty()) return "";
  return paint(screen.is_colored, kDim, fmt::format("{:<10}", name)) + " " + printable(value) +
         "\n";
}

}  // namespace

std::string session_table(const std::vector<SessionInfo>& sessions, const TableStyle& style) {
  std::vector<Row> rows = {{"SESSION", "AGENT", "STATE", "WHERE", "AGE", "LAST"}};
  for (const SessionInfo& session : sessions) {
    rows.push_back({printable(session.id), printable(session.agent),
                    state_of(session, style.now).word, location_of(session, style.home),
                    age_of(session.updated_at, style.now), last_words(session)});
  }
  std::array<std::size_t, kTableColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < kTableColumns; ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_heading = i == 0;
    std::string line;
    std::size_t used = 0;
    for (std::size_t column = 0; column + 1 < kTableColumns; ++column) {
      const std::string cell = padded(rows[i][column], widths[column]);
      const bool is_state = column == 2 && !is_heading;
      const std::string color = is_state ? state_of(sessions[i - 1], style.now).color : "";
      line += paint(style.screen.is_colored && !color.empty(), color, cell) + "  ";
      used += widths[column] + 2;
    }
    const std::size_t left = style.screen.width > used ? style.screen.width - used : 0;
    line += printable(rows[i].back(), left);
    line.erase(line.find_last_not_of(' ') + 1);
    out += paint(style.screen.is_colored && is_heading, kDim, line) + "\n";
  }
  return out;
}

std::string session_details(const SessionInfo& session, const TableStyle& style) {
  const Screen& screen = style.screen;
  const auto since = [&](const std::string& time) {
    const std::string age = age_of(time, style.now);
    return age.empty() ? time : fmt::format("{} ({} ago)", time, age);
  };
  std::string out = detail(screen, "session", session.id);
  out += detail(screen, "title", session.title);
  out += detail(screen, "agent", session.agent);
  out += detail(screen, "state", state_of(session, style.now).word);
  out += detail(screen, "since", since(session.state_since));
  out += detail(screen, "reason", session.reason);
  out += detail(screen, "project", session.project);
  out += detail(screen, "workspace", session.workspace);
  out += detail(screen, "created", since(session.created_at));
  out += detail(screen, "updated", since(session.updated_at));
  out += detail(screen, "turns", std::to_string(session.turns));
  if (session.queued > 0) out += detail(screen, "queued", std::to_string(session.queued));
  out += detail(screen, "tool", session.tool);
  out += detail(screen, "usage", usage_text(session.usage));
  if (!session.last_text.empty()) out += "\n" + printable_lines(session.last_text) + "\n";
  for (const PermissionAsked& asked : session.permissions) {
    out += "\n" + permission_text(asked, screen.is_colored, screen.width);
    const bool wants_words = !asked.questions.empty();
    out += fmt::format("  oriel answer {} {} {}\n", printable(session.id), printable(asked.id),
                       wants_words ? "--text ANSWER" : "allow");
  }
  return out;
}

}  // namespace oriel
