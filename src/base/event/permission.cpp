#include "base/event/permission.h"

#include "base/enum_names.h"
#include "base/text/json_access.h"

#include <boost/json/value_from.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> kPermissionModes = {"ask", "allow", "deny"};
constexpr std::array<std::string_view, 4> kOptionKinds = {"allow_once", "allow_always",
                                                          "reject_once", "reject_always"};
constexpr std::array<std::string_view, 6> kPermissionStatuses = {
    "pending", "allowed", "denied", "answered", "expired", "withdrawn"};
constexpr std::array<std::string_view, 5> kDeciders = {"", "rule", "timeout", "agent", "restart"};

}  // namespace

std::string_view name_of(PermissionMode mode) {
  return name_in(kPermissionModes, mode);
}

std::optional<PermissionMode> parse_permission_mode(std::string_view name) {
  return find_name<PermissionMode>(kPermissionModes, name);
}

std::span<const std::string_view> permission_mode_names() {
  return kPermissionModes;
}

std::string_view name_of(OptionKind kind) {
  return name_in(kOptionKinds, kind);
}

std::optional<OptionKind> parse_option_kind(std::string_view name) {
  return find_name<OptionKind>(kOptionKinds, name);
}

bool allows(OptionKind kind) {
  return kind == OptionKind::kAllowOnce || kind == OptionKind::kAllowAlways;
}

std::string_view name_of(PermissionStatus status) {
  return name_in(kPermissionStatuses, status);
}

std::optional<PermissionStatus> parse_permission_status(std::string_view name) {
  return find_name<PermissionStatus>(kPermissionStatuses, name);
}

std::string_view name_of(const Decider& decider) {
  if (decider.kind == DeciderKind::kPrincipal) return decider.principal;
  return name_in(kDeciders, decider.kind);
}

Decider parse_decider(std::string_view name) {
  const auto kind = find_name<DeciderKind>(kDeciders, name).value_or(DeciderKind::kPrincipal);
  if (kind != DeciderKind::kPrincipal) return {.kind = kind};
  return {.principal = std::string(name)};
}

bool is_decided(PermissionStatus status) {
  return status == PermissionStatus::kAllowed || status == PermissionStatus::kDenied ||
         status == PermissionStatus::kAnswered;
}

json::array to_json(const std::vector<PermissionOption>& options) {
  json::array array;
  for (const PermissionOption& option : options) {
    json::object object = {
        {"option_id", option.id}, {"label", option.label}, {"kind", name_of(option.kind)}};
    if (!option.scope.empty()) object["scope"] = option.scope;
    array.push_back(std::move(object));
  }
  return array;
}

json::array to_json(const std::vector<Question>& questions) {
  json::array array;
  for (const Question& question : questions)
    array.push_back({{"text", question.text},
                     {"choices", json::value_from(question.choices)},
                     {"takes_many", question.takes_many}});
  return array;
}

std::vector<PermissionOption> parse_options(const json::value& array) {
  std::vector<PermissionOption> options;
  for (const json::value& option : elements_of(array)) {
    const auto kind = parse_option_kind(text_of(member(option, "kind")));
    options.push_back({.id = text_at(option, "option_id"),
                       .label = text_at(option, "label"),
                       .kind = kind.value_or(OptionKind::kAllowOnce),
                       .scope = text_at(option, "scope")});
  }
  return options;
}

std::vector<Question> parse_questions(const json::value& array) {
  std::vector<Question> questions;
  for (const json::value& question : elements_of(array)) {
    std::vector<std::string> choices;
    for (const json::value& choice : elements_of(member(question, "choices")))
      choices.emplace_back(text_of(choice));
    questions.push_back({.text = text_at(question, "text"),
                         .choices = std::move(choices),
                         .takes_many = is_true(member(question, "takes_many"))});
  }
  return questions;
}

json::object to_json(const PendingPermission& permission) {
  json::object object = {{"permission_id", permission.permission_id},
                         {"tool_call_id", permission.asked.tool_call_id},
                         {"title", permission.asked.title},
                         {"input", permission.asked.input},
                         {"options", to_json(permission.asked.options)},
                         {"questions", to_json(permission.asked.questions)},
                         {"asked_at", format_time(permission.asked_at)},
                         {"expires_at", nullptr}};
  if (!permission.asked.details.is_null()) object["details"] = permission.asked.details;
  if (permission.expires_at) object["expires_at"] = format_time(*permission.expires_at);
  return object;
}

PendingPermission parse_permission(const json::object& json) {
  PendingPermission permission;
  permission.permission_id = text_at(json, "permission_id");
  permission.asked = {.id = permission.permission_id,
                      .tool_call_id = text_at(json, "tool_call_id"),
                      .title = text_at(json, "title"),
                      .input = member(json, "input"),
                      .details = member(json, "details"),
                      .options = parse_options(member(json, "options")),
                      .questions = parse_questions(member(json, "questions"))};
  permission.asked_at = parse_time(text_of(member(json, "asked_at"))).value_or(WallTime{});
  permission.expires_at = parse_time(text_of(member(json, "expires_at")));
  return permission;
}

}  // namespace oriel
