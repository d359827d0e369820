#pragma once
// Renders a task for the terminal: events in, text out. Time is passed in; the caller writes the
// returned text unchanged.

#include "base/event/session_event.h"
#include "base/text/printable.h"
#include "cli/render/permission_prompt.h"
#include "cli/render/shown_text.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct SendStyle {
  bool is_colored = false;
  bool is_live = false;       // lines can be erased, so there is a spinner
  bool has_keyboard = false;  // ask for permissions here, otherwise show how to answer them
  std::size_t width = kAnyWidth;
  std::string session_id = {};
};

class SendView {
 public:
  using Time = std::chrono::steady_clock::time_point;

  SendView(SendStyle style, Time began)
      : style_(std::move(style)), began_(began), last_event_(began) {}

  void set_width(std::size_t width) { style_.width = width; }

  std::string take(const SessionEvent& event, Time now);

  // The next frame of the spinner. Call it about ten times a second.
  std::string tick(Time now);

  // A line of this program.
  std::string notice(std::string_view text);

  // Whether it waits for a line from the keyboard.
  bool is_asking() const { return !prompts_.empty(); }

  // The permission on the screen; empty if none.
  std::string asked_id() const { return is_asking() ? prompts_.front().id() : ""; }

  struct Typed {
    std::string text;           // write this
    std::string permission_id;  // send `body` for this permission
    std::optional<boost::json::object> body;
  };

  // Takes a line from the keyboard while it asks.
  Typed type(std::string_view typed_line);

  // The last lines: the session, duration and usage, and how to continue.
  std::string finish(Time now);

 private:
  struct Tool {
    std::string id;
    std::string name;
    std::string arguments;
    Time began;
  };
  // The kind of text above the cursor. An empty line separates two kinds.
  enum class Kind { kNothing, kText, kThought, kLines, kSummary };

  std::string render(const event::AssistantDelta& delta, Time now);
  std::string render(const event::ThoughtDelta& delta, Time now);
  std::string render(const event::AssistantMessage& message, Time now);
  std::string render(const event::ToolCall& call, Time now);
  std::string render(const event::ToolResult& result, Time now);
  std::string render(const event::PermissionRequested& requested, Time now);
  std::string render(const event::PermissionResolved& resolved, Time now);
  std::string render(const event::Completion& completion, Time now);
  std::string render(const event::TaskError& error, Time now);
  std::string render(const event::Notice& notice, Time now);
  std::string render(const event::StatusChanged& change, Time now);
  std::vector<Tool>::iterator find_tool(const std::string& id);

  std::string flow(Kind kind, std::string_view text);
  std::string line(std::string_view color, std::string_view text);
  std::string whole_line(const std::string& text);
  std::string begin(Kind kind);
  std::string end_line();
  std::string erase_spinner();
  std::string ask();
  std::string around(const std::string& text);
  std::string spinner_line(Time now) const;

  SendStyle style_;
  Time began_;
  Time last_event_;
  Kind kind_ = Kind::kNothing;
  std::size_t line_ends_ = 1;  // directly above the cursor; 0: the cursor follows text
  bool is_spinner_shown_ = false;
  bool is_settled_ = false;  // the text shown so far is complete
  unsigned frame_ = 0;
  ShownText shown_;
  std::vector<Tool> tools_;                      // running
  std::deque<PermissionPrompt> prompts_;         // the first one is on the screen
  std::set<std::string, std::less<>> answered_;  // permissions answered at this keyboard
  Usage usage_;
};

}  // namespace oriel
