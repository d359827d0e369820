#pragma once
// One MCP task: a call that continues after its request was answered and keeps its result for
// tasks/get.

#include "base/time.h"
#include "mcp/server_state.h"
#include "mcp/stateless/input_rounds.h"
#include "mcp/stateless/stateless_gate.h"
#include "runtime/condition.h"

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace oriel::mcp {

enum class TaskStatus { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

// Lives on its owner shard, held by Tasks and by its own run().
class Task : public CallChannel, public std::enable_shared_from_this<Task> {
 public:
  Task(std::string id, RpcRequest request, RequestMeta meta, Principal principal,
       InputRounds rounds, Shard& shard, ServerState& server);

  const std::string& id() const { return id_; }

  const Principal& principal() const { return principal_; }

  asio::awaitable<void> run();

  bool is_over() const { return status_ >= TaskStatus::kCompleted; }

  std::chrono::steady_clock::time_point changed_at() const { return changed_at_; }

  // The fields of every result about it; details() adds those of its status.
  boost::json::object summary() const;
  boost::json::object details() const;

  // Accepts answers to its open questions; ignores others.
  void take_answers(const boost::json::object& answers);
  void cancel();

  void send(SharedMessage) override {}  // tasks have no stream

  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return true; }

  void end_connection() override {}

 private:
  void become(TaskStatus status, std::string message = {});
  std::string unused_key(const std::string& key);

  std::string id_;
  RpcRequest request_;
  RequestMeta meta_;
  Principal principal_;
  InputRounds rounds_;
  Shard& shard_;
  ServerState& server_;
  TaskStatus status_ = TaskStatus::kWorking;
  std::string status_message_;
  WallTime created_ = wall_now();
  WallTime updated_ = created_;
  std::chrono::steady_clock::time_point changed_at_ = std::chrono::steady_clock::now();
  std::vector<InputRequest> questions_;  // unanswered
  boost::json::object answers_;
  std::set<std::string> used_keys_;
  boost::json::object outcome_;  // "result" or "error", once it is over
  Condition answered_;
  asio::cancellation_signal stop_;
};

}  // namespace oriel::mcp
