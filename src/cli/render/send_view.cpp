#include "cli/render/send_view.h"

#include "base/text/json_access.h"
#include "cli/render/task_summary.h"
#include "cli/render/terminal.h"
#include "cli/render/tool_line.h"
#include "client/session_info.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr std::string_view kRed = "31";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kYellow = "33";
constexpr std::array kFrames = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::chrono::seconds kManySeconds{60};
constexpr milliseconds kQuiet{
    1000};  // then complete text gets a line end, to show the spinner below it

milliseconds between(SendView::Time from, SendView::Time to) {
  return std::chrono::duration_cast<milliseconds>(to - from);
}

json::object data_of(const SessionEvent& event) {
  return event.data && event.data->is_object() ? event.data->get_object() : json::object();
}

std::int64_t message_of(const SessionEvent& event) {
  return number_of(member(data_of(event), "message")).value_or(0);
}

// Who answered a permission.
std::string by_whom(const SessionEvent& event) {
  const bool is_answered = event.status != "expired" && event.status != "withdrawn";
  if (!is_answered) return "";
  const std::string name = text_at(data_of(event), "by");
  if (name == "rule") return " by the session's rule";
  return name.empty() || name == "local" ? " elsewhere" : " by " + name;
}

}  // namespace

std::string SendView::take(const SessionEvent& event, Time now) {
  last_event_ = now;
  const std::string text = render(event, now);
  return text.empty() ? "" : around(text);
}

std::string SendView::render(const SessionEvent& event, Time now) {
  if (event.type == "delta") return text_piece(event);
  if (event.type == "message" && event.role != "user") return whole_text(event);
  if (event.type == "tool_result") return tool_result(event, now);
  if (event.type == "permission") return permission(event);
  if (event.type == "completion") return completion(event);
  if (event.type == "error") return line(kRed, "✗ " + event.text);
  // Only notices without data are for people.
  if (event.type == "system") return event.data ? "" : line(kDim, "· " + event.text);
  if (event.type == "status" && event.text == "failed") {
    return line(kRed, "✗ the agent failed: " + text_at(data_of(event), "reason"));
  }
  if (event.type == "status" && event.text == "completed") return line(kDim, "· session ended");
  if (event.type == "tool_call") return tool_call(event, now);
  return "";
}

std::string SendView::text_piece(const SessionEvent& event) {
  if (event.role == "thought") return flow(Kind::kThought, event.text);
  shown_.add(message_of(event), event.text);
  is_settled_ = false;
  return flow(Kind::kText, event.text);
}

std::string SendView::whole_text(const SessionEvent& event) {
  const ShownText::Rest rest = shown_.settle(message_of(event), event.text);
  is_settled_ = true;
  if (rest.text.empty()) return "";
  const std::string again = rest.is_replaced ? line(kDim, "· the answer starts over") : "";
  return again + flow(Kind::kText, rest.text);
}

std::vector<SendView::Tool>::iterator SendView::find_tool(const std::string& id) {
  return std::find_if(tools_.begin(), tools_.end(),
                      [&](const Tool& tool) { return tool.id == id; });
}

std::string SendView::tool_call(const SessionEvent& event, Time now) {
  const auto known = find_tool(event.tool_call_id);
  const bool is_new = known == tools_.end();
  Tool tool{.id = event.tool_call_id,
            .name = event.tool_name,
            .arguments = short_arguments(event.text),
            .began = is_new ? now : known->began};
  if (is_new) {
    tools_.push_back(std::move(tool));
  } else {
    *known = std::move(tool);
  }
  return is_asking() ? "" : end_line();
}

std::string SendView::tool_result(const SessionEvent& event, Time now) {
  Tool tool{.id = event.tool_call_id, .name = event.tool_name, .arguments = "", .began = now};
  const auto known = find_tool(tool.id);
  if (known != tools_.end()) {
    tool = std::move(*known);
    tools_.erase(known);
  }
  const bool is_ok = event.status != "error";
  const std::int64_t took =
      number_of(member(data_of(event), "duration_ms")).value_or(between(tool.began, now).count());
  const ToolLine shown{.mark = is_ok ? "✓" : "✗",
                       .mark_color = std::string(is_ok ? kGreen : kRed),
                       .name = tool.name,
                       .arguments = tool.arguments,
                       .duration = short_duration(milliseconds(took)),
                       .result = short_result(event.text),
                       .result_color = std::string(is_ok ? kDim : kRed)};
  return whole_line(format_tool_line(shown, style_.is_colored, style_.width));
}

std::string SendView::permission(const SessionEvent& event) {
  if (event.status != "pending") return resolved(event);
  PermissionAsked asked = read_permission(data_of(event));
  if (style_.has_keyboard) {
    prompts_.emplace_back(std::move(asked));
    return prompts_.size() == 1 ? ask() : "";
  }
  const PermissionPrompt prompt(std::move(asked));
  const std::string before = begin(Kind::kLines);
  line_ends_ = 1;
  return before + prompt.heading(style_.is_colored, style_.width) +
         line(kDim, fmt::format("  oriel answer {} allow (or deny) answers it", style_.session_id));
}

std::string SendView::resolved(const SessionEvent& event) {
  const std::string id = text_at(data_of(event), "permission_id");
  if (answered_.count(id) > 0) return "";
  const auto found = std::find_if(prompts_.begin(), prompts_.end(),
                                  [&](const PermissionPrompt& each) { return each.id() == id; });
  const bool is_on_screen = found != prompts_.end() && found == prompts_.begin();
  if (found != prompts_.end()) prompts_.erase(found);
  const std::string shown =
      line(kDim, fmt::format("  {}{}: {}", event.status, by_whom(event), event.text));
  return is_on_screen && is_asking() ? shown + ask() : shown;
}

std::string SendView::completion(const SessionEvent& event) {
  if (event.usage && event.usage->is_object()) usage_ = event.usage->get_object();
  if (event.status == "cancelled") return line(kYellow, "· cancelled");
  return shown_.empty() && !event.text.empty() ? flow(Kind::kText, event.text) : "";
}

std::string SendView::tick(Time now) {
  if (!style_.is_live || is_asking()) return "";
  std::string out;
  const bool may_end = is_settled_ || kind_ == Kind::kThought;
  if (may_end && now - last_event_ > kQuiet) out = end_line();
  if (line_ends_ == 0) return out;
  out += erase_spinner() + spinner_line(now);
  ++frame_;
  is_spinner_shown_ = true;
  return out;
}

std::string SendView::spinner_line(Time now) const {
  const std::string frame = kFrames[frame_ % kFrames.size()];
  if (tools_.empty()) {
    const auto elapsed = std::chrono::floor<std::chrono::seconds>(now - began_);
    const std::string shown =
        elapsed < kManySeconds ? fmt::format("{}s", elapsed.count()) : short_duration(elapsed);
    return paint(style_.is_colored, kDim, fmt::format("{} working {}", frame, shown));
  }
  const Tool& tool = tools_.back();
  const auto more = tools_.size() - 1;
  const ToolLine shown{.mark = frame,
                       .mark_color = std::string(kYellow),
                       .name = tool.name,
                       .arguments = tool.arguments,
                       .duration = short_duration(between(tool.began, now)),
                       .result = more == 0 ? "" : fmt::format("and {} more", more)};
  // One column stays free: a full line would wrap and could not be erased.
  return format_tool_line(shown, style_.is_colored, style_.width - 1);
}

std::string SendView::notice(std::string_view text) {
  return around(line(kDim, text));
}

SendView::Typed SendView::type(std::string_view typed_line) {
  PermissionPrompt& prompt = prompts_.front();
  PermissionPrompt::Reply reply = prompt.take(typed_line);
  if (!reply.body) return {.text = reply.text + prompt.question(), .permission_id = "", .body = {}};
  line_ends_ = 1;  // the terminal has echoed the line break
  Typed typed{.text = "", .permission_id = prompt.id(), .body = std::move(reply.body)};
  answered_.insert(prompt.id());
  prompts_.pop_front();
  if (is_asking()) typed.text = ask();
  return typed;
}

std::string SendView::finish(Time now) {
  prompts_.clear();
  const std::string summary = task_summary(style_.session_id, between(began_, now), usage_);
  return erase_spinner() + begin(Kind::kSummary) + paint(style_.is_colored, kDim, summary) + "\n";
}

std::string SendView::flow(Kind kind, std::string_view text) {
  if (text.empty()) return "";
  std::string out = begin(kind);
  const std::string shown = printable_lines(text);
  const std::size_t last = shown.find_last_not_of('\n');
  const std::size_t ends = shown.size() - (last == shown.npos ? 0 : last + 1);
  line_ends_ = last == shown.npos ? line_ends_ + ends : ends;
  return out + paint(style_.is_colored && kind == Kind::kThought, kDim, shown);
}

std::string SendView::line(std::string_view color, std::string_view text) {
  return whole_line(paint(style_.is_colored, color, printable_lines(text)));
}

std::string SendView::whole_line(const std::string& text) {
  const std::string before = begin(Kind::kLines);
  line_ends_ = 1;
  return before + text + "\n";
}

std::string SendView::begin(Kind kind) {
  if (kind == kind_) return kind == Kind::kLines ? end_line() : "";
  const bool is_first = kind_ == Kind::kNothing;
  kind_ = kind;
  const std::size_t missing = is_first ? 0 : 2 - std::min<std::size_t>(line_ends_, 2);
  line_ends_ += missing;
  return std::string(missing, '\n');
}

std::string SendView::end_line() {
  if (line_ends_ > 0) return "";
  line_ends_ = 1;
  return "\n";
}

std::string SendView::erase_spinner() {
  if (!is_spinner_shown_) return "";
  is_spinner_shown_ = false;
  return "\r\x1b[K";
}

// Shows the first of the prompts.
std::string SendView::ask() {
  const PermissionPrompt& prompt = prompts_.front();
  std::string out = begin(Kind::kLines) + prompt.heading(style_.is_colored, style_.width);
  line_ends_ = 0;
  return out + prompt.question();
}

// Writes text above the spinner, or below an open question, which is then repeated.
std::string SendView::around(const std::string& text) {
  const std::string out = erase_spinner() + text;
  if (!is_asking() || text.ends_with(prompts_.front().question())) return out;
  const std::string end = end_line();
  line_ends_ = 0;
  kind_ = Kind::kLines;
  return out + end + prompts_.front().question();
}

}  // namespace oriel
