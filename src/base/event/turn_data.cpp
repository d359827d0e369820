#include "base/event/turn_data.h"

#include "base/enum_names.h"
#include "base/text/json_access.h"

#include <boost/json/array.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> kQuestionStatuses = {"pending", "answered", "refused",
                                                               "dismissed"};

struct DataToJson {
  json::object operator()(std::monostate) const { return {}; }

  json::object operator()(const PermissionQuestion& question) const {
    json::object object = {{"permission_id", question.permission_id},
                           {"tool_call_id", question.tool_call_id},
                           {"input", question.input},
                           {"options", to_json(question.options)},
                           {"questions", to_json(question.questions)},
                           {"expires_at", nullptr}};
    if (question.expires_at) object["expires_at"] = format_time(*question.expires_at);
    if (!question.details.is_null()) object["details"] = question.details;
    object["status"] = name_of(question.status);
    return object;
  }

  json::object operator()(const PermissionDecision& decision) const {
    return {{"permission_id", decision.permission_id},
            {"status", name_of(decision.status)},
            {"by", decision.by}};
  }

  json::object operator()(const ToolQuestion& question) const {
    return {{"tool_name", question.tool_name},
            {"tool_call_id", question.tool_call_id},
            {"input", question.input},
            {"questions", to_json(question.questions)},
            {"status", name_of(question.status)}};
  }

  json::object operator()(const ToolAnswer& answer) const {
    return {{"tool_call_id", answer.tool_call_id}};
  }

  json::object operator()(const CompletionOutcome& outcome) const {
    json::object object = {{"status", name_of(outcome.status)}};
    if (!outcome.detail.empty()) object["detail"] = outcome.detail;
    return object;
  }
};

PermissionQuestion parse_permission_question(const json::object& json, PermissionStatus status) {
  return {.permission_id = text_at(json, "permission_id"),
          .tool_call_id = text_at(json, "tool_call_id"),
          .input = member(json, "input"),
          .details = member(json, "details"),
          .options = parse_options(member(json, "options")),
          .questions = parse_questions(member(json, "questions")),
          .expires_at = parse_time(text_of(member(json, "expires_at"))),
          .status = status};
}

}  // namespace

std::string_view name_of(QuestionStatus status) {
  return name_in(kQuestionStatuses, status);
}

std::optional<QuestionStatus> parse_question_status(std::string_view name) {
  return find_name<QuestionStatus>(kQuestionStatuses, name);
}

bool is_pending(const TurnData& data) {
  if (const auto* const question = std::get_if<PermissionQuestion>(&data))
    return question->status == PermissionStatus::kPending;
  if (const auto* const question = std::get_if<ToolQuestion>(&data))
    return question->status == QuestionStatus::kPending;
  return false;
}

json::object to_json(const TurnData& data) {
  return std::visit(DataToJson{}, data);
}

TurnData parse_turn_data(const json::object& json) {
  const std::string_view status = text_of(member(json, "status"));
  if (json.contains("permission_id")) {
    const auto known = parse_permission_status(status).value_or(PermissionStatus::kPending);
    if (json.contains("options")) return parse_permission_question(json, known);
    return PermissionDecision{.permission_id = text_at(json, "permission_id"),
                              .status = known,
                              .by = text_at(json, "by")};
  }
  if (json.contains("tool_name"))
    return ToolQuestion{.tool_name = text_at(json, "tool_name"),
                        .tool_call_id = text_at(json, "tool_call_id"),
                        .input = member(json, "input"),
                        .questions = parse_questions(member(json, "questions")),
                        .status = parse_question_status(status).value_or(QuestionStatus::kPending)};
  if (json.contains("tool_call_id"))
    return ToolAnswer{.tool_call_id = text_at(json, "tool_call_id")};
  if (const auto end = parse_task_end(status))
    return CompletionOutcome{.status = *end, .detail = text_at(json, "detail")};
  return {};
}

}  // namespace oriel
