#pragma once
// The extension io.modelcontextprotocol/tasks: calls that outlive their request.

#include "mcp/server_state.h"
#include "mcp/state_saver.h"
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

  Tasks(Shard& shard, ServerState& server, StateSaver& saver)
      : shard_(shard), server_(server), saver_(saver) {}

  // Starts a tool call as a task in `running`; returns its CreateTaskResult once it is saved.
  asio::awaitable<RpcResult> create(RpcRequest request, RequestMeta meta, Principal principal,
                                    InputRounds rounds, TaskGroup& running);

  // Keeps a task that a restart has ended, and runs it again in `running` if its tool allows it.
  // Has no effect for a task that is there.
  void restore(ArchiveEntry entry, TaskGroup& running);

  bool has(std::string_view id, const Principal& principal) const;

  // Returns the end of a task only when it is saved.
  asio::awaitable<RpcResult> get(std::string_view id, const Principal& principal) const;
  RpcResult update(std::string_view id, const Principal& principal,
                   const boost::json::object& params);
  asio::awaitable<RpcResult> cancel(std::string_view id, const Principal& principal);

  // The answer about a task that another server has and that is over.
  RpcResult answer_saved(std::string_view saved, std::string_view method) const;

  // Another server has taken this task over: it is unknown here.
  void release(std::string_view id);

  // Removes tasks that ended longer ago than their time to live.
  void expire(Clock::time_point now);

  // Cancels and removes those whose principal no longer has access.
  void end_invalid();

  // Cancels all.
  void stop();

 private:
  std::shared_ptr<Task> find(std::string_view id, const Principal& principal) const;
  void remove_if(const std::function<bool(Task&)>& is_over);

  Shard& shard_;
  ServerState& server_;
  StateSaver& saver_;
  std::unordered_map<std::string_view, std::shared_ptr<Task>> tasks_;  // by id
};

}  // namespace oriel::mcp
