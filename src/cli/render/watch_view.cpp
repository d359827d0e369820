#include "cli/render/watch_view.h"

#include "base/event/event_json.h"
#include "base/text/json_access.h"
#include "base/text/tool_arguments.h"
#include "cli/render/permission_prompt.h"
#include "cli/render/task_summary.h"
#include "cli/render/terminal.h"
#include "cli/render/tool_line.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace oriel {
namespace {

// What one line says.
struct WatchLine {
  std::string_view color;  // empty: as it is
  std::string text;
};

std::string joined_lines(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

WatchLine line_of(const event::UserMessage& message) {
  return {kBold, "› " + message.text};
}

WatchLine line_of(const event::AssistantMessage& message) {
  return {"", message.text};
}

// Of an observed agent the turn is its message.
WatchLine line_of(const event::TurnCreated& created) {
  if (!created.is_message) return {};
  const bool is_person = created.turn.actor == TurnActor::kUser;
  return {is_person ? kBold : std::string_view(), (is_person ? "› " : "") + created.turn.text};
}

WatchLine line_of(const event::PermissionRequested& requested) {
  return {kYellow, "? " + requested.permission.asked.title};
}

WatchLine line_of(const event::PermissionResolved& resolved) {
  return {kDim, fmt::format("· {}{}: {}", name_of(resolved.status), by_whom(resolved),
                            resolved.permission.asked.title)};
}

WatchLine line_of(const event::Completion& completion) {
  const std::string used = usage_text(completion.usage);
  const std::string cost =
      " after " + short_duration(completion.duration) + (used.empty() ? "" : ", " + used);
  switch (completion.outcome) {
    case TaskEnd::kCompleted:
      return {kGreen, "✓ completed" + cost};
    case TaskEnd::kCancelled:
      return {kYellow, "· cancelled" + cost};
    case TaskEnd::kError:
      break;
  }
  const std::string why = completion.detail.empty() ? "" : ": " + completion.detail;
  return {kRed, "✗ failed" + cost + why};
}

WatchLine line_of(const event::TaskError& error) {
  return {kRed, "✗ " + error.message};
}

WatchLine line_of(const event::Notice& notice) {
  return {kDim, "· " + notice.text};
}

WatchLine line_of(const event::StatusChanged& change) {
  if (change.status != SessionStatus::kFailed) return {};
  return {kRed, "✗ the agent failed: " + change.reason};
}

WatchLine line_of(const event::SessionCreated& created) {
  const std::string title = created.title.empty() ? "" : ": " + created.title;
  return {kDim, fmt::format("· {} in {}{}", created.agent, created.workspace, title)};
}

WatchLine line_of(const event::SessionResumed&) {
  return {kDim, "· session resumed"};
}

WatchLine line_of(const event::SessionEnded& ended) {
  const std::string reason = ended.reason.value_or("");
  return {kDim, "· session ended" + (reason.empty() ? "" : ": " + reason)};
}

WatchLine line_of(const event::SessionImported& imported) {
  return {kDim, fmt::format("· imported {} turns of {}: {}", imported.turns, imported.agent,
                            imported.title)};
}

// Deltas, state transitions and other events for programs have no line.
WatchLine line_of(const auto&) {
  return {};
}

// The time and the session, dim, and how many columns they take.
std::pair<std::string, std::size_t> head_of(const SessionEvent& event, const LineStyle& style) {
  std::string head = time_of_day(event.timestamp, style.utc_offset) + " ";
  if (!event.project_id.empty()) head += printable(event.project_id) + "/";
  head += printable(event.session_id) + "  ";
  const std::size_t columns = display_width(head);
  return {paint(style.is_colored, kDim, head), columns};
}

std::size_t columns_left(const LineStyle& style, std::size_t used) {
  if (style.width == kAnyWidth) return kAnyWidth;
  return style.width > used ? style.width - used : 0;
}

std::string render(const SessionEvent& event, const WatchLine& line, const LineStyle& style) {
  if (line.text.empty()) return "";
  const auto [head, used] = head_of(event, style);
  const std::string text = printable(joined_lines(line.text), columns_left(style, used));
  return head + (line.color.empty() ? text : paint(style.is_colored, line.color, text)) + "\n";
}

std::string render_tool(const SessionEvent& event, const event::ToolResult& result,
                        const std::string& arguments, const LineStyle& style) {
  const auto [head, used] = head_of(event, style);
  const ToolLine line = ended_tool_line(result, arguments);
  return head + format_tool_line(line, style.is_colored, columns_left(style, used)) + "\n";
}

// Whether it leaves a message of the agent as it is: the message may still grow.
bool continues(const SessionEvent& event, const event::AssistantMessage& message) {
  if (const auto* const longer = event.get_if<event::AssistantMessage>())
    return longer->number == message.number;
  if (const auto* const delta = event.get_if<event::AssistantDelta>())
    return delta->number == message.number;
  return false;
}

}  // namespace

std::string WatchView::flush_message(const SessionEvent& next, const LineStyle& style) {
  const auto found = sessions_.find(next.session_id);
  if (found == sessions_.end() || !found->second.message) return "";
  const SessionEvent& shown = *found->second.message;
  const auto& message = std::get<event::AssistantMessage>(shown.payload);
  if (next.task_id == shown.task_id && continues(next, message)) return "";
  std::string line = render(shown, line_of(message), style);
  found->second.message.reset();
  return line;
}

std::string WatchView::take(const SseEvent& event, const LineStyle& style) {
  SessionEvent read = parse_event(event.event, parse_object(event.data));
  if (read.get_if<event::Custom>() != nullptr || read.get_if<event::Audit>() != nullptr)
    return text_line(event, style) + "\n";
  std::string lines = flush_message(read, style);
  const std::string session_id = read.session_id;
  SessionProgress& session = sessions_[session_id];
  if (const auto* const call = read.get_if<event::ToolCall>()) {
    session.tools[call->id] = short_arguments(call->input);
  } else if (const auto* const result = read.get_if<event::ToolResult>()) {
    lines += render_tool(read, *result, session.tools[result->id], style);
    session.tools.erase(result->id);
  } else if (read.get_if<event::AssistantMessage>() != nullptr) {
    session.message = std::move(read);
  } else {
    const auto line = [](const auto& payload) { return line_of(payload); };
    lines += render(read, std::visit(line, read.payload), style);
  }
  if (session.tools.empty() && !session.message) sessions_.erase(session_id);
  return lines;
}

}  // namespace oriel
