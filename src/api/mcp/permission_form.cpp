#include "api/mcp/permission_form.h"

#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kTitledChoices = "2025-11-25";  // adds oneOf, lists and a mode
constexpr std::size_t kMaxShownInput = 2000;

std::string message_of(const PendingPermission& permission) {
  const PermissionAsked& asked = permission.asked;
  std::string message = asked.title;
  if (asked.input.is_null() || !asked.questions.empty()) return message;
  const std::string input = json_text(asked.input);
  if (input.size() <= kMaxShownInput) message += "\n" + input;
  return message;
}

struct Choice {
  std::string value;
  std::string label;
};

json::object choice_field(std::string title, const std::vector<Choice>& choices, bool is_titled) {
  json::object field{{"type", "string"}, {"title", std::move(title)}};
  json::array values;
  json::array labels;
  json::array both;
  for (const auto& [value, label] : choices) {
    values.emplace_back(value);
    labels.emplace_back(label);
    both.push_back({{"const", value}, {"title", label}});
  }
  if (is_titled) {
    field["oneOf"] = std::move(both);
  } else {
    field["enum"] = std::move(values);
    field["enumNames"] = std::move(labels);
  }
  return field;
}

std::vector<Choice> choices_of(const PermissionAsked& asked) {
  if (asked.options.empty()) return {{"allow", "Allow"}, {"deny", "Deny"}};
  std::vector<Choice> choices;
  for (const PermissionOption& option : asked.options)
    choices.push_back({option.id, option.label.empty() ? option.id : option.label});
  return choices;
}

json::object question_field(const Question& question, bool is_titled) {
  json::object field{{"type", "string"}, {"title", question.text}};
  if (question.choices.empty()) return field;
  json::array choices;
  for (const std::string& choice : question.choices)
    choices.emplace_back(choice);
  if (question.takes_many && is_titled) {
    field["type"] = "array";
    field["items"] = json::object{{"type", "string"}, {"enum", std::move(choices)}};
  } else {
    field["enum"] = std::move(choices);
  }
  return field;
}

std::string question_key(std::size_t position) {
  return "answer_" + std::to_string(position + 1);
}

// A string, or strings joined by commas.
std::optional<std::string> words_in(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return std::string(value->get_string());
  if (!value->is_array()) return std::nullopt;
  std::string words;
  for (const json::value& item : value->get_array()) {
    if (!item.is_string()) return std::nullopt;
    if (!words.empty()) words += ", ";
    words += item.get_string();
  }
  return words;
}

std::optional<Decision> read_content(const PermissionAsked& asked, const json::object& content) {
  Decision decision;
  for (std::size_t i = 0; i < asked.questions.size(); ++i) {
    auto words = words_in(content.if_contains(question_key(i)));
    if (!words) return std::nullopt;
    decision.answers.push_back(*std::move(words));
  }
  if (!asked.questions.empty()) return decision;
  const auto choice = words_in(content.if_contains("decision"));
  for (const Choice& known : choices_of(asked)) {
    if (known.value != choice) continue;
    if (asked.options.empty()) decision.is_allowed = *choice == "allow";
    if (!asked.options.empty()) decision.option_id = *choice;
    return decision;
  }
  return std::nullopt;
}

}  // namespace

json::object permission_form(const PendingPermission& permission, std::string_view version) {
  const PermissionAsked& asked = permission.asked;
  const bool is_titled = version >= kTitledChoices;
  json::object properties;
  json::array required;
  for (std::size_t i = 0; i < asked.questions.size(); ++i) {
    properties[question_key(i)] = question_field(asked.questions[i], is_titled);
    required.emplace_back(question_key(i));
  }
  if (asked.questions.empty()) {
    properties["decision"] = choice_field("Decision", choices_of(asked), is_titled);
    required.emplace_back("decision");
  }
  json::object params;
  if (is_titled) params["mode"] = "form";
  params["message"] = message_of(permission);
  params["requestedSchema"] = json::object{
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return params;
}

std::optional<Decision> read_permission_form(const PendingPermission& permission,
                                             const json::object& result) {
  const auto action = words_in(result.if_contains("action"));
  if (action == "decline") {
    Decision refusal;
    refusal.is_allowed = false;
    return refusal;
  }
  const json::value* const content = result.if_contains("content");
  if (action != "accept" || content == nullptr || !content->is_object()) return std::nullopt;
  return read_content(permission.asked, content->get_object());
}

}  // namespace oriel
