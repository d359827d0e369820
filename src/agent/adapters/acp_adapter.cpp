#include "agent/adapters/acp_adapter.h"

#include "agent/adapters/usage.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr int kProtocolVersion = 1;
constexpr std::int64_t kLoginRequired = -32000;

// Some agents respond to session/load before they send the history.
constexpr std::chrono::milliseconds kEndOfHistory{700};

// The protocol gives an option only a name; what it covers is the agent's business.
std::string scope_of(const json::value& option, const AcpTool& tool) {
  const std::string_view kind = text_of(member(tool.details, "kind"));
  return fmt::format("later requests{}{}, as the agent understands \"{}\"",
                     kind.empty() ? "" : " of kind ", kind, text_of(member(option, "name")));
}

std::vector<PermissionOption> offered_options(const json::value& params, const AcpTool& tool) {
  std::vector<PermissionOption> options;
  for (const json::value& option : elements_of(member(params, "options"))) {
    const std::string_view id = text_of(member(option, "optionId"));
    const auto kind = parse_option_kind(text_of(member(option, "kind")));
    if (id.empty() || !kind) continue;
    const bool lasts = *kind == OptionKind::kAllowAlways;
    options.push_back({std::string(id), std::string(text_of(member(option, "name"))), *kind,
                       lasts ? scope_of(option, tool) : ""});
  }
  return options;
}

// The remaining facts for a decision: all fields of the tool, and the rest of the request.
json::value permission_details(const json::value& params, const AcpTool& tool,
                               const json::value& shown_input) {
  json::object details = tool.details;
  const std::string command = tool.command();
  if (!command.empty() && tool.title != command) details["title"] = tool.title;
  const json::value& input = member(params, "toolCall", "rawInput");
  if (!input.is_null() && input != shown_input) details["rawInput"] = input;
  json::object rest = rest_of(params, {"sessionId", "toolCall", "options"});
  if (!rest.empty()) details["request"] = std::move(rest);
  if (details.empty()) return nullptr;
  return details;
}

// For a shell this is the command, because its title may only describe it.
std::string permission_title(const AcpTool& tool) {
  if (const std::string command = tool.command(); !command.empty()) return "Run: " + command;
  return tool.title.empty() ? "Use a tool" : tool.title;
}

const PermissionOption* find_option(const std::vector<PermissionOption>& options,
                                    std::string_view id) {
  const auto found = std::ranges::find(options, id, &PermissionOption::id);
  return found == options.end() ? nullptr : &*found;
}

const PermissionOption* find_refusal(const std::vector<PermissionOption>& options) {
  for (const OptionKind kind : {OptionKind::kRejectOnce, OptionKind::kRejectAlways}) {
    const auto found = std::ranges::find(options, kind, &PermissionOption::kind);
    if (found != options.end()) return &*found;
  }
  return nullptr;
}

std::string login_hint(const json::value& agent) {
  std::string methods;
  for (const json::value& method : elements_of(member(agent, "authMethods"))) {
    if (!methods.empty()) methods += ", ";
    methods += text_of(member(method, "id"));
  }
  if (methods.empty()) return "log in with the agent's own program, then send the message again";
  return "log in with the agent's own program, or set auth_method to one of: " + methods;
}

bool has_model_option(const json::value& session) {
  for (const json::value& option : elements_of(member(session, "configOptions")))
    if (text_of(member(option, "id")) == "model") return true;
  return false;
}

}  // namespace

AgentStep AcpAdapter::start(const AgentStart& start) {
  start_ = start;
  // No fs and terminal capabilities: agents then use the workspace directly; with them, some fail.
  call("initialize",
       {{"protocolVersion", kProtocolVersion},
        {"clientCapabilities",
         {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}}, {"terminal", false}}},
        {"clientInfo", client_info()}},
       [this](const Response& response) { initialized(response); });
  return take_step();
}

void AcpAdapter::initialized(const Response& response) {
  if (response.is_error())
    return refuse(ErrorKind::kAgentRefused, "the agent refused to start: " + response.message(),
                  "check that its command starts an ACP agent");
  const json::value& version = member(response.result, "protocolVersion");
  if (version.is_int64() && version.get_int64() != kProtocolVersion)
    return refuse(ErrorKind::kProtocolVersion,
                  "the agent uses version " + std::to_string(version.get_int64()) +
                      " of the Agent Client Protocol, Oriel version 1",
                  "install a version of the agent that supports version 1");
  agent_ = response.result;
  if (start_.auth_method.empty()) return open_session();
  call("authenticate", {{"methodId", start_.auth_method}}, [this](const Response& answer) {
    if (answer.is_error())
      return refuse(ErrorKind::kLoginRequired, "the agent rejected the login: " + answer.message(),
                    login_hint(agent_));
    open_session();
  });
}

void AcpAdapter::open_session() {
  if (!start_.resume_id.empty()) return resume_session();
  call("session/new", {{"cwd", start_.workspace}, {"mcpServers", json::array()}},
       [this](const Response& response) { session_opened(response); });
}

void AcpAdapter::resume_session() {
  session_id_ = start_.resume_id;
  const json::value& abilities = member(agent_, "agentCapabilities");
  if (member(abilities, "sessionCapabilities", "resume").is_null()) {
    if (is_true(member(abilities, "loadSession"))) return load_session();
    return refuse(ErrorKind::kCannotResume, "the agent cannot resume a conversation",
                  "start a new session");
  }
  call("session/resume",
       {{"sessionId", session_id_}, {"cwd", start_.workspace}, {"mcpServers", json::array()}},
       [this](const Response& response) {
         // Some agents advertise the method without implementing it.
         if (response.is_error() && response.code() == kMethodNotFound) return load_session();
         session_opened(response);
       });
}

void AcpAdapter::load_session() {
  is_replaying_ = true;
  call("session/load",
       {{"sessionId", session_id_}, {"cwd", start_.workspace}, {"mcpServers", json::array()}},
       [this](const Response& response) {
         if (response.is_error()) is_replaying_ = false;
         session_opened(response);
       });
}

void AcpAdapter::session_opened(const Response& response) {
  if (response.is_error() && response.code() == kLoginRequired)
    return refuse(ErrorKind::kLoginRequired, "the agent requires a login: " + response.message(),
                  login_hint(agent_));
  if (response.is_error() && !session_id_.empty())
    return refuse(ErrorKind::kCannotResume,
                  "the agent could not resume the conversation: " + response.message(),
                  "start a new session");
  if (response.is_error())
    return refuse(ErrorKind::kAgentRefused, "the agent returned no session: " + response.message(),
                  "check its login and its configuration");
  session_ = response.result;
  if (session_id_.empty()) session_id_ = text_of(member(session_, "sessionId"));
  if (session_id_.empty())
    return refuse(ErrorKind::kAgentRefused, "the agent returned no session id",
                  "check that its command starts an ACP agent");
  if (is_replaying_)
    step_.wait_for_quiet = kEndOfHistory;
  else
    choose_model();
}

AgentStep AcpAdapter::quiet() {
  if (is_replaying_ && !session_.is_null()) {
    is_replaying_ = false;
    choose_model();
  }
  return take_step();
}

void AcpAdapter::choose_model() {
  if (start_.model.empty()) return get_ready();
  const auto chosen = [this](const Response& response) {
    if (response.is_error())
      return refuse(ErrorKind::kModelRefused,
                    "the agent rejected the model " + start_.model + ": " + response.message(),
                    "set the agent's model to one that it knows");
    get_ready();
  };
  if (has_model_option(session_))
    return call("session/set_config_option",
                {{"sessionId", session_id_}, {"configId", "model"}, {"value", start_.model}},
                chosen);
  if (!member(session_, "models").is_null())
    return call("session/set_model", {{"sessionId", session_id_}, {"modelId", start_.model}},
                chosen);
  task_.notice("The agent does not support choosing a model; it uses its own.");
  get_ready();
}

void AcpAdapter::get_ready() {
  emit(AgentReady{session_id_, std::string(text_of(member(agent_, "agentInfo", "version")))});
}

void AcpAdapter::send_prompt(std::string_view text) {
  has_prompt_ = true;
  is_in_message_ = false;
  messages_ = 0;
  tools_.clear();
  cost_before_ = cost_;
  call("session/prompt",
       {{"sessionId", session_id_},
        {"prompt", json::array{json::object{{"type", "text"}, {"text", text}}}}},
       [this](const Response& response) { prompt_answered(response); });
}

void AcpAdapter::prompt_answered(const Response& response) {
  has_prompt_ = false;
  if (response.is_error()) {
    if (is_cancelling()) return end_task(TaskEnd::kCancelled);
    task_.error(response.message());
    return end_task(TaskEnd::kError);
  }
  task_.report_usage(task_usage(response.result));
  const std::string_view reason = text_of(member(response.result, "stopReason"));
  if (reason == "cancelled") return end_task(TaskEnd::kCancelled);
  end_task(TaskEnd::kCompleted, reason == "end_turn" ? std::string_view() : reason);
}

// Copilot reports the tokens of its process so far, other agents those of the prompt.
Usage AcpAdapter::task_usage(const json::value& result) {
  Usage usage =
      usage_of(member(result, "usage"), {{"inputTokens", &Usage::input_tokens},
                                         {"outputTokens", &Usage::output_tokens},
                                         {"cachedReadTokens", &Usage::cache_read_tokens},
                                         {"cachedWriteTokens", &Usage::cache_write_tokens}});
  if (usage.is_empty())
    return usage_of(
        member(result, "_meta", "quota", "token_count"),
        {{"input_tokens", &Usage::input_tokens}, {"output_tokens", &Usage::output_tokens}});
  if (text_of(member(agent_, "agentInfo", "name")) != "Copilot") return usage;
  const Usage before = std::exchange(total_, usage);
  return usage_since(before, usage);
}

void AcpAdapter::send_interrupt() {
  notify("session/cancel", {{"sessionId", session_id_}});
}

bool AcpAdapter::on_request(std::string_view method, const json::value& request) {
  if (method != "session/request_permission") return false;
  ask_permission(request);
  return true;
}

void AcpAdapter::ask_permission(const json::value& request) {
  const json::value& params = member(request, "params");
  const json::value& call = member(params, "toolCall");
  const std::string_view id = text_of(member(call, "toolCallId"));
  OpenQuestion question = question_of(request);
  PermissionAsked& asked = question.asked;
  asked.tool_call_id = id;
  // The request may contain only changed fields of the tool.
  const bool is_known = !id.empty() && has_prompt_;
  AcpTool nameless;
  AcpTool& tool = is_known ? tools_[asked.tool_call_id] : nameless;
  tool.learn(call);
  if (is_known) call_tool(id, tool);
  asked.title = permission_title(tool);
  asked.input = tool.full_input();
  if (asked.input.is_null()) asked.input = member(call, "rawInput");
  asked.details = permission_details(params, tool, asked.input);
  asked.options = offered_options(params, tool);
  ask(std::move(question));
}

void AcpAdapter::send_answer(const OpenQuestion& question, const PermissionAnswer& answer) {
  const PermissionOption* chosen = find_option(question.asked.options, answer.option_id);
  // "cancelled" is reserved for cancelled tasks; a rejection selects one of the agent's options.
  if (!chosen && !is_cancelling()) chosen = find_refusal(question.asked.options);
  json::object outcome = {{"outcome", "cancelled"}};
  if (chosen) outcome = {{"outcome", "selected"}, {"optionId", chosen->id}};
  respond(question.request, json::object{{"outcome", std::move(outcome)}});
}

void AcpAdapter::on_notification(std::string_view method, const json::value& params) {
  if (is_replaying_ && !session_.is_null()) step_.wait_for_quiet = kEndOfHistory;
  // Outside a task, updates are history or about modes and commands.
  if (has_prompt_ && method == "session/update") update(member(params, "update"));
}

void AcpAdapter::update(const json::value& update) {
  const std::string_view kind = text_of(member(update, "sessionUpdate"));
  if (kind == "agent_message_chunk") return text_chunk(update);
  if (kind == "agent_thought_chunk")
    return task_.thought(text_of(member(update, "content", "text")));
  if (kind == "tool_call" || kind == "tool_call_update") return update_tool(update);
  if (kind == "usage_update") return update_usage(update);
}

void AcpAdapter::text_chunk(const json::value& update) {
  const std::string_view text = text_of(member(update, "content", "text"));
  if (text.empty()) return;
  const std::string_view name = text_of(member(update, "messageId"));
  if (!is_in_message_ || name != message_name_) {
    task_.finish_unfinished();
    ++messages_;
    is_in_message_ = true;
    message_name_ = name;
  }
  task_.delta(fmt::format("m{}", messages_), text);
}

void AcpAdapter::call_tool(std::string_view id, const AcpTool& tool) {
  if (task_.knows_tool(id)) return;
  task_.finish_unfinished();
  is_in_message_ = false;
  task_.call_tool(id, tool.name(), tool.full_input());
}

void AcpAdapter::update_tool(const json::value& update) {
  const std::string id(text_of(member(update, "toolCallId")));
  if (id.empty()) return;
  AcpTool& tool = tools_[id];
  tool.learn(update);
  const std::string_view status = text_of(member(update, "status"));
  if (status != "pending") tool.learn_output(update);
  const bool is_over = status == "completed" || status == "failed";
  if (is_over || status == "in_progress" || tool.has_input()) call_tool(id, tool);
  if (!is_over) return;
  task_.finish_tool(id, status == "completed", tool.output);
  tools_.erase(id);
}

void AcpAdapter::update_usage(const json::value& update) {
  Usage usage = usage_of(update, {{"used", &Usage::context_used}, {"size", &Usage::context_size}});
  const json::value& amount = member(update, "cost", "amount");
  if (amount.is_number() && text_of(member(update, "cost", "currency")) == "USD") {
    cost_ = amount.to_number<double>();
    usage.cost_usd = cost_ - cost_before_;
  }
  task_.report_usage(usage);
}

}  // namespace oriel
