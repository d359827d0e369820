#pragma once
// Renders the events of all sessions for `oriel watch`: one line for each thing that happened. A
// message is shown when it is complete, a tool when it has ended.

#include "base/event/session_event.h"
#include "cli/render/event_line.h"

#include <map>
#include <optional>
#include <string>

namespace oriel {

class WatchView {
 public:
  // The lines that this event completes, each with its line end; often none.
  std::string take(const SseEvent& event, const LineStyle& style);

 private:
  struct SessionProgress {
    std::optional<SessionEvent> message;       // the agent's, which may still grow
    std::map<std::string, std::string> tools;  // the arguments of those that run, by id
  };

  std::string flush_message(const SessionEvent& next, const LineStyle& style);

  std::map<std::string, SessionProgress> sessions_;  // that are at work, by id
};

}  // namespace oriel
