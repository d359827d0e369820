#pragma once
// What every agent's task has in common: it starts and ends once, each tool is called once and has
// one result, and each text is finished or dropped. Adapters say what they hear, as often as they
// hear it; the events come out clean.

#include "base/agent_event.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class AgentTask {
 public:
  // Appends to `events`, which outlives it.
  explicit AgentTask(std::vector<AgentEvent>& events) : events_(events) {}

  AgentTask(const AgentTask&) = delete;
  AgentTask& operator=(const AgentTask&) = delete;

  bool is_running() const { return is_running_; }

  bool has_failed() const { return has_failed_; }  // error() was called in this task

  bool knows_tool(std::string_view id) const { return tools_.contains(id); }

  void begin();

  // Outside a task these do nothing.
  void delta(std::string_view message_id, std::string_view text);
  void thought(std::string_view text);
  void drop(std::string_view message_id);
  void drop_unfinished();
  void finish_text(std::string_view message_id, std::string_view text);
  void finish_unfinished();  // with the pieces that came
  void call_tool(std::string_view id, std::string_view name, const boost::json::value& input);
  void finish_tool(std::string_view id, bool is_ok, std::string_view output);
  void report_usage(const boost::json::object& usage);  // adds to what was reported in this task

  // Outside a task an error is only a notice.
  void error(std::string_view message);
  void notice(std::string_view text);

  // Finishes what is unfinished. An end by an error that nobody named gets one.
  void end(TaskEnd reason, std::string_view detail = {});

 private:
  std::vector<AgentEvent>& events_;
  bool is_running_ = false;
  bool has_failed_ = false;
  std::map<std::string, std::string, std::less<>> unfinished_;  // texts by message
  std::set<std::string, std::less<>> finished_;                 // messages
  std::map<std::string, bool, std::less<>> tools_;              // has it a result?
  boost::json::object usage_;
};

}  // namespace oriel
