#include "agent/adapters/droid_adapter.h"

#include "agent/adapters/usage.h"

#include <boost/json/array.hpp>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

// Only the values are stable; labels differ between versions.
OptionKind option_kind(std::string_view value) {
  if (value == "proceed_once") return OptionKind::kAllowOnce;
  if (value.starts_with("proceed")) return OptionKind::kAllowAlways;
  return OptionKind::kRejectOnce;
}

std::string tool_title(const json::value& use) {
  std::string title(text_of(member(use, "toolUse", "name")));
  for (const char* detail : {"fullCommand", "filePath", "fileName", "url"}) {
    const std::string_view text = text_of(member(use, "details", detail));
    if (!text.empty()) return title + ": " + std::string(text);
  }
  return title;
}

// What droid says of a tool besides its input.
json::object use_details(const json::value& use) {
  json::object details = rest_of(use, {"toolUse"});
  for (const auto& [key, value] : rest_of(member(use, "toolUse"), {"type", "id", "input"}))
    details[key] = value;
  return details;
}

TaskEnd end_of(std::string_view reason) {
  if (reason == "completed" || reason == "permission_rejected") return TaskEnd::kCompleted;
  if (reason == "cancelled") return TaskEnd::kCancelled;
  return TaskEnd::kError;
}

Usage droid_tokens(const json::value& usage) {
  return usage_of(usage, {{"inputTokens", &Usage::input_tokens},
                          {"outputTokens", &Usage::output_tokens},
                          {"cacheReadTokens", &Usage::cache_read_tokens},
                          {"cacheCreationTokens", &Usage::cache_write_tokens}});
}

}  // namespace

// Other options have no effect on stream-jsonrpc sessions.
std::vector<std::string> DroidAdapter::arguments(const AgentStart&) const {
  return {"exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"};
}

json::object DroidAdapter::envelope(Envelope kind) const {
  const char* type = kind == Envelope::kRequest    ? "request"
                     : kind == Envelope::kResponse ? "response"
                                                   : "notification";
  return {{"jsonrpc", "2.0"}, {"factoryApiVersion", "1.0.0"}, {"type", type}};
}

json::value DroidAdapter::request_id(std::int64_t number) const {
  return json::value(std::to_string(number));
}

AgentStep DroidAdapter::start(const AgentStart& start) {
  start_ = start;
  const auto opened = [this](const Response& response) { session_opened(response); };
  if (!start.resume_id.empty()) {
    call("droid.load_session", {{"sessionId", start.resume_id}}, opened);
    return take_step();
  }
  usage_.emplace();
  json::object params = {{"machineId", "oriel"},
                         {"cwd", start.workspace},
                         {"interactionMode", "auto"},
                         {"autonomyLevel", "off"}};
  if (!start.model.empty()) params["modelId"] = start.model;
  call("droid.initialize_session", std::move(params), opened);
  return take_step();
}

void DroidAdapter::session_opened(const Response& response) {
  if (response.is_error() && !start_.resume_id.empty())
    return refuse(ErrorKind::kCannotResume,
                  "Droid could not resume the session: " + response.message(),
                  "start a new session");
  if (response.is_error())
    return refuse(ErrorKind::kAgentRefused, "Droid returned no session: " + response.message(),
                  "check its login and its settings");
  session_id_ = text_of(member(response.result, "sessionId"));
  if (session_id_.empty()) session_id_ = start_.resume_id;
  if (!start_.resume_id.empty() && !start_.model.empty())
    call("droid.update_session_settings", {{"modelId", start_.model}},
         [this](const Response& answer) {
           if (answer.is_error()) task_.notice("Droid keeps its model: " + answer.message());
         });
  emit(AgentReady{session_id_, ""});
}

void DroidAdapter::send_prompt(std::string_view text) {
  has_worked_ = false;
  completion_.reset();
  usage_before_ = usage_;
  call("droid.add_user_message", {{"text", text}}, [this](const Response& response) {
    if (!response.is_error()) return;
    task_.error(response.message());
    end_task(TaskEnd::kError);
  });
}

void DroidAdapter::send_interrupt() {
  call("droid.interrupt_session", {}, [](const Response&) {});
}

// Older versions reject it; the response is ignored.
AgentStep DroidAdapter::close() {
  call("droid.close_session", {}, [](const Response&) {});
  return take_step();
}

bool DroidAdapter::on_request(std::string_view method, const json::value& request) {
  if (method == "droid.request_permission")
    ask_permission(request);
  else if (method == "droid.ask_user")
    ask_person(request);
  else
    return false;
  return true;
}

// One request may cover several tools.
void DroidAdapter::ask_permission(const json::value& request) {
  const json::value& params = member(request, "params");
  OpenQuestion question = question_of(request);
  PermissionAsked& asked = question.asked;
  json::array inputs;
  json::array details;
  for (const json::value& use : elements_of(member(params, "toolUses"))) {
    const json::value& tool = member(use, "toolUse");
    const std::string_view id = text_of(member(tool, "id"));
    task_.call_tool(id, text_of(member(tool, "name")), member(tool, "input"));
    if (asked.tool_call_id.empty()) asked.tool_call_id = id;
    if (!asked.title.empty()) asked.title += "; ";
    asked.title += tool_title(use);
    inputs.push_back(member(tool, "input"));
    details.push_back(use_details(use));
  }
  json::object rest = rest_of(params, {"toolUses", "options", "sessionId"});
  if (inputs.size() == 1) {
    asked.input = inputs[0];
    asked.details = details[0];
  } else if (!inputs.empty()) {
    asked.input = std::move(inputs);
    asked.details = std::move(details);
  }
  if (!rest.empty())
    asked.details = json::object{{"tools", asked.details}, {"request", std::move(rest)}};
  for (const json::value& option : elements_of(member(params, "options"))) {
    const std::string_view value = text_of(member(option, "value"));
    if (value.empty()) continue;
    asked.options.push_back(
        {std::string(value), std::string(text_of(member(option, "label"))), option_kind(value)});
  }
  ask(std::move(question));
}

void DroidAdapter::ask_person(const json::value& request) {
  const json::value& params = member(request, "params");
  OpenQuestion question = question_of(request);
  PermissionAsked& asked = question.asked;
  asked.tool_call_id = text_of(member(params, "toolCallId"));
  json::array topics;
  for (const json::value& each : elements_of(member(params, "questions"))) {
    Question& one = asked.questions.emplace_back();
    one.text = text_of(member(each, "question"));
    for (const json::value& option : elements_of(member(each, "options")))
      one.choices.push_back(content_text(option));
    one.takes_many = is_true(member(each, "multiSelect"));
    topics.push_back(rest_of(each, {"index", "question", "options", "multiSelect"}));
  }
  const auto says_nothing = [](const json::value& topic) { return topic.get_object().empty(); };
  if (!std::ranges::all_of(topics, says_nothing))
    asked.details = json::object{{"questions", std::move(topics)}};
  if (!asked.questions.empty()) asked.title = asked.questions[0].text;
  ask(std::move(question));
}

void DroidAdapter::send_answer(const OpenQuestion& question, const PermissionAnswer& answer) {
  if (text_of(member(question.request, "method")) == "droid.request_permission") {
    std::string_view selected = "cancel";
    for (const PermissionOption& option : question.asked.options)
      if (option.id == answer.option_id) selected = option.id;
    return respond(question.request, json::object{{"selectedOption", selected}});
  }
  const json::array& questions = elements_of(member(question.request, "params", "questions"));
  json::array answers;
  if (answer.answers.size() == questions.size())
    for (std::size_t i = 0; i < questions.size(); ++i)
      answers.push_back({{"index", member(questions[i], "index")},
                         {"question", member(questions[i], "question")},
                         {"answer", answer.answers[i]}});
  const bool is_cancelled = answers.empty();
  respond(question.request,
          json::object{{"cancelled", is_cancelled}, {"answers", std::move(answers)}});
}

void DroidAdapter::on_notification(std::string_view method, const json::value& params) {
  if (method != "droid.session_notification") return;
  // Ignore sessions that droid opens for sub-agents.
  const std::string_view session = text_of(member(params, "sessionId"));
  if (!session.empty() && !session_id_.empty() && session != session_id_) return;
  const json::value& notification = member(params, "notification");
  note(text_of(member(notification, "type")), notification);
}

void DroidAdapter::note(std::string_view type, const json::value& notification) {
  if (type == "droid_working_state_changed")
    return state_changed(text_of(member(notification, "newState")));
  if (type == "assistant_text_delta")
    return task_.delta(text_of(member(notification, "messageId")),
                       text_of(member(notification, "textDelta")));
  if (type == "thinking_text_delta")
    return task_.thought(text_of(member(notification, "textDelta")));
  if (type == "create_message") return message_created(member(notification, "message"));
  if (type == "tool_result")
    return task_.finish_tool(text_of(member(notification, "toolUseId")),
                             !is_true(member(notification, "isError")),
                             content_text(member(notification, "content")));
  if (type == "llm_retry") {
    // The deltas are sent again with the same id.
    task_.drop_unfinished();
    return task_.notice("Droid asks the model again: " +
                        content_text(member(notification, "reason")));
  }
  if (type == "assistant_message_retracted")
    return task_.drop(text_of(member(notification, "messageId")));
  if (type == "permission_resolved") return withdraw(text_of(member(notification, "requestId")));
  if (type == "agent_turn_completed") return turn_completed(notification);
  if (type == "session_token_usage_changed")
    return usage_changed(member(notification, "tokenUsage"));
  if (type == "error") {
    has_worked_ = true;
    task_.error(plain_error(text_of(member(notification, "message"))));
  }
}

void DroidAdapter::state_changed(std::string_view state) {
  if (state == "idle") return go_idle();
  if (!task_.is_running()) {
    usage_before_ = usage_;
    completion_.reset();
    task_.begin();
  }
  has_worked_ = true;
}

void DroidAdapter::message_created(const json::value& message) {
  // User messages and system prompts arrive the same way.
  if (text_of(member(message, "role")) != "assistant") return;
  if (text_of(member(message, "visibility")) == "llm_only") return;
  std::string text;
  for (const json::value& block : elements_of(member(message, "content")))
    if (text_of(member(block, "type")) == "text") text += text_of(member(block, "text"));
  task_.finish_text(text_of(member(message, "id")), text);
  for (const json::value& block : elements_of(member(message, "content")))
    if (text_of(member(block, "type")) == "tool_use")
      task_.call_tool(text_of(member(block, "id")), text_of(member(block, "name")),
                      member(block, "input"));
}

void DroidAdapter::turn_completed(const json::value& notification) {
  reports_completion_ = true;
  has_worked_ = true;
  completion_ = std::string(text_of(member(notification, "reason")));
  task_.report_usage(droid_tokens(member(notification, "tokenUsage")));
}

// Usage is the session total; subtract what it was before the task.
void DroidAdapter::usage_changed(const json::value& total) {
  usage_ = droid_tokens(total);
  if (!usage_before_) {
    usage_before_ = usage_;
    return;
  }
  task_.report_usage(usage_since(*usage_before_, *usage_));
}

void DroidAdapter::go_idle() {
  if (!task_.is_running() || !has_worked_) return;
  if (completion_)
    return end_task(end_of(*completion_),
                    *completion_ == "completed" || *completion_ == "cancelled" ? "" : *completion_);
  if (is_cancelling()) return end_task(TaskEnd::kCancelled);
  if (task_.has_failed()) return end_task(TaskEnd::kError);
  // A droid that is being killed reports idle in the middle of a task.
  if (!reports_completion_) end_task(TaskEnd::kCompleted);
}

}  // namespace oriel
