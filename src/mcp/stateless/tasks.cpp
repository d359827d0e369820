#include "mcp/stateless/tasks.h"

#include "mcp/owner_shard.h"

namespace oriel::mcp {
namespace {

namespace json = boost::json;

RpcError unknown_task() {
  return {.code = kInvalidParams, .message = "unknown or expired task", .data = {}};
}

}  // namespace

RpcResult Tasks::create(RpcRequest request, RequestMeta meta, const http::Principal& principal,
                        InputRounds rounds, TaskGroup& running) {
  if (server_.tasks.fetch_add(1) >= server_.options.max_tasks) {
    server_.tasks.fetch_sub(1);
    return RpcError{.code = kInternalError,
                    .message = "too many tasks; cancel some or retry later",
                    .data = {}};
  }
  auto task =
      std::make_shared<Task>(id_on_shard(shard_.index(), server_.shards.size()), std::move(request),
                             std::move(meta), principal, std::move(rounds), shard_, server_);
  tasks_.emplace(task->id(), task);
  json::object created = task->summary();
  created["resultType"] = "task";
  running.spawn("mcp task", task->run());
  return created;
}

Task* Tasks::find(std::string_view id, const http::Principal& principal) const {
  const auto found = tasks_.find(id);
  const bool is_theirs = found != tasks_.end() && found->second->principal() == principal;
  return is_theirs ? found->second.get() : nullptr;
}

RpcResult Tasks::get(std::string_view id, const http::Principal& principal) const {
  const Task* const task = find(id, principal);
  if (task == nullptr) return unknown_task();
  return task->details();
}

RpcResult Tasks::update(std::string_view id, const http::Principal& principal,
                        const json::object& params) {
  Task* const task = find(id, principal);
  if (task == nullptr) return unknown_task();
  const auto* const answers = params.if_contains("inputResponses");
  if (answers == nullptr || !answers->is_object())
    return RpcError{.code = kInvalidParams,
                    .message = "params.inputResponses is missing or not an object",
                    .data = {}};
  task->take_answers(answers->as_object());
  return json::object();
}

RpcResult Tasks::cancel(std::string_view id, const http::Principal& principal) {
  Task* const task = find(id, principal);
  if (task == nullptr) return unknown_task();
  task->cancel();
  return json::object();
}

void Tasks::expire(Clock::time_point now) {
  server_.tasks.fetch_sub(std::erase_if(tasks_, [&](const auto& entry) {
    const Task& task = *entry.second;
    return task.is_over() && now - task.changed_at() >= server_.options.task_ttl;
  }));
}

void Tasks::stop() {
  for (const auto& [id, task] : tasks_)
    task->cancel();
}

}  // namespace oriel::mcp
