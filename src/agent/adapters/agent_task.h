#pragma once
// Normalizes the events of one task: it starts and ends once, each tool call has exactly one
// result, and each text is finished or dropped. Adapters may report duplicates.

#include "base/event/agent_event.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class AgentTask {
 public:
  // Appends to `events`, which must outlive this.
  explicit AgentTask(std::vector<AgentEvent>& events) : events_(events) {}

  AgentTask(const AgentTask&) = delete;
  AgentTask& operator=(const AgentTask&) = delete;

  bool is_running() const { return is_running_; }

  bool has_failed() const { return has_failed_; }  // error() was called in this task

  bool knows_tool(std::string_view id) const { return tools_.contains(id); }

  void begin();

  // No effect outside a task.
  void delta(std::string_view message_id, std::string_view text);
  void thought(std::string_view text);
  void drop(std::string_view message_id);
  void drop_unfinished();
  void finish_text(std::string_view message_id, std::string_view text);
  void finish_unfinished();  // with the text received so far
  void call_tool(std::string_view id, std::string_view name, const boost::json::value& input);
  void finish_tool(std::string_view id, bool is_ok, std::string_view output);
  void report_usage(const Usage& usage);  // merges with earlier reports of this task

  // Outside a task an error becomes a notice.
  void error(std::string_view message);
  void notice(std::string_view text);

  // Finishes open texts and tools. An error end without a reported error gets a generic one.
  void end(TaskEnd reason, std::string_view detail = {});

 private:
  std::vector<AgentEvent>& events_;
  bool is_running_ = false;
  bool has_failed_ = false;
  std::map<std::string, std::string, std::less<>> unfinished_;  // text by message id
  std::set<std::string, std::less<>> finished_;                 // message ids
  std::map<std::string, bool, std::less<>> tools_;              // by id: whether it has a result
  Usage usage_;
};

}  // namespace oriel
