#include "agent/adapters/claude_adapter.h"

#include "agent/adapters/usage.h"
#include "base/text/ascii.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kInitialize = "oriel-initialize";
constexpr std::string_view kQuestions =
    "AskUserQuestion";  // its permission response carries the answers
constexpr std::string_view kAllow = "allow_once";
constexpr std::string_view kAllowAlways = "allow_always";
constexpr std::string_view kReject = "reject_once";

// Permission rules suggested by the program; other programs with this protocol send other data.
bool are_rules(const json::value& suggestions) {
  for (const json::value& suggestion : elements_of(suggestions))
    if (text_of(member(suggestion, "destination")).empty()) return false;
  return !elements_of(suggestions).empty();
}

std::string title_of(const json::value& request) {
  std::string title(text_of(member(request, "tool_name")));
  if (title.empty()) title = "Use a tool";
  std::string_view what = text_of(member(request, "description"));
  for (const char* input : {"command", "file_path", "path", "url", "query"})
    if (what.empty()) what = text_of(member(request, "input", input));
  if (!what.empty()) title += ": " + std::string(what);
  return title;
}

bool has_only(const json::value& object, std::initializer_list<std::string_view> names) {
  return object.is_object() && rest_of(object, names).empty();
}

// "Bash(echo hello *)", as in the program's settings; empty for a rule with anything else.
std::string rule_text(const json::value& rule) {
  if (!has_only(rule, {"toolName", "ruleContent"})) return "";
  std::string text(text_of(member(rule, "toolName")));
  const json::value& content = member(rule, "ruleContent");
  return content.is_null() ? text : text + "(" + content_text(content) + ")";
}

// All of one suggestion in a line; as JSON if it has anything that is not expected.
std::string suggestion_text(const json::value& suggestion) {
  std::string what(text_of(member(suggestion, "mode")));
  bool is_known =
      has_only(suggestion, {"type", "behavior", "rules", "directories", "mode", "destination"});
  for (const json::value& rule : elements_of(member(suggestion, "rules"))) {
    const std::string text = rule_text(rule);
    is_known = is_known && !text.empty();
    what += (what.empty() ? "" : ", ") + text;
  }
  for (const json::value& directory : elements_of(member(suggestion, "directories"))) {
    is_known = is_known && directory.is_string();
    what += (what.empty() ? "" : ", ") + std::string(text_of(directory));
  }
  if (!is_known || what.find('\n') != what.npos) return json_text(suggestion);
  const std::string_view behavior = text_of(member(suggestion, "behavior"));
  return fmt::format("{}{}{}: {}, in {}", text_of(member(suggestion, "type")),
                     behavior.empty() ? "" : " ", behavior, what,
                     text_of(member(suggestion, "destination")));
}

std::string scope_of(const json::value& suggestions) {
  std::string scope;
  for (const json::value& suggestion : elements_of(suggestions))
    scope += (scope.empty() ? "" : "\n") + suggestion_text(suggestion);
  return scope;
}

// What neither the title nor an option says.
json::value permission_details(const json::value& request) {
  json::object details =
      rest_of(request, {"subtype", "tool_use_id", "input", "tool_name", "description"});
  if (are_rules(member(request, "permission_suggestions"))) details.erase("permission_suggestions");
  if (member(request, "display_name") == member(request, "tool_name"))
    details.erase("display_name");
  if (details.empty()) return nullptr;
  return details;
}

std::vector<PermissionOption> permission_options(const json::value& request) {
  std::vector<PermissionOption> options;
  options.push_back({std::string(kAllow), "Allow", OptionKind::kAllowOnce});
  if (are_rules(member(request, "permission_suggestions")))
    options.push_back({std::string(kAllowAlways), "Allow, and do not ask again",
                       OptionKind::kAllowAlways,
                       scope_of(member(request, "permission_suggestions"))});
  options.push_back({std::string(kReject), "Refuse", OptionKind::kRejectOnce});
  return options;
}

std::vector<Question> questions_of(const json::value& input) {
  std::vector<Question> questions;
  for (const json::value& each : elements_of(member(input, "questions"))) {
    Question& question = questions.emplace_back();
    question.text = text_of(member(each, "question"));
    for (const json::value& option : elements_of(member(each, "options")))
      question.choices.emplace_back(text_of(member(option, "label")));
    question.takes_many = is_true(member(each, "multiSelect"));
  }
  return questions;
}

json::object with_answers(const json::value& input, const std::vector<Question>& questions,
                          const std::vector<std::string>& texts) {
  json::object answers;
  for (std::size_t i = 0; i < questions.size(); ++i)
    answers[questions[i].text] = texts[i];
  json::object answered = input.is_object() ? input.get_object() : json::object();
  answered["answers"] = std::move(answers);
  return answered;
}

}  // namespace

ClaudeAdapter::ClaudeAdapter(std::string new_session_id) : session_id_(std::move(new_session_id)) {}

std::vector<std::string> ClaudeAdapter::arguments(const AgentStart& start) const {
  std::vector<std::string> arguments = {"-p",
                                        "--input-format",
                                        "stream-json",
                                        "--output-format",
                                        "stream-json",
                                        "--verbose",
                                        "--include-partial-messages",
                                        "--permission-prompt-tool",
                                        "stdio"};
  if (start.resume_id.empty())
    arguments.insert(arguments.end(), {"--session-id", session_id_});
  else
    arguments.insert(arguments.end(), {"--resume", start.resume_id});
  if (!start.model.empty()) arguments.insert(arguments.end(), {"--model", start.model});
  return arguments;
}

AgentStep ClaudeAdapter::start(const AgentStart& start) {
  is_resuming_ = !start.resume_id.empty();
  if (is_resuming_) session_id_ = start.resume_id;
  send({{"type", "control_request"},
        {"request_id", kInitialize},
        {"request", json::object{{"subtype", "initialize"}}}});
  return take_step();
}

void ClaudeAdapter::send_prompt(std::string_view text) {
  send({{"type", "user"},
        {"message",
         {{"role", "user"},
          {"content", json::array{json::object{{"type", "text"}, {"text", text}}}}}}});
}

void ClaudeAdapter::send_interrupt() {
  send({{"type", "control_request"},
        {"request_id", "oriel-" + std::to_string(++last_control_)},
        {"request", json::object{{"subtype", "interrupt"}}}});
}

void ClaudeAdapter::handle(const json::value& message) {
  const std::string_view type = text_of(member(message, "type"));
  // Texts of sub-agents are not part of the answer; their tool calls are reported.
  const bool is_helper = member(message, "parent_tool_use_id").is_string();
  if (type == "system" && text_of(member(message, "subtype")) == "init") return task_.begin();
  if (type == "stream_event" && !is_helper) return stream_event(member(message, "event"));
  if (type == "assistant") return assistant_said(message);
  if (type == "user") return tools_answered(member(message, "message"));
  if (type == "result") return result(message);
  if (type == "control_request") return control_asked(message);
  if (type == "control_response") return control_answered(member(message, "response"));
  if (type == "control_cancel_request") return withdraw(text_of(member(message, "request_id")));
}

void ClaudeAdapter::control_answered(const json::value& response) {
  if (text_of(member(response, "request_id")) != kInitialize || is_ready_) return;
  if (text_of(member(response, "subtype")) == "error") {
    emit(AgentRefused{{ErrorKind::kAgentRefused,
                       "The agent refused to start: " + content_text(member(response, "error")),
                       "check its login and its configuration"}});
    return;
  }
  const std::string_view id = text_of(member(response, "response", "session_id"));
  if (!id.empty()) session_id_ = id;
  is_ready_ = true;
  emit(AgentReady{session_id_, ""});
}

void ClaudeAdapter::control_asked(const json::value& message) {
  if (text_of(member(message, "request", "subtype")) == "can_use_tool")
    return ask_permission(message);
  send({{"type", "control_response"},
        {"response",
         {{"subtype", "error"},
          {"request_id", member(message, "request_id")},
          {"error", "Oriel does not offer this."}}}});
}

void ClaudeAdapter::ask_permission(const json::value& message) {
  const json::value& request = member(message, "request");
  OpenQuestion question;
  question.request = message;
  PermissionAsked& asked = question.asked;
  asked.id = content_text(member(message, "request_id"));
  asked.tool_call_id = text_of(member(request, "tool_use_id"));
  asked.title = title_of(request);
  asked.input = member(request, "input");
  asked.details = permission_details(request);
  task_.call_tool(asked.tool_call_id, text_of(member(request, "tool_name")), asked.input);
  if (text_of(member(request, "tool_name")) == kQuestions)
    asked.questions = questions_of(asked.input);
  if (asked.questions.empty())
    asked.options = permission_options(request);
  else
    asked.title = asked.questions[0].text;
  ask(std::move(question));
}

void ClaudeAdapter::send_answer(const OpenQuestion& question, const PermissionAnswer& answer) {
  const std::vector<Question>& questions = question.asked.questions;
  json::object decision = {{"behavior", "deny"}, {"message", "Refused by the person in charge."}};
  if (!questions.empty() && answer.answers.size() == questions.size())
    decision = {{"behavior", "allow"},
                {"updatedInput", with_answers(question.asked.input, questions, answer.answers)}};
  if (questions.empty() && (answer.option_id == kAllow || answer.option_id == kAllowAlways))
    decision = {{"behavior", "allow"}, {"updatedInput", question.asked.input}};
  if (questions.empty() && answer.option_id == kAllowAlways)
    decision["updatedPermissions"] = member(question.request, "request", "permission_suggestions");
  send({{"type", "control_response"},
        {"response",
         {{"subtype", "success"},
          {"request_id", member(question.request, "request_id")},
          {"response", std::move(decision)}}}});
}

void ClaudeAdapter::stream_event(const json::value& event) {
  const std::string_view type = text_of(member(event, "type"));
  if (type == "message_start" && is_text_open_) {
    // The model is retried: discard the partial text.
    task_.drop_unfinished();
    is_text_open_ = false;
  }
  if (type != "content_block_delta") return;
  const json::value& delta = member(event, "delta");
  if (text_of(member(delta, "type")) == "text_delta") text_delta(text_of(member(delta, "text")));
  if (text_of(member(delta, "type")) == "thinking_delta")
    task_.thought(text_of(member(delta, "thinking")));
}

void ClaudeAdapter::text_delta(std::string_view text) {
  if (text.empty()) return;
  if (!is_text_open_) ++texts_;
  is_text_open_ = true;
  task_.delta(fmt::format("m{}", texts_), text);
}

// One line per content block, all with the same message id.
void ClaudeAdapter::assistant_said(const json::value& message) {
  const bool is_helper = member(message, "parent_tool_use_id").is_string();
  // API errors appear as assistant text; the result reports them as well.
  const bool is_error = member(message, "error").is_string();
  for (const json::value& block : elements_of(member(message, "message", "content"))) {
    const std::string_view type = text_of(member(block, "type"));
    if (type == "text" && !is_helper && !is_error) text_finished(text_of(member(block, "text")));
    if (type == "tool_use")
      task_.call_tool(text_of(member(block, "id")), text_of(member(block, "name")),
                      member(block, "input"));
  }
}

void ClaudeAdapter::text_finished(std::string_view text) {
  if (!is_text_open_) ++texts_;
  is_text_open_ = false;
  task_.finish_text(fmt::format("m{}", texts_), text);
}

void ClaudeAdapter::tools_answered(const json::value& message) {
  for (const json::value& block : elements_of(member(message, "content")))
    if (text_of(member(block, "type")) == "tool_result")
      task_.finish_tool(text_of(member(block, "tool_use_id")), !is_true(member(block, "is_error")),
                        content_text(member(block, "content")));
}

void ClaudeAdapter::result(const json::value& result) {
  const bool is_error = is_true(member(result, "is_error"));
  const std::string_view kind = text_of(member(result, "subtype"));
  std::string message(text_of(member(result, "result")));
  for (const json::value& each : elements_of(member(result, "errors")))
    if (message.empty()) message = content_text(each);
  if (message.empty()) message = kind;
  if (!is_ready_ && is_error) {
    // Only "No conversation found ..." means that the conversation cannot be resumed later either.
    const bool is_lost = is_resuming_ && lower_case(message).find("conversation") != message.npos;
    emit(AgentRefused{{is_lost ? ErrorKind::kCannotResume : ErrorKind::kAgentRefused,
                       "the agent did not start: " + plain_error(message),
                       is_lost ? "start a new session" : "check its login"}});
    return;
  }
  is_text_open_ = false;
  Usage usage = usage_of(member(result, "usage"),
                         {{"input_tokens", &Usage::input_tokens},
                          {"output_tokens", &Usage::output_tokens},
                          {"cache_read_input_tokens", &Usage::cache_read_tokens},
                          {"cache_creation_input_tokens", &Usage::cache_write_tokens}});
  if (const json::value& cost = member(result, "total_cost_usd"); cost.is_number()) {
    const double total = cost.to_number<double>();
    usage.cost_usd = total - std::exchange(cost_, total);
  }
  task_.report_usage(usage);
  const std::string_view reason = text_of(member(result, "terminal_reason"));
  const bool is_cut = reason.starts_with("abort") || reason.starts_with("interrupt");
  if (is_cut || (is_error && is_cancelling())) return end_task(TaskEnd::kCancelled);
  // An API error arrives as "success" with is_error.
  const std::string_view detail = kind == "success" ? std::string_view() : kind;
  if (!is_error) return end_task(TaskEnd::kCompleted, detail);
  task_.error(plain_error(message));
  end_task(TaskEnd::kError, detail);
}

}  // namespace oriel
