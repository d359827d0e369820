#pragma once
// A task as a person sees it: events in, text for the terminal out. Time is passed in; what is
// returned is to be written as it is, at once.

#include "base/printable.h"
#include "base/session_event.h"
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
  bool is_live = false;       // lines can be erased: there is a spinner
  bool has_keyboard = false;  // permissions are asked here, else it is said how to answer them
  std::size_t width = kAnyWidth;
  std::string session_id = {};
};

class SendView {
 public:
  using Time = std::chrono::steady_clock::time_point;

  SendView(SendStyle style, Time began) : style_(std::move(style)), began_(began), heard_(began) {}

  void set_width(std::size_t width) { style_.width = width; }

  std::string take(const SessionEvent& event, Time now);

  // The spinner's next picture. Call it some ten times a second.
  std::string tick(Time now);

  // A line of ours.
  std::string notice(std::string_view text);

  // Whether it waits for a line from the keyboard.
  bool is_asking() const { return !prompts_.empty(); }

  // The permission on the screen; empty: none.
  std::string asked_id() const { return is_asking() ? prompts_.front().id() : ""; }

  struct Typed {
    std::string text;           // to be written
    std::string permission_id;  // with `body`: to be sent
    std::optional<boost::json::object> body;
  };

  // A line from the keyboard, while it is asking.
  Typed type(std::string_view typed_line);

  // The last line: the session, what the task took, how to go on.
  std::string finish(Time now);

 private:
  struct Tool {
    std::string id;
    std::string name;
    std::string arguments;
    Time began;
  };
  // What stands above the cursor. Between two kinds there is an empty line.
  enum class Kind { kNothing, kText, kThought, kLines, kSummary };

  std::string render(const SessionEvent& event, Time now);
  std::string text_piece(const SessionEvent& event);
  std::string whole_text(const SessionEvent& event);
  std::vector<Tool>::iterator find_tool(const std::string& id);
  std::string tool_call(const SessionEvent& event, Time now);
  std::string tool_result(const SessionEvent& event, Time now);
  std::string permission(const SessionEvent& event);
  std::string resolved(const SessionEvent& event);
  std::string completion(const SessionEvent& event);

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
  Time heard_;  // when the last event came
  Kind kind_ = Kind::kNothing;
  std::size_t line_ends_ = 1;  // right above the cursor; 0: it is behind text
  bool is_spinner_shown_ = false;
  bool is_settled_ = false;  // the text shown is whole, as far as the agent has said
  unsigned frame_ = 0;
  ShownText shown_;
  std::vector<Tool> tools_;                      // at work
  std::deque<PermissionPrompt> prompts_;         // the first one is on the screen
  std::set<std::string, std::less<>> answered_;  // permissions answered at this keyboard
  boost::json::object usage_;
};

}  // namespace oriel
