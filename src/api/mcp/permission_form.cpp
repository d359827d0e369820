#include "api/mcp/permission_form.h"

#include "base/event/permission_view.h"
#include "base/text/visible.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kTitledChoices = "2025-11-25";  // adds oneOf, lists and a mode

struct Message {
  std::string text;
  bool is_whole = true;
};

Message message_of(const PermissionAsked& asked) {
  const PermissionView view = view_permission(asked);
  Message message{.text = view.title};
  for (const PermissionRow& row : view.rows)
    message.text += "\n" + row_text(row);
  if (message.text.size() > kMaxFormBytes)
    message = {
        .text = fmt::format("{}\nIt is too long for this form ({} lines, {} bytes): read and "
                            "answer it on Oriel's page or with `oriel answer`.",
                            view.title, view.rows.size(), message.text.size()),
        .is_whole = false};
  return message;
}

struct Choice {
  std::string value;
  std::string label;
};

json::array titled(const std::vector<Choice>& choices) {
  json::array both;
  for (const auto& [value, label] : choices)
    both.push_back({{"const", value}, {"title", label}});
  return both;
}

json::object choice_field(std::string title, const std::vector<Choice>& choices, bool is_titled) {
  json::object field{{"type", "string"}, {"title", std::move(title)}};
  if (is_titled) {
    field["oneOf"] = titled(choices);
    return field;
  }
  json::array values;
  json::array labels;
  for (const auto& [value, label] : choices) {
    values.emplace_back(value);
    labels.emplace_back(label);
  }
  field["enum"] = std::move(values);
  field["enumNames"] = std::move(labels);
  return field;
}

// "Always allow (not only this once: Bash(ls *))"
std::string label_of(const PermissionOption& option) {
  std::string label = visible(option.label.empty() ? option.id : option.label);
  const std::vector<std::string> scope = scope_lines(option);
  if (scope.empty()) return label;
  return fmt::format("{} (not only this once: {})", label, fmt::join(scope, "; "));
}

std::vector<Choice> choices_of(const PermissionAsked& asked) {
  const bool is_whole = message_of(asked).is_whole;
  std::vector<Choice> choices;
  if (asked.options.empty()) {
    if (is_whole) choices.push_back({"allow", "Allow"});
    choices.push_back({"deny", "Deny"});
  }
  for (const bool lasts : {false, true}) {
    for (const PermissionOption& option : asked.options) {
      const bool is_offered = is_whole || !allows(option.kind);
      if (is_offered && (option.kind == OptionKind::kAllowAlways) == lasts)
        choices.push_back({option.id, label_of(option)});
    }
  }
  return choices;
}

// Choices with hidden characters get titles that show them. The value stays the agent's.
json::object question_field(const Question& question, bool is_titled) {
  std::string title = visible(question.text);
  std::vector<Choice> choices;
  json::array values;
  for (const std::string& choice : question.choices) {
    choices.push_back({choice, visible(choice)});
    values.emplace_back(choice);
  }
  const bool is_plain = std::all_of(choices.begin(), choices.end(), [](const Choice& choice) {
    return choice.value == choice.label;
  });
  const bool takes_many = question.takes_many && is_titled && !choices.empty();
  if (!is_plain && !takes_many) return choice_field(std::move(title), choices, is_titled);
  json::object field{{"type", takes_many ? "array" : "string"}, {"title", std::move(title)}};
  if (!is_plain)
    field["items"] = json::object{{"anyOf", titled(choices)}};
  else if (takes_many)
    field["items"] = json::object{{"type", "string"}, {"enum", std::move(values)}};
  else if (!values.empty())
    field["enum"] = std::move(values);
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
  params["message"] = message_of(asked).text;
  params["requestedSchema"] = json::object{
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return params;
}

FormReply read_permission_form(const PendingPermission& permission, const json::object& result) {
  const auto action = words_in(result.if_contains("action"));
  if (action == "decline") {
    Decision denial;
    denial.is_allowed = false;
    return {.result = FormResult::kDeclined, .decision = denial};
  }
  const json::value* const content = result.if_contains("content");
  if (action != "accept" || content == nullptr || !content->is_object()) return {};
  auto decision = read_content(permission.asked, content->get_object());
  if (!decision) return {};
  return {.result = FormResult::kDecided, .decision = *std::move(decision)};
}

}  // namespace oriel
