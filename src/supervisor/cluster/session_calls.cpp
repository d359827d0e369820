#include "supervisor/cluster/session_calls.h"

#include "base/text/json_document.h"
#include "base/text/json_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

#include <memory>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

json::value to_value(const std::optional<TurnOrigin>& origin) {
  if (!origin) return nullptr;
  json::object object{
      {"source", name_of(origin->source)}, {"said_at", nullptr}, {"files", to_json(origin->files)}};
  if (origin->said_at) object["said_at"] = origin->said_at->time_since_epoch().count();
  return object;
}

std::optional<TurnOrigin> origin_in(const json::value& value) {
  if (value.is_null()) return std::nullopt;
  const DocumentFields fields(value);
  TurnOrigin origin;
  origin.source = parse_turn_source(fields.text("source")).value();
  if (!fields.at("said_at").is_null()) origin.said_at = fields.time("said_at");
  for (const json::value& item : fields.at("files").as_array()) {
    const DocumentFields file(item);
    origin.files.push_back({.file_id = file.text("file_id"),
                            .name = file.text("name"),
                            .type = file.text("type"),
                            .size = file.number("size")});
  }
  return origin;
}

json::value to_value(const std::optional<event::Reply>& reply) {
  if (!reply) return nullptr;
  return json::object{{"turn_id", reply->turn_id},
                      {"text", reply->text},
                      {"request_id", reply->request_id},
                      {"origin", to_value(reply->origin)}};
}

std::optional<event::Reply> reply_in(const json::value& value) {
  if (value.is_null()) return std::nullopt;
  const DocumentFields fields(value);
  return event::Reply{.turn_id = fields.text("turn_id"),
                      .text = fields.text("text"),
                      .request_id = fields.text("request_id"),
                      .origin = origin_in(fields.at("origin"))};
}

json::object to_object(const MessageTaken& taken) {
  return {{"task_id", taken.task_id},       {"turn_id", taken.turn_id},
          {"last_index", taken.last_index}, {"queued", taken.queued},
          {"is_repeat", taken.is_repeat},   {"permission_id", taken.permission_id}};
}

// The node is not in the document.
json::object to_object(const SessionSnapshot& session) {
  return {{"document", to_document(*session, DocumentReader::kOtherNodes)},
          {"node", session->node}};
}

SessionSnapshot session_in(const DocumentFields& fields) {
  const std::string document = fields.text("document");
  auto state = parse_document(document, DocumentReader::kOtherNodes);
  if (!state) throw std::invalid_argument(state.error().message);
  state->node = fields.text("node");
  return std::make_shared<const SessionState>(*std::move(state));
}

void read(const DocumentFields& fields, MessageCall& call) {
  call.session_id = fields.text("session_id");
  call.said = {.text = fields.text("text"),
               .prompt = fields.text("prompt"),
               .request_id = fields.text("request_id"),
               .by = fields.text("by"),
               .origin = origin_in(fields.at("origin")),
               .may_answer = fields.flag("may_answer")};
}

void read(const DocumentFields& fields, SayCall& call) {
  call.session_id = fields.text("session_id");
  call.turn = {.session_id = call.session_id,
               .text = fields.text("text"),
               .origin = origin_in(fields.at("origin")).value(),
               .request_id = fields.text("request_id"),
               .by = fields.text("by"),
               .may_answer = fields.flag("may_answer")};
  call.transfer_id = fields.text("transfer_id");
}

void read(const DocumentFields& fields, CancelCall& call) {
  call = {.session_id = fields.text("session_id"), .by = fields.text("by")};
}

void read(const DocumentFields& fields, AnswerCall& call) {
  call.session_id = fields.text("session_id");
  call.permission_id = fields.text("permission_id");
  const json::value& is_allowed = fields.at("is_allowed");
  if (!is_allowed.is_null()) call.decision.is_allowed = is_allowed.as_bool();
  call.decision.option_id = fields.text("option_id");
  call.decision.answers = fields.texts("answers");
  call.decision.by = fields.text("by");
  call.decision.reply = reply_in(fields.at("reply"));
}

void read(const DocumentFields& fields, EndCall& call) {
  call = {.session_id = fields.text("session_id"), .by = fields.text("by")};
}

void read(const DocumentFields& fields, PathsCall& call) {
  call = {.session_id = fields.text("session_id"),
          .typed = fields.text("typed"),
          .most = fields.number("most")};
}

void read(const DocumentFields& fields, ChangesCall& call) {
  call = {.session_id = fields.text("session_id"),
          .query = {.part = fields.flag("is_diff") ? ChangesPart::kDiff : ChangesPart::kFiles,
                    .path = fields.text("path"),
                    .snapshot = fields.text("snapshot")}};
}

void read(const DocumentFields& fields, CreateCall& call) {
  call.wanted = {.agent = fields.text("agent"),
                 .project_id = fields.text("project_id"),
                 .workspace = fields.text("workspace"),
                 .title = fields.text("title"),
                 .message = fields.text("message"),
                 .request_id = fields.text("request_id"),
                 .permissions = {},
                 .by = fields.text("by"),
                 .session_id = fields.text("session_id")};
  const std::string permissions = fields.text("permissions");
  if (!permissions.empty()) call.wanted.permissions = parse_permission_mode(permissions).value();
}

void read(const DocumentFields& fields, ResolveCall& call) {
  call.directory = fields.text("directory");
}

void read(const DocumentFields& fields, HookCall& call) {
  const HookKind kind = parse_hook_kind(fields.text("kind")).value();
  const std::string body = fields.text("hook");
  auto hook = parse_hook(kind, body);
  if (!hook) throw std::invalid_argument(hook.error().message);
  call.incoming.hook = *std::move(hook);
  call.incoming.bytes = fields.number("bytes");
  call.incoming.projects = fields.texts("projects");
}

void read(const DocumentFields& fields, MessageTaken& taken) {
  taken = {.task_id = fields.text("task_id"),
           .turn_id = fields.text("turn_id"),
           .last_index = fields.index("last_index"),
           .queued = fields.number("queued"),
           .is_repeat = fields.flag("is_repeat"),
           .permission_id = fields.text("permission_id"),
           .step = {}};
}

void read(const DocumentFields& fields, std::string& text) {
  text = fields.text("text");
}

void read(const DocumentFields& fields, SessionSnapshot& session) {
  session = session_in(fields);
}

void read(const DocumentFields& fields, CreatedSession& created) {
  created = {.session = session_in(DocumentFields(fields.at("session"))),
             .task_id = fields.text("task_id"),
             .last_index = fields.index("last_index"),
             .is_repeat = fields.flag("is_repeat")};
}

void read(const DocumentFields& fields, FoundPaths& found) {
  found = {.paths = fields.texts("paths"), .is_complete = fields.flag("is_complete")};
}

void read(const DocumentFields& fields, ChangesAnswer& answer) {
  answer = {.json = fields.at("changes").as_object()};
}

}  // namespace

std::string to_json(const MessageCall& call) {
  const UserMessage& said = call.said;
  return json_text(json::object{{"session_id", call.session_id},
                                {"text", said.text},
                                {"prompt", said.prompt},
                                {"request_id", said.request_id},
                                {"by", said.by},
                                {"origin", to_value(said.origin)},
                                {"may_answer", said.may_answer}});
}

std::string to_json(const SayCall& call) {
  const NewTurn& turn = call.turn;
  return json_text(json::object{{"session_id", call.session_id},
                                {"text", turn.text},
                                {"origin", to_value(std::optional(turn.origin))},
                                {"request_id", turn.request_id},
                                {"by", turn.by},
                                {"may_answer", turn.may_answer},
                                {"transfer_id", call.transfer_id}});
}

std::string to_json(const CancelCall& call) {
  return json_text(json::object{{"session_id", call.session_id}, {"by", call.by}});
}

std::string to_json(const AnswerCall& call) {
  const Decision& decision = call.decision;
  json::object object{{"session_id", call.session_id},
                      {"permission_id", call.permission_id},
                      {"is_allowed", nullptr},
                      {"option_id", decision.option_id},
                      {"answers", json::value_from(decision.answers)},
                      {"by", decision.by},
                      {"reply", to_value(decision.reply)}};
  if (decision.is_allowed) object["is_allowed"] = *decision.is_allowed;
  return json_text(object);
}

std::string to_json(const EndCall& call) {
  return json_text(json::object{{"session_id", call.session_id}, {"by", call.by}});
}

std::string to_json(const PathsCall& call) {
  return json_text(
      json::object{{"session_id", call.session_id}, {"typed", call.typed}, {"most", call.most}});
}

std::string to_json(const ChangesCall& call) {
  return json_text(json::object{{"session_id", call.session_id},
                                {"is_diff", call.query.part == ChangesPart::kDiff},
                                {"path", call.query.path},
                                {"snapshot", call.query.snapshot}});
}

std::string to_json(const CreateCall& call) {
  const NewSession& wanted = call.wanted;
  return json_text(
      json::object{{"agent", wanted.agent},
                   {"project_id", wanted.project_id},
                   {"workspace", wanted.workspace},
                   {"title", wanted.title},
                   {"message", wanted.message},
                   {"request_id", wanted.request_id},
                   {"permissions", wanted.permissions ? name_of(*wanted.permissions) : ""},
                   {"by", wanted.by},
                   {"session_id", wanted.session_id}});
}

std::string to_json(const ResolveCall& call) {
  return json_text(json::object{{"directory", call.directory}});
}

std::string to_json(const HookCall& call) {
  const IncomingHook& incoming = call.incoming;
  return json_text(json::object{{"kind", name_of(incoming.hook.kind)},
                                {"hook", format_hook(incoming.hook)},
                                {"bytes", incoming.bytes},
                                {"projects", json::value_from(incoming.projects)}});
}

std::string to_json(const MessageTaken& answer) {
  return json_text(to_object(answer));
}

std::string to_json(const std::string& answer) {
  return json_text(json::object{{"text", answer}});
}

std::string to_json(const SessionSnapshot& answer) {
  return json_text(to_object(answer));
}

std::string to_json(const CreatedSession& answer) {
  return json_text(json::object{{"session", to_object(answer.session)},
                                {"task_id", answer.task_id},
                                {"last_index", answer.last_index},
                                {"is_repeat", answer.is_repeat}});
}

std::string to_json(const FoundPaths& answer) {
  return json_text(
      json::object{{"paths", json::value_from(answer.paths)}, {"is_complete", answer.is_complete}});
}

std::string to_json(const ChangesAnswer& answer) {
  return json_text(json::object{{"changes", answer.json}});
}

template <class Value>
Result<Value> parse_call(std::string_view text) {
  try {
    Value value;
    const json::value parsed = json::parse(text);
    read(DocumentFields(parsed), value);
    return Result<Value>(boost::system::in_place_value, std::move(value));
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not a call of a node: ") + failure.what(),
                 .hint = "run the same version of Oriel on all nodes"};
  }
}

template Result<MessageCall> parse_call(std::string_view text);
template Result<SayCall> parse_call(std::string_view text);
template Result<CancelCall> parse_call(std::string_view text);
template Result<AnswerCall> parse_call(std::string_view text);
template Result<EndCall> parse_call(std::string_view text);
template Result<PathsCall> parse_call(std::string_view text);
template Result<ChangesCall> parse_call(std::string_view text);
template Result<CreateCall> parse_call(std::string_view text);
template Result<ResolveCall> parse_call(std::string_view text);
template Result<HookCall> parse_call(std::string_view text);
template Result<MessageTaken> parse_call(std::string_view text);
template Result<std::string> parse_call(std::string_view text);
template Result<SessionSnapshot> parse_call(std::string_view text);
template Result<CreatedSession> parse_call(std::string_view text);
template Result<FoundPaths> parse_call(std::string_view text);
template Result<ChangesAnswer> parse_call(std::string_view text);

}  // namespace oriel
