#include "agent/adapters/codex_adapter.h"

#include "agent/adapters/usage.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

// Approval requests of codex and their decision values.
struct Approval {
  std::string_view method, allow, allow_always, refuse, scope;
};

constexpr std::string_view kCommandScope = "the same command, until the session ends";
constexpr std::string_view kFileScope = "changes of the same files, until the session ends";

constexpr Approval kApprovals[] = {
    {"item/commandExecution/requestApproval", "accept", "acceptForSession", "decline",
     kCommandScope},
    {"item/fileChange/requestApproval", "accept", "acceptForSession", "decline", kFileScope},
    {"execCommandApproval", "approved", "approved_for_session", "denied", kCommandScope},
    {"applyPatchApproval", "approved", "approved_for_session", "denied", kFileScope}};

const Approval* approval_for(std::string_view method) {
  for (const Approval& approval : kApprovals)
    if (approval.method == method) return &approval;
  return nullptr;
}

std::vector<PermissionOption> decisions_of(const Approval& approval, const json::value& available) {
  std::vector<PermissionOption> options;
  options.push_back({std::string(approval.allow), "Allow", OptionKind::kAllowOnce});
  // The list of decisions omits "decline", which is always accepted.
  const json::value always(approval.allow_always);
  if (available.is_null() ||
      std::ranges::find(elements_of(available), always) != elements_of(available).end())
    options.push_back({std::string(approval.allow_always), "Allow for this session",
                       OptionKind::kAllowAlways, std::string(approval.scope)});
  options.push_back({std::string(approval.refuse), "Refuse", OptionKind::kRejectOnce});
  return options;
}

struct Tool {
  std::string name;
  json::object input;
};

// Items that are tool calls; others are messages and reasoning.
std::optional<Tool> tool_of(const json::value& item) {
  const std::string_view type = text_of(member(item, "type"));
  if (type == "commandExecution")
    return Tool{"shell", {{"command", member(item, "command")}, {"cwd", member(item, "cwd")}}};
  if (type == "fileChange") return Tool{"apply_patch", {{"changes", member(item, "changes")}}};
  if (type == "webSearch") return Tool{"web_search", {{"query", member(item, "query")}}};
  if (type == "mcpToolCall" || type == "dynamicToolCall") {
    const std::string_view server = text_of(member(item, "server"));
    return Tool{std::string(server) + (server.empty() ? "" : ".") +
                    std::string(text_of(member(item, "tool"))),
                {{"arguments", member(item, "arguments")}}};
  }
  return std::nullopt;
}

std::string output_of(const json::value& item) {
  if (const json::value& output = member(item, "aggregatedOutput"); output.is_string())
    return std::string(text_of(output));
  if (const json::value& error = member(item, "error", "message"); error.is_string())
    return std::string(text_of(error));
  if (const json::value& result = member(item, "result"); !result.is_null())
    return content_text(member(result, "content").is_array() ? member(result, "content") : result);
  std::string paths;
  for (const json::value& change : elements_of(member(item, "changes")))
    paths += fmt::format("{}{}", paths.empty() ? "" : "\n", text_of(member(change, "path")));
  return paths.empty() ? std::string(text_of(member(item, "status"))) : paths;
}

bool is_ok(const json::value& item) {
  const json::value& code = member(item, "exitCode");
  const json::value& status = member(item, "status");
  if (code.is_int64() && code.get_int64() != 0) return false;
  return status.is_null() || text_of(status) == "completed";
}

std::string approval_title(const json::value& params) {
  const json::value& command = member(params, "command");
  if (command.is_string()) return "Run: " + std::string(text_of(command));
  if (command.is_array()) return "Run: " + json_text(command);
  const std::string_view reason = text_of(member(params, "reason"));
  return reason.empty() ? "Change files" : "Change files: " + std::string(reason);
}

Usage codex_tokens(const json::value& usage) {
  return usage_of(usage, {{"inputTokens", &Usage::input_tokens},
                          {"outputTokens", &Usage::output_tokens},
                          {"cachedInputTokens", &Usage::cache_read_tokens},
                          {"cacheWriteInputTokens", &Usage::cache_write_tokens}});
}

}  // namespace

AgentStep CodexAdapter::start(const AgentStart& start) {
  start_ = start;
  call("initialize", {{"clientInfo", client_info()}}, [this](const Response& response) {
    if (response.is_error())
      return refuse(ErrorKind::kAgentRefused, "Codex refused to start: " + response.message(),
                    "check its version and its configuration");
    notify("initialized", {});
    open_thread();
  });
  return take_step();
}

// Codex asks before anything not known to be harmless and runs it unsandboxed once allowed:
// isolation is the job of Oriel's sandbox.
void CodexAdapter::open_thread() {
  json::object params = {{"cwd", start_.workspace},
                         {"approvalPolicy", "untrusted"},
                         {"sandbox", "danger-full-access"}};
  if (!start_.model.empty()) params["model"] = start_.model;
  const bool is_new = start_.resume_id.empty();
  if (!is_new) params["threadId"] = start_.resume_id;
  call(is_new ? "thread/start" : "thread/resume", std::move(params),
       [this](const Response& response) { thread_opened(response); });
}

void CodexAdapter::thread_opened(const Response& response) {
  if (response.is_error() && !start_.resume_id.empty())
    return refuse(ErrorKind::kCannotResume,
                  "Codex could not resume the thread: " + response.message(),
                  "start a new session");
  const json::value& thread = member(response.result, "thread");
  thread_id_ = text_of(member(thread, "id"));
  if (response.is_error() || thread_id_.empty())
    return refuse(ErrorKind::kAgentRefused, "Codex returned no thread: " + response.message(),
                  "check its login and its configuration");
  emit(AgentReady{thread_id_, std::string(text_of(member(thread, "cliVersion")))});
}

void CodexAdapter::send_prompt(std::string_view text) {
  turn_id_.clear();
  tool_inputs_.clear();
  is_interrupt_due_ = false;
  usage_before_.reset();
  call("turn/start",
       {{"threadId", thread_id_},
        {"input", json::array{json::object{{"type", "text"}, {"text", text}}}}},
       [this](const Response& response) {
         if (!response.is_error()) return turn_known(member(response.result, "turn"));
         task_.error(response.message());
         end_task(TaskEnd::kError);
       });
}

// The response to turn/start and turn/started arrive in any order.
void CodexAdapter::turn_known(const json::value& turn) {
  if (!task_.is_running()) return;
  turn_id_ = text_of(member(turn, "id"));
  if (std::exchange(is_interrupt_due_, false)) send_interrupt();
}

void CodexAdapter::send_interrupt() {
  if (turn_id_.empty()) {
    is_interrupt_due_ = true;
    return;
  }
  call("turn/interrupt", {{"threadId", thread_id_}, {"turnId", turn_id_}}, [](const Response&) {});
}

bool CodexAdapter::on_request(std::string_view method, const json::value& request) {
  const Approval* approval = approval_for(method);
  if (!approval) return false;
  const json::value& params = member(request, "params");
  OpenQuestion question = question_of(request);
  PermissionAsked& asked = question.asked;
  asked.tool_call_id = text_of(member(params, "itemId"));
  if (asked.tool_call_id.empty()) asked.tool_call_id = text_of(member(params, "callId"));
  asked.title = approval_title(params);
  asked.input = params;
  // The request for a change of files names only the item, which has the changes.
  const auto item = tool_inputs_.find(asked.tool_call_id);
  if (item != tool_inputs_.end()) {
    json::object details;
    for (const auto& [key, value] : item->second)
      if (member(params, key) != value) details[key] = value;
    if (!details.empty()) asked.details = std::move(details);
  }
  asked.options = decisions_of(*approval, member(params, "availableDecisions"));
  ask(std::move(question));
  return true;
}

void CodexAdapter::send_answer(const OpenQuestion& question, const PermissionAnswer& answer) {
  std::string_view decision = question.asked.options.back().id;
  for (const PermissionOption& option : question.asked.options)
    if (option.id == answer.option_id) decision = option.id;
  respond(question.request, json::object{{"decision", decision}});
}

void CodexAdapter::on_notification(std::string_view method, const json::value& params) {
  const std::string_view thread = text_of(member(params, "threadId"));
  if (!thread.empty() && !thread_id_.empty() && thread != thread_id_) return;
  if (method == "turn/started") {
    if (!task_.is_running()) usage_before_.reset();
    task_.begin();
    return turn_known(member(params, "turn"));
  }
  if (method == "item/agentMessage/delta")
    return task_.delta(text_of(member(params, "itemId")), text_of(member(params, "delta")));
  if (method == "item/reasoning/summaryTextDelta" || method == "item/reasoning/textDelta")
    return task_.thought(text_of(member(params, "delta")));
  if (method == "item/started") return item_started(member(params, "item"));
  if (method == "item/completed") return item_completed(member(params, "item"));
  if (method == "thread/tokenUsage/updated")
    return usage_updated(text_of(member(params, "turnId")), member(params, "tokenUsage"));
  if (method == "serverRequest/resolved")
    return withdraw(content_text(member(params, "requestId")));
  if (method == "warning") return task_.notice(text_of(member(params, "message")));
  if (method == "error") {
    const std::string message = plain_error(text_of(member(params, "error", "message")));
    return is_true(member(params, "willRetry")) ? task_.notice(message) : task_.error(message);
  }
  if (method == "turn/completed") turn_completed(member(params, "turn"));
}

void CodexAdapter::item_started(const json::value& item) {
  const auto tool = tool_of(item);
  if (!tool) return;
  task_.call_tool(text_of(member(item, "id")), tool->name, tool->input);
  tool_inputs_.insert_or_assign(text_at(item, "id"), tool->input);
}

void CodexAdapter::item_completed(const json::value& item) {
  const std::string_view id = text_of(member(item, "id"));
  if (text_of(member(item, "type")) == "agentMessage")
    return task_.finish_text(id, text_of(member(item, "text")));
  item_started(item);
  if (tool_of(item)) task_.finish_tool(id, is_ok(item), output_of(item));
  tool_inputs_.erase(std::string(id));
}

void CodexAdapter::turn_completed(const json::value& turn) {
  const std::string_view status = text_of(member(turn, "status"));
  if (status == "interrupted") return end_task(TaskEnd::kCancelled);
  if (status != "failed") return end_task(TaskEnd::kCompleted);
  if (!task_.has_failed()) task_.error(plain_error(text_of(member(turn, "error", "message"))));
  end_task(TaskEnd::kError);
}

// Usage is the thread's total; subtract what it was before the task. A resumed thread repeats the
// total of its last turn, an interrupted turn the total before it.
void CodexAdapter::usage_updated(std::string_view turn_id, const json::value& usage) {
  const Usage total = codex_tokens(member(usage, "total"));
  const Usage last = codex_tokens(member(usage, "last"));
  const std::optional<Usage> before = std::exchange(total_, total);
  if (!turn_id.empty() && turn_id != turn_id_) return;
  if (!usage_before_) usage_before_ = before ? *before : usage_since(last, total);
  Usage spent = usage_since(*usage_before_, total);
  spent.context_size = number_of(member(usage, "modelContextWindow"));
  spent.context_used = number_of(member(usage, "last", "totalTokens"));
  task_.report_usage(spent);
}

}  // namespace oriel
