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

asio::awaitable<RpcResult> Tasks::create(RpcRequest request, RequestMeta meta, Principal principal,
                                         InputRounds rounds, TaskGroup& running) {
  KeyedLimit& own = server_.tasks_per_principal;
  if (!own.take(principal.credential_id)) {
    server_.refusals.tasks_per_principal.fetch_add(1);
    co_return too_many_tasks("limit of " + std::to_string(own.limit()) +
                             " tasks per credential reached");
  }
  if (server_.tasks.fetch_add(1) >= server_.options.max_tasks) {
    server_.tasks.fetch_sub(1);
    own.give_back(principal.credential_id);
    server_.refusals.tasks.fetch_add(1);
    co_return too_many_tasks("too many tasks");
  }
  auto task = std::make_shared<Task>(id_on_shard(shard_.index(), server_.shards.size()),
                                     std::move(request), std::move(meta), principal,
                                     std::move(rounds), shard_, server_, saver_);
  tasks_.emplace(task->id(), task);
  const std::uint64_t change = task->save();
  json::object created = task->summary();
  created["resultType"] = "task";
  running.spawn("mcp task", task->run());
  co_await saver_.saved(change);
  co_return created;
}

void Tasks::restore(ArchiveEntry entry, TaskGroup& running) {
  auto task = Task::restored(entry.value, shard_, server_, saver_);
  if (task && tasks_.contains(task->id())) return;
  if (!task || !server_.options.is_valid(task->principal()) ||
      !server_.tasks_per_principal.take(task->principal().credential_id)) {
    saver_.remove(std::move(entry.key));
    return;
  }
  server_.tasks.fetch_add(1);
  tasks_.emplace(task->id(), task);
  if (!task->is_over()) running.spawn("mcp task", task->run());
}

std::shared_ptr<Task> Tasks::find(std::string_view id, const Principal& principal) const {
  const auto found = tasks_.find(id);
  const bool is_theirs = found != tasks_.end() && found->second->principal() == principal;
  return is_theirs ? found->second : nullptr;
}

bool Tasks::has(std::string_view id, const Principal& principal) const {
  return find(id, principal) != nullptr;
}

asio::awaitable<RpcResult> Tasks::get(std::string_view id, const Principal& principal) const {
  const std::shared_ptr<Task> task = find(id, principal);
  if (task == nullptr) co_return unknown_task();
  json::object details = task->details();
  auto saving = task->end_saved();
  co_await std::move(saving);
  co_return details;
}

RpcResult Tasks::update(std::string_view id, const Principal& principal,
                        const json::object& params) {
  const std::shared_ptr<Task> task = find(id, principal);
  if (task == nullptr) return unknown_task();
  const auto* const answers = params.if_contains("inputResponses");
  if (answers == nullptr || !answers->is_object())
    return RpcError{.code = kInvalidParams,
                    .message = "params.inputResponses is missing or not an object",
                    .data = {}};
  task->take_answers(answers->as_object());
  return json::object();
}

asio::awaitable<RpcResult> Tasks::cancel(std::string_view id, const Principal& principal) {
  const std::shared_ptr<Task> task = find(id, principal);
  if (task == nullptr) co_return unknown_task();
  task->cancel();
  auto saving = task->end_saved();
  co_await std::move(saving);
  co_return json::object();
}

RpcResult Tasks::answer_saved(std::string_view saved, std::string_view method) const {
  const auto task = Task::restored(saved, shard_, server_, saver_);
  if (task == nullptr) return unknown_task();
  return method == "tasks/get" ? task->details() : json::object();
}

void Tasks::release(std::string_view id) {
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return;
  const std::shared_ptr<Task> task = found->second;
  tasks_.erase(found);
  server_.tasks.fetch_sub(1);
  server_.tasks_per_principal.give_back(task->principal().credential_id);
  task->release();
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
    saver_.remove(task_key(task.id()));
    return true;
  }));
}

void Tasks::stop() {
  for (const auto& [id, task] : tasks_)
    task->cancel();
}

}  // namespace oriel::mcp
