#include "mcp/stateless/tasks.h"

#include "mcp/owner_shard.h"

namespace oriel::mcp {
namespace {

namespace json = boost::json;

RpcError unknown_task() {
  return {.code = kInvalidParams, .message = "unknown or expired task", .data = {}};
}

RpcError too_many_tasks(const std::string& reason) {
  return {.code = kInternalError, .message = reason + "; cancel some or retry later", .data = {}};
}

}  // namespace

RpcResult Tasks::create(RpcRequest request, RequestMeta meta, const Principal& principal,
                        InputRounds rounds, TaskGroup& running) {
  KeyedLimit& own = server_.tasks_per_principal;
  if (!own.take(principal.credential_id)) {
    server_.refusals.tasks_per_principal.fetch_add(1);
    return too_many_tasks("limit of " + std::to_string(own.limit()) +
                          " tasks per credential reached");
  }
  if (server_.tasks.fetch_add(1) >= server_.options.max_tasks) {
    server_.tasks.fetch_sub(1);
    own.give_back(principal.credential_id);
    server_.refusals.tasks.fetch_add(1);
    return too_many_tasks("too many tasks");
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

Task* Tasks::find(std::string_view id, const Principal& principal) const {
  const auto found = tasks_.find(id);
  const bool is_theirs = found != tasks_.end() && found->second->principal() == principal;
  return is_theirs ? found->second.get() : nullptr;
}

RpcResult Tasks::get(std::string_view id, const Principal& principal) const {
  const Task* const task = find(id, principal);
  if (task == nullptr) return unknown_task();
  return task->details();
}

RpcResult Tasks::update(std::string_view id, const Principal& principal,
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

RpcResult Tasks::cancel(std::string_view id, const Principal& principal) {
  Task* const task = find(id, principal);
  if (task == nullptr) return unknown_task();
  task->cancel();
  return json::object();
}

void Tasks::expire(Clock::time_point now) {
  remove_if([&](const Task& task) {
    return task.is_over() && now - task.changed_at() >= server_.options.task_ttl;
  });
}

void Tasks::end_invalid() {
  remove_if([&](Task& task) {
    if (server_.options.is_valid(task.principal())) return false;
    task.cancel();
    return true;
  });
}

void Tasks::remove_if(const std::function<bool(Task&)>& is_over) {
  server_.tasks.fetch_sub(std::erase_if(tasks_, [&](const auto& entry) {
    Task& task = *entry.second;
    if (!is_over(task)) return false;
    server_.tasks_per_principal.give_back(task.principal().credential_id);
    return true;
  }));
}

void Tasks::stop() {
  for (const auto& [id, task] : tasks_)
    task->cancel();
}

}  // namespace oriel::mcp
