#include "mcp/stateless/task.h"

#include "base/enum_names.h"
#include "base/text/json_access.h"
#include "mcp/handling.h"
#include "mcp/sessions/session_state.h"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr int kPollInterval = 500;
constexpr std::int64_t kTaskFormat = 1;
constexpr std::string_view kInterrupted =
    "the server was restarted while this call ran; call the tool again";

constexpr std::array<std::string_view, 5> kStatusNames = {"working", "input_required", "completed",
                                                          "failed", "cancelled"};

}  // namespace

Task::Task(std::string id, RpcRequest request, RequestMeta meta, Principal principal,
           InputRounds rounds, Shard& shard, ServerState& server, StateSaver& saver)
    : id_(std::move(id)),
      request_(std::move(request)),
      meta_(std::move(meta)),
      principal_(std::move(principal)),
      rounds_(std::move(rounds)),
      shard_(shard),
      server_(server),
      saver_(saver),
      answered_(shard.executor()) {}

std::string task_key(std::string_view id) {
  return std::string(kTaskKeys) + std::string(id);
}

std::optional<SavedTask> read_saved_task(std::string_view saved) {
  const json::object from = parse_object(saved);
  const auto status = find_name<TaskStatus>(kStatusNames, text_of(member(from, "status")));
  if (number_of(member(from, "format")) != kTaskFormat || !status) return std::nullopt;
  return SavedTask{.principal = read_principal(object_of(member(from, "principal"))),
                   .is_over = *status >= TaskStatus::kCompleted};
}

std::shared_ptr<Task> Task::restored(std::string_view saved, Shard& shard, ServerState& server,
                                     StateSaver& saver) {
  const json::object from = parse_object(saved);
  const auto status = find_name<TaskStatus>(kStatusNames, text_of(member(from, "status")));
  if (number_of(member(from, "format")) != kTaskFormat || !status) return nullptr;
  RpcRequest request{.id = nullptr,
                     .method = text_at(from, "method"),
                     .params = object_of(member(from, "params"))};
  RequestMeta meta{.version = text_at(from, "version"),
                   .client_info = object_of(member(from, "client")),
                   .client_capabilities = object_of(member(from, "capabilities")),
                   .log_level = {}};
  auto task = std::make_shared<Task>(text_at(from, "id"), std::move(request), std::move(meta),
                                     read_principal(object_of(member(from, "principal"))),
                                     InputRounds(), shard, server, saver);
  task->status_ = *status;
  task->status_message_ = text_at(from, "message");
  task->created_ = parse_time(text_of(member(from, "created"))).value_or(wall_now());
  task->updated_ = parse_time(text_of(member(from, "updated"))).value_or(wall_now());
  task->outcome_ = object_of(member(from, "outcome"));
  if (task->is_over()) return task;
  task->status_ = TaskStatus::kWorking;
  if (task->can_run_again()) return task;
  task->outcome_["error"] = json::object{{"code", kInternalError}, {"message", kInterrupted}};
  task->status_ = TaskStatus::kFailed;
  task->status_message_ = kInterrupted;
  task->save();
  return task;
}

bool Task::can_run_again() const {
  const Tool* const tool = server_.methods.tool(text_of(member(request_.params, "name")));
  return tool != nullptr && tool->can_run_again &&
         tool->can_run_again(object_of(member(request_.params, "arguments")));
}

std::uint64_t Task::save() {
  return saver_.mark(task_key(id_), [self = shared_from_this()] { return self->serialize(); });
}

std::string Task::serialize() const {
  return json::serialize(json::object{{"format", kTaskFormat},
                                      {"id", id_},
                                      {"principal", to_json(principal_)},
                                      {"method", request_.method},
                                      {"params", request_.params},
                                      {"version", meta_.version},
                                      {"client", meta_.client_info},
                                      {"capabilities", meta_.client_capabilities},
                                      {"status", kStatusNames[static_cast<std::size_t>(status_)]},
                                      {"message", status_message_},
                                      {"created", format_time(created_)},
                                      {"updated", format_time(updated_)},
                                      {"outcome", outcome_}});
}

asio::awaitable<void> Task::run() {
  const auto self = shared_from_this();
  auto working = work();
  co_await std::move(working);
  auto saving = end_saved();
  co_await std::move(saving);
  // One that was released goes on at another server.
  const bool is_released = saver_.is_enabled() && end_ == 0;
  if (!is_released) announce();
}

asio::awaitable<void> Task::work() {
  CallFacts facts{.method = request_.method,
                  .params = request_.params,
                  .version = meta_.version,
                  .principal = principal_,
                  .client_info = meta_.client_info,
                  .client_capabilities = meta_.client_capabilities,
                  .log_level = {},
                  .kept = rounds_.kept(),
                  .session = nullptr,
                  .stable_id = id_};
  Call call(std::move(facts), *this, shard_);
  auto running = server_.methods.run(call);
  auto handling = handle(stop_, std::move(running), call.method());
  const std::optional<RpcResult> result = co_await std::move(handling);
  if (is_over()) co_return;  // cancelled: discard the result
  if (!result) {
    become(TaskStatus::kCancelled);
  } else if (*result) {
    outcome_["result"] = **result;
    become(TaskStatus::kCompleted);
  } else {
    const RpcError& error = result->error();
    json::object failure{{"code", error.code}, {"message", error.message}};
    if (!error.data.is_null()) failure["data"] = error.data;
    outcome_["error"] = std::move(failure);
    become(TaskStatus::kFailed, error.message);
  }
}

void Task::become(TaskStatus status, std::string message) {
  status_ = status;
  status_message_ = std::move(message);
  updated_ = wall_now();
  changed_at_ = std::chrono::steady_clock::now();
  if (is_over())
    end_ = save();  // run() announces it
  else
    announce();
}

void Task::announce() {
  server_.announce({.what = Change::What::kTask, .uri = id_, .task = details()});
}

json::object Task::summary() const {
  json::object out{{"taskId", id_},
                   {"status", kStatusNames[static_cast<std::size_t>(status_)]},
                   {"createdAt", format_time(created_)},
                   {"lastUpdatedAt", format_time(updated_)},
                   {"ttlMs", server_.options.task_ttl.count()},
                   {"pollIntervalMs", kPollInterval}};
  if (!status_message_.empty()) out["statusMessage"] = status_message_;
  return out;
}

json::object Task::details() const {
  json::object out = summary();
  if (status_ == TaskStatus::kInputRequired) out["inputRequests"] = questions_json(questions_);
  for (const auto& [key, value] : outcome_)
    out[key] = value;
  return out;
}

void Task::take_answers(const json::object& answers) {
  if (status_ != TaskStatus::kInputRequired) return;
  const auto is_answered = [&](const InputRequest& question) {
    const auto* const answer = answers.if_contains(question.key);
    if (answer == nullptr || !answer->is_object()) return false;
    answers_[question.key] = *answer;
    return true;
  };
  std::erase_if(questions_, is_answered);
  if (questions_.empty()) become(TaskStatus::kWorking);
  answered_.notify();
}

void Task::cancel() {
  if (is_over()) return;
  become(TaskStatus::kCancelled);
  stop_.emit(asio::cancellation_type::terminal);
}

void Task::release() {
  if (is_over()) return;
  status_ = TaskStatus::kCancelled;
  stop_.emit(asio::cancellation_type::terminal);
}

// Keys are unique over the lifetime of a task.
std::string Task::unused_key(const std::string& key) {
  std::string unused = key;
  for (int i = 2; !used_keys_.insert(unused).second; ++i)
    unused = key + "-" + std::to_string(i);
  return unused;
}

asio::awaitable<InputAnswers> Task::ask(std::vector<InputRequest> inputs, json::object) {
  if (auto answers = rounds_.answers_to(inputs)) co_return *std::move(answers);
  if (auto refusal = missing_capability(inputs, meta_.client_capabilities))
    co_return *std::move(refusal);
  std::vector<std::pair<std::string, std::string>>
      keys;  // the key on the wire and the handler's key
  for (InputRequest& input : inputs) {
    keys.emplace_back(unused_key(input.key), input.key);
    input.key = keys.back().first;
    questions_.push_back(std::move(input));
  }
  const auto is_of_these = [&](const InputRequest& question) {
    return std::any_of(keys.begin(), keys.end(),
                       [&](const auto& key) { return key.first == question.key; });
  };
  become(TaskStatus::kInputRequired);
  try {
    while (std::any_of(questions_.begin(), questions_.end(), is_of_these))
      co_await answered_.wait();
  } catch (const boost::system::system_error&) {
    std::erase_if(questions_, is_of_these);  // answered
    if (questions_.empty() && status_ == TaskStatus::kInputRequired) become(TaskStatus::kWorking);
    throw;
  }
  json::object answers;
  for (const auto& [asked, own] : keys)
    answers[own] = answers_.at(asked);
  co_return answers;
}

}  // namespace oriel::mcp
