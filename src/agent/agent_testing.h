#pragma once
// For tests of this module: shell scripts as agents, with a line protocol of plain words.

#include "agent/agent.h"
#include "posix/process_testing.h"

#include <gtest/gtest.h>

namespace oriel {

// Reads "ready", "say TEXT", "done", "quiet MS"; anything else is noise. Sends prompts and answers
// unchanged, and "cancel", "silence" and "bye".
class WordAdapter final : public Adapter {
 public:
  AgentStep start(const AgentStart& start) override { return sending("start " + start.workspace); }

  AgentStep receive(std::string_view line) override {
    AgentStep step;
    if (line == "ready") {
      step.events.emplace_back(AgentReady{});
    } else if (line == "done") {
      step.events.emplace_back(TaskEnded{});
    } else if (line.starts_with("say ")) {
      step.events.emplace_back(TextDelta{.message_id = "", .text = std::string(line.substr(4))});
    } else if (line.starts_with("quiet ")) {
      step.wait_for_quiet = std::chrono::milliseconds(std::stoi(std::string(line.substr(6))));
    } else {
      step.is_noise = true;
    }
    return step;
  }

  // Long lines are JSON: {"say":TEXT}.
  AgentStep receive_parsed(std::optional<boost::json::value> message) override {
    AgentStep step;
    step.is_noise = !message;
    if (message) {
      const std::string_view text = text_of(member(*message, "say"));
      step.events.emplace_back(TextDelta{.message_id = "", .text = std::string(text)});
    }
    return step;
  }

  AgentStep quiet() override { return sending("silence"); }

  AgentStep prompt(std::string_view text) override { return sending(std::string(text)); }

  AgentStep cancel() override { return sending("cancel"); }

  AgentStep answer(std::string_view id, const PermissionAnswer&) override {
    return sending("answer " + std::string(id));
  }

  AgentStep close() override { return sending("bye"); }

 private:
  static AgentStep sending(std::string line) {
    AgentStep step;
    step.lines.push_back(std::move(line));
    return step;
  }
};

inline AgentSpec script(std::string text) {
  AgentSpec spec;
  spec.name = "scripted";
  spec.command = {"/bin/sh", "-c", std::move(text)};
  return spec;
}

// Short limits, for agents that do not react.
inline AgentLimits hurried() {
  using std::chrono::milliseconds;
  AgentLimits limits;
  limits.close_grace = milliseconds(100);
  limits.term_grace = milliseconds(100);
  return limits;
}

}  // namespace oriel
