#pragma once
// One MCP task: a call that continues after its request was answered and keeps its result for
// tasks/get.

#include "base/time.h"
#include "mcp/server_state.h"
#include "mcp/state_saver.h"
#include "mcp/stateless/input_rounds.h"
#include "mcp/stateless/stateless_gate.h"
#include "runtime/condition.h"

#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

inline constexpr std::string_view kTaskKeys = "mcp/task/";

// The key under which a task is saved.
std::string task_key(std::string_view id);

// What a server that does not run the task needs to know of what was saved.
struct SavedTask {
  Principal principal;
  bool is_over = false;
};

// None for anything else.
std::optional<SavedTask> read_saved_task(std::string_view saved);

enum class TaskStatus { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

// Lives on its owner shard, held by Tasks and by its own run().
class Task : public CallChannel, public std::enable_shared_from_this<Task> {
 public:
  Task(std::string id, RpcRequest request, RequestMeta meta, Principal principal,
       InputRounds rounds, Shard& shard, ServerState& server, StateSaver& saver);

  // From what save() has stored. One that was at work is to be run again, or has failed if its tool
  // does not allow that. Null for anything else.
  static std::shared_ptr<Task> restored(std::string_view saved, Shard& shard, ServerState& server,
                                        StateSaver& saver);

  const std::string& id() const { return id_; }

  const Principal& principal() const { return principal_; }

  asio::awaitable<void> run();

  // Has its state saved soon; returns the number of the change.
  std::uint64_t save();

  bool is_over() const { return status_ >= TaskStatus::kCompleted; }

  // Waits until its end is saved, so that a client that has seen it sees it after a restart, too.
  asio::awaitable<void> end_saved() const { return saver_.saved(end_); }

  std::chrono::steady_clock::time_point changed_at() const { return changed_at_; }

  // The fields of every result about it; details() adds those of its status.
  boost::json::object summary() const;
  boost::json::object details() const;

  // Accepts answers to its open questions; ignores others.
  void take_answers(const boost::json::object& answers);
  void cancel();

  // Another server has taken it over: ends it here without saving that.
  void release();

  void send(SharedMessage, std::uint64_t) override {}  // tasks have no stream

  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return true; }

  void end_connection() override {}

 private:
  asio::awaitable<void> work();
  void become(TaskStatus status, std::string message = {});
  void announce();
  std::string unused_key(const std::string& key);
  bool can_run_again() const;
  std::string serialize() const;

  std::string id_;
  RpcRequest request_;
  RequestMeta meta_;
  Principal principal_;
  InputRounds rounds_;
  Shard& shard_;
  ServerState& server_;
  StateSaver& saver_;
  TaskStatus status_ = TaskStatus::kWorking;
  std::uint64_t end_ = 0;  // the change that saves its end
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
