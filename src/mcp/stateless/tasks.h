#pragma once
// The extension io.modelcontextprotocol/tasks: calls that outlive their request.

#include "mcp/server_state.h"
#include "mcp/stateless/input_rounds.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/stateless/task.h"
#include "runtime/task_group.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace oriel::mcp {

// The tasks that one shard owns. An unknown task and one of another principal give the same error,
// kInvalidParams.
class Tasks {
 public:
  using Clock = std::chrono::steady_clock;

  Tasks(Shard& shard, ServerState& server) : shard_(shard), server_(server) {}

  // Starts a tool call as a task in `running`; returns its CreateTaskResult.
  RpcResult create(RpcRequest request, RequestMeta meta, const Principal& principal,
                   InputRounds rounds, TaskGroup& running);

  RpcResult get(std::string_view id, const Principal& principal) const;
  RpcResult update(std::string_view id, const Principal& principal,
                   const boost::json::object& params);
  RpcResult cancel(std::string_view id, const Principal& principal);

  // Removes tasks that ended longer ago than their time to live.
  void expire(Clock::time_point now);

  // Cancels and removes those whose principal no longer has access.
  void end_invalid();

  // Cancels all.
  void stop();

 private:
  Task* find(std::string_view id, const Principal& principal) const;
  void remove_if(const std::function<bool(Task&)>& is_over);

  Shard& shard_;
  ServerState& server_;
  std::unordered_map<std::string_view, std::shared_ptr<Task>> tasks_;  // by id
};

}  // namespace oriel::mcp
