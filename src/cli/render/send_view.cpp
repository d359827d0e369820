#include "cli/render/send_view.h"

#include "base/text/tool_arguments.h"
#include "cli/render/task_summary.h"
#include "cli/render/terminal.h"
#include "cli/render/tool_line.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::array kFrames = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::chrono::seconds kManySeconds{60};
constexpr milliseconds kQuiet{
    1000};  // then complete text gets a line end, to show the spinner below it

milliseconds between(SendView::Time from, SendView::Time to) {
  return std::chrono::duration_cast<milliseconds>(to - from);
}

}  // namespace

std::string SendView::take(const SessionEvent& event, Time now) {
  last_event_ = now;
  const auto render_payload = [&](const auto& payload) -> std::string {
    if constexpr (requires { render(payload, now); }) return render(payload, now);
    return "";  // not for people
  };
  const std::string text = std::visit(render_payload, event.payload);
  return text.empty() ? "" : around(text);
}

std::string SendView::render(const event::AssistantDelta& delta, Time) {
  shown_.add(delta.number, delta.text);
  is_settled_ = false;
  return flow(Kind::kText, delta.text);
}

std::string SendView::render(const event::ThoughtDelta& delta, Time) {
  return flow(Kind::kThought, delta.text);
}

std::string SendView::render(const event::AssistantMessage& message, Time) {
  const ShownText::Rest rest = shown_.settle(message.number, message.text);
  is_settled_ = true;
  if (rest.text.empty()) return "";
  const std::string again = rest.is_replaced ? line(kDim, "· the answer starts over") : "";
  return again + flow(Kind::kText, rest.text);
}

std::vector<SendView::Tool>::iterator SendView::find_tool(const std::string& id) {
  return std::find_if(tools_.begin(), tools_.end(),
                      [&](const Tool& tool) { return tool.id == id; });
}

std::string SendView::render(const event::ToolCall& call, Time now) {
  const auto known = find_tool(call.id);
  const bool is_new = known == tools_.end();
  Tool tool{.id = call.id,
            .name = call.name,
            .arguments = short_arguments(call.input),
            .began = is_new ? now : known->began};
  if (is_new) {
    tools_.push_back(std::move(tool));
  } else {
    *known = std::move(tool);
  }
  return is_asking() ? "" : end_line();
}

std::string SendView::render(const event::ToolResult& result, Time) {
  std::string arguments;
  const auto known = find_tool(result.id);
  if (known != tools_.end()) {
    arguments = known->arguments;
    tools_.erase(known);
  }
  const ToolLine shown = ended_tool_line(result, std::move(arguments));
  return whole_line(format_tool_line(shown, style_.is_colored, style_.width));
}

std::string SendView::render(const event::PermissionRequested& requested, Time) {
  const PermissionAsked& asked = requested.permission.asked;
  if (style_.has_keyboard) {
    prompts_.emplace_back(asked, style_.is_colored, style_.width);
    return prompts_.size() == 1 ? ask() : "";
  }
  const std::string before = begin(Kind::kLines);
  line_ends_ = 1;
  return before + permission_text(asked, style_.is_colored, style_.width) +
         line(kDim, fmt::format("  oriel answer {} allow (or deny) answers it", style_.session_id));
}

std::string SendView::render(const event::PermissionResolved& resolved, Time) {
  const std::string& id = resolved.permission.permission_id;
  if (answered_.count(id) > 0) return "";
  const auto found = std::find_if(prompts_.begin(), prompts_.end(),
                                  [&](const PermissionPrompt& each) { return each.id() == id; });
  const bool is_on_screen = found != prompts_.end() && found == prompts_.begin();
  if (found != prompts_.end()) prompts_.erase(found);
  const std::string shown =
      line(kDim, fmt::format("  {}{}: {}", name_of(resolved.status), by_whom(resolved),
                             resolved.permission.asked.title));
  return is_on_screen && is_asking() ? shown + ask() : shown;
}

std::string SendView::render(const event::Completion& completion, Time) {
  if (!completion.usage.is_empty()) usage_ = completion.usage;
  if (completion.outcome == TaskEnd::kCancelled) return line(kYellow, "· cancelled");
  return shown_.empty() && !completion.text.empty() ? flow(Kind::kText, completion.text) : "";
}

std::string SendView::render(const event::TaskError& error, Time) {
  return line(kRed, "✗ " + error.message);
}

std::string SendView::render(const event::Notice& notice, Time) {
  return line(kDim, "· " + notice.text);
}

std::string SendView::render(const event::StatusChanged& change, Time) {
  if (change.status == SessionStatus::kFailed)
    return line(kRed, "✗ the agent failed: " + change.reason);
  return change.status == SessionStatus::kCompleted ? line(kDim, "· session ended") : "";
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
  std::string out = begin(Kind::kLines) + prompt.heading();
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
