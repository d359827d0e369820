#include "client/session_info.h"

#include "base/text/json_access.h"

namespace oriel {
namespace {

namespace json = boost::json;

}  // namespace

bool SessionInfo::is_at_work() const {
  return state == "commanded" || state == "processing" || state == "awaiting_input" || queued > 0;
}

PermissionAsked read_permission(const json::object& permission) {
  PermissionAsked asked;
  asked.id = text_at(permission, "permission_id");
  asked.tool_call_id = text_at(permission, "tool_call_id");
  asked.title = text_at(permission, "title");
  if (const auto* const input = permission.if_contains("input")) asked.input = *input;
  for (const json::object& option : objects_of(member(permission, "options"))) {
    const auto kind = parse_option_kind(text_at(option, "kind"));
    asked.options.push_back({.id = text_at(option, "option_id"),
                             .label = text_at(option, "label"),
                             .kind = kind.value_or(OptionKind::kAllowOnce)});
  }
  for (const json::object& question : objects_of(member(permission, "questions"))) {
    std::vector<std::string> choices;
    for (const json::value& choice : elements_of(member(question, "choices")))
      choices.emplace_back(text_of(choice));
    asked.questions.push_back({.text = text_at(question, "text"),
                               .choices = std::move(choices),
                               .takes_many = is_true(member(question, "takes_many"))});
  }
  return asked;
}

SessionInfo read_session(const json::object& session) {
  SessionInfo info;
  info.id = text_at(session, "session_id");
  info.agent = text_at(session, "agent");
  info.project = text_at(session, "project_id");
  info.title = text_at(session, "title");
  info.workspace = text_at(session, "workspace");
  info.status = text_at(session, "status");
  info.state = text_at(session, "state");
  info.reason = text_at(session, "reason");
  info.created_at = text_at(session, "created_at");
  info.updated_at = text_at(session, "updated_at");
  info.task_id = text_at(session, "task_id");
  info.turns = number_of(member(session, "turns")).value_or(0);
  info.queued = number_of(member(session, "queued")).value_or(0);
  info.last_index = number_of(member(session, "last_index")).value_or(-1);
  info.last_text = text_at(session, "last_text");
  info.tool = text_at(session, "tool", "tool_name");
  for (const json::object& permission : objects_of(member(session, "permissions")))
    info.permissions.push_back(read_permission(permission));
  info.usage = object_of(member(session, "usage"));
  return info;
}

SessionEvent read_event(const json::object& event) {
  SessionEvent read;
  read.type = text_at(event, "type");
  read.text = text_at(event, "text");
  read.tool_name = text_at(event, "tool_name");
  read.role = text_at(event, "role");
  read.session_id = text_at(event, "session_id");
  read.project_id = text_at(event, "project_id");
  read.task_id = text_at(event, "task_id");
  read.tool_call_id = text_at(event, "tool_call_id");
  read.status = text_at(event, "status");
  if (const auto* const usage = event.if_contains("usage")) read.usage = *usage;
  if (const auto* const data = event.if_contains("data")) read.data = *data;
  return read;
}

}  // namespace oriel
