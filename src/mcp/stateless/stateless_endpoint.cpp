#include "mcp/stateless/stateless_endpoint.h"

#include "base/text/quote.h"
#include "mcp/handling.h"
#include "mcp/owner_shard.h"
#include "mcp/stateless/mirrored_headers.h"
#include "mcp/stateless/stateless_call.h"

namespace oriel::mcp {
namespace {

namespace json = boost::json;

using Homes = std::vector<std::unique_ptr<ShardState>>;

// How often a request follows a task that other servers take over meanwhile.
constexpr int kMaxMoves = 3;

// A request that passed check_request().
struct Checked {
  RpcRequest request;
  RequestMeta meta;
  Principal principal;
};

http::Response refusal(const json::value& id, int status, const RpcError& error) {
  return rpc_response(status, rpc_error(id, error));
}

http::Response refusal(const json::value& id, const RpcError& error) {
  return refusal(id, status_of(error), error);
}

http::Response result_response(const ShardState& here, const RpcRequest& request,
                               RpcResult result) {
  if (!result) return refusal(request.id, result.error());
  stamp_stateless(*result, request.method, here.server().methods.server_info());
  return rpc_response(200, rpc_result(request.id, *result));
}

bool has_tasks(const RequestMeta& meta) {
  const auto* const extensions = meta.client_capabilities.if_contains("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->as_object().contains(kTasksExtension);
}

RpcError tasks_needed() {
  json::object extension;
  extension[kTasksExtension] = json::object();
  return capability_needed({{"extensions", std::move(extension)}});
}

bool is_task_method(std::string_view method) {
  return method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel";
}

json::object discover(const ShardState& here) {
  const Methods& methods = here.server().methods;
  json::object out{{"supportedVersions", supported_versions()},
                   {"capabilities", methods.capabilities(true)}};
  if (!methods.catalog().instructions.empty()) out["instructions"] = methods.catalog().instructions;
  return out;
}

// These run on the owner shard of the task.

asio::awaitable<RpcResult> ask_here(ShardState& owner, TaskRequest request) {
  co_await owner.is_restored();
  Tasks& tasks = owner.client_tasks();
  if (request.method == "tasks/update")
    co_return tasks.update(request.task_id, request.principal, request.params);
  auto asking = request.method == "tasks/get" ? tasks.get(request.task_id, request.principal)
                                              : tasks.cancel(request.task_id, request.principal);
  co_return co_await std::move(asking);
}

// Of a task that another server has, which shares the archive. None: there is none, or it is here
// now, because that server has gone.
asio::awaitable<std::optional<RpcResult>> ask_elsewhere(ShardState& owner, Archive& archive,
                                                        TaskRequest request) {
  for (int attempt = 0; attempt < kMaxMoves; ++attempt) {
    auto finding = archive.find_elsewhere(task_key(request.task_id));
    const auto found = co_await std::move(finding);
    const auto saved = found ? read_saved_task(found->entry.value) : std::nullopt;
    const bool is_theirs = saved && saved->principal == request.principal;
    if (!is_theirs) co_return std::nullopt;
    if (saved->is_over)
      co_return owner.client_tasks().answer_saved(found->entry.value, request.method);
    auto asking = archive.ask(found->server, to_text(request));
    const auto asked = co_await std::move(asking);
    if (!asked) co_return RpcError{.message = describe(asked.error()), .data = {}};
    if (*asked) co_return parse_result(**asked);
    auto taking = archive.take(*found);
    const bool is_taken = co_await std::move(taking);
    if (!is_taken) continue;  // another server was first
    owner.client_tasks().restore(found->entry, owner.running());
    co_return std::nullopt;
  }
  co_return std::nullopt;
}

asio::awaitable<RpcResult> ask_task(ShardState& owner, TaskRequest request) {
  co_await owner.is_restored();
  Archive* const archive = owner.server().options.archive;
  const bool is_here = owner.client_tasks().has(request.task_id, request.principal);
  if (!is_here && archive != nullptr) {
    auto asking = ask_elsewhere(owner, *archive, request);
    auto answer = co_await std::move(asking);
    if (answer) co_return *std::move(answer);
  }
  auto asking = ask_here(owner, std::move(request));
  co_return co_await std::move(asking);
}

asio::awaitable<http::Response> answer_task_method(const Homes& shards, ShardState& here,
                                                   Checked checked) {
  if (!has_tasks(checked.meta)) co_return refusal(checked.request.id, tasks_needed());
  const std::string id(
      checked.request.params.at("taskId").as_string());  // checked by check_request()
  ShardState& owner = *shards[shard_index(id, shards.size())];
  TaskRequest request{.method = checked.request.method,
                      .task_id = id,
                      .params = checked.request.params,
                      .principal = checked.principal};
  auto asking = finish_on<RpcResult>(owner.shard().executor(), ask_task(owner, std::move(request)));
  RpcResult result = co_await std::move(asking);
  co_return result_response(here, checked.request, std::move(result));
}

// Runs on the owner shard of the task.
asio::awaitable<bool> has_task(ShardState& owner, std::string id, Principal principal) {
  co_await owner.is_restored();
  co_return owner.client_tasks().has(id, principal);
}

// Existing tasks of this principal.
asio::awaitable<std::set<std::string, std::less<>>> known_tasks(const Homes& shards,
                                                                ListenFilter filter,
                                                                Principal principal) {
  std::set<std::string, std::less<>> known;
  for (const std::string& id : filter.tasks) {
    ShardState& owner = *shards[shard_index(id, shards.size())];
    auto asking = finish_on<bool>(owner.shard().executor(), has_task(owner, id, principal));
    if (co_await std::move(asking)) known.insert(id);
  }
  co_return known;
}

asio::awaitable<http::Response> listen(const Homes& shards, ShardState& here, Checked checked) {
  auto filter = parse_listen_filter(checked.request.params, here.server().options.subscriptions);
  if (!filter) co_return refusal(checked.request.id, 400, filter.error());
  if (!filter->tasks.empty()) {
    if (!has_tasks(checked.meta)) co_return refusal(checked.request.id, tasks_needed());
    auto finding = known_tasks(shards, *filter, checked.principal);
    filter->tasks = co_await std::move(finding);
  }
  http::Response response = stream_response();
  response.take_over = [&here, id = checked.request.id, principal = checked.principal,
                        filter = *std::move(filter)](std::unique_ptr<http::Transport> transport,
                                                     std::string head) {
    here.listeners().open(id, filter, here.server().methods.server_info(),
                          here.connections().make(here.shard(), principal), std::move(transport),
                          std::move(head));
  };
  co_return response;
}

const Tool* tool_of(const ShardState& here, const RpcRequest& request) {
  if (request.method != "tools/call") return nullptr;
  const auto* const name = request.params.if_contains("name");
  if (name == nullptr || !name->is_string()) return nullptr;
  return here.server().methods.tool(name->as_string());
}

json::object arguments_of(const RpcRequest& request) {
  const auto* const arguments = request.params.if_contains("arguments");
  return arguments != nullptr && arguments->is_object() ? arguments->as_object() : json::object();
}

// The server decides, provided that the client supports tasks.
bool becomes_task(const Tool* tool, const Checked& checked, const InputRounds& rounds) {
  if (tool == nullptr || tool->tasks == TaskSupport::kForbidden || !has_tasks(checked.meta))
    return false;
  if (tool->asks_first && !rounds.has_answers()) return false;
  return !tool->wants_task || tool->wants_task(arguments_of(checked.request));
}

asio::awaitable<http::Response> call(ShardState& here, http::Request http, Checked checked) {
  const Tool* const tool = tool_of(here, checked.request);
  if (tool != nullptr) {
    const auto bad = check_param_headers(http, tool->input_schema, arguments_of(checked.request));
    if (bad) co_return refusal(checked.request.id, bad->status, bad->error);
  }
  const std::string purpose = purpose_of(checked.request, checked.principal);
  auto rounds = InputRounds::read(checked.request.params, here.server().sealer, purpose,
                                  here.server().options.state_ttl);
  if (!rounds) co_return refusal(checked.request.id, rounds.error());
  const bool needs_tasks = tool != nullptr && tool->tasks == TaskSupport::kRequired;
  if (needs_tasks && !has_tasks(checked.meta))
    co_return refusal(checked.request.id, tasks_needed());
  if (becomes_task(tool, checked, *rounds)) {
    co_await here.is_restored();
    const RpcRequest kept{.id = checked.request.id, .method = checked.request.method, .params = {}};
    auto creating =
        here.client_tasks().create(std::move(checked.request), std::move(checked.meta),
                                   checked.principal, *std::move(rounds), here.running());
    RpcResult created = co_await std::move(creating);
    co_return result_response(here, kept, std::move(created));
  }
  const auto call = std::make_shared<StatelessCall>(
      std::move(checked.request), std::move(checked.meta), checked.principal, *std::move(rounds),
      purpose, here.shard(), here.server());
  here.run(call);
  co_await call->settled();
  if (call->is_answered()) co_return rpc_response(call->status(), call->answer());
  http::Response response = stream_response();
  response.take_over = [&here, call, principal = std::move(checked.principal)](
                           std::unique_ptr<http::Transport> transport, std::string head) {
    call->attach(here.connections().make(here.shard(), principal), std::move(transport),
                 std::move(head));
  };
  co_return response;
}

}  // namespace

asio::awaitable<http::Response> post_stateless(const Homes& shards, ShardState& here,
                                               http::Request http, RpcMessage message) {
  // Nothing to correlate with: a client cancels by disconnecting.
  if (const auto* const note = std::get_if<RpcNotification>(&message)) {
    const auto bad = check_notification(http, note->method, note->params);
    co_return bad ? refusal(nullptr, bad->status, bad->error) : rpc_response(202, "");
  }
  auto* const request = std::get_if<RpcRequest>(&message);
  if (request == nullptr) co_return rpc_response(202, "");
  auto meta = check_request(http, request->method, request->params);
  if (!meta) co_return refusal(request->id, meta.error().status, meta.error().error);
  const std::string& method = request->method;
  Checked checked{.request = *request, .meta = *std::move(meta), .principal = http.principal};
  if (method == "server/discover") co_return result_response(here, checked.request, discover(here));
  if (method == "subscriptions/listen") {
    auto listening = listen(shards, here, std::move(checked));
    co_return co_await std::move(listening);
  }
  if (is_task_method(method)) {
    auto answering = answer_task_method(shards, here, std::move(checked));
    co_return co_await std::move(answering);
  }
  if (!here.server().methods.knows(method))
    co_return refusal(
        request->id,
        {.code = kMethodNotFound, .message = "there is no method " + quote(method), .data = {}});
  auto calling = call(here, std::move(http), std::move(checked));
  co_return co_await std::move(calling);
}

asio::awaitable<RpcResult> answer_about_task(const Homes& shards, TaskRequest request) {
  ShardState& owner = *shards[shard_index(request.task_id, shards.size())];
  auto asking = ask_here(owner, std::move(request));
  co_return co_await finish_on<RpcResult>(owner.shard().executor(), std::move(asking));
}

http::Response rpc_response(int status, std::string body) {
  if (body.empty())
    return {.status = status, .headers = {}, .body = {}, .source = {}, .take_over = {}};
  return http::text_response(status, "application/json", std::move(body));
}

http::Response stream_response() {
  http::Response response;
  response.headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-cache, no-transform"},
                      {"X-Accel-Buffering", "no"}};
  return response;
}

}  // namespace oriel::mcp
