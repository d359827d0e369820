#pragma once
// For the tests of this room: shell scripts as agents, in a language of plain words.

#include "agent/agent.h"
#include "posix/process_tree.h"
#include "runtime/deadline.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <unistd.h>

namespace oriel {

// Runs to its end on a loop of its own, within a minute.
template <class T>
T run_here(asio::awaitable<T> work) {
  asio::io_context io(1);
  auto result =
      asio::co_spawn(io, with_deadline(std::chrono::minutes(1), std::move(work)), asio::use_future);
  io.run();
  return result.get();
}

// "ready", "say TEXT", "done", "quiet MS"; anything else is noise. Prompts and answers are sent as
// they are; "cancel", "silence" and "bye" are its own words.
class WordAdapter final : public Adapter {
 public:
  AgentStep start(const AgentStart& start) override { return sending("start " + start.workspace); }

  AgentStep receive(std::string_view line) override {
    AgentStep step;
    if (line == "ready") {
      step.events.emplace_back(AgentReady{});
    } else if (line == "done") {
      step.events.emplace_back(TurnEnded{});
    } else if (line.starts_with("say ")) {
      step.events.emplace_back(TextDelta{.message_id = "", .text = std::string(line.substr(4))});
    } else if (line.starts_with("quiet ")) {
      step.wait_for_quiet = std::chrono::milliseconds(std::stoi(std::string(line.substr(6))));
    } else {
      step.is_noise = true;
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

// Short, for agents that do not listen.
inline AgentLimits hurried() {
  using std::chrono::milliseconds;
  AgentLimits limits;
  limits.close_grace = milliseconds(100);
  limits.term_grace = milliseconds(100);
  return limits;
}

// The children of this process that still run or were not reaped, orphans included.
inline std::vector<ProcessInfo> own_children_left() {
  std::vector<ProcessInfo> left;
  for (const ProcessInfo& process : list_processes())
    if (process.parent == ::getpid() && process.session != ::getsid(0)) left.push_back(process);
  return left;
}

}  // namespace oriel
