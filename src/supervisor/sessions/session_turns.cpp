#include "supervisor/sessions/session_turns.h"

#include "base/text/json_line.h"
#include "base/turn_event.h"
#include "session/session.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

const json::value& data_of(const SessionEvent& event) {
  static const json::value kNone;
  return event.data ? *event.data : kNone;
}

// A person's decision in words: the answers, the chosen option's label, or "allowed".
std::string answer_of(const SessionEvent& event) {
  const json::value& data = data_of(event);
  std::string text;
  if (const json::array* answers = member(data, "answers").if_array()) {
    for (const json::value& answer : *answers)
      text += (text.empty() ? "" : "\n") + std::string(text_of(answer));
  }
  if (!text.empty()) return text;
  if (const json::array* options = member(data, "options").if_array()) {
    for (const json::value& option : *options) {
      if (text_of(member(option, "option_id")) == text_of(member(data, "option_id")))
        text = text_of(member(option, "label"));
    }
  }
  return text.empty() ? event.status : text;
}

std::vector<TurnFile> files_in(const json::value& origin) {
  std::vector<TurnFile> files;
  const json::array* const list = member(origin, "files").if_array();
  if (list == nullptr) return files;
  for (const json::value& file : *list) {
    const json::value& size = member(file, "size");
    files.push_back({.file_id = std::string(text_of(member(file, "file_id"))),
                     .name = std::string(text_of(member(file, "name"))),
                     .type = std::string(text_of(member(file, "type"))),
                     .size = size.is_number() ? size.to_number<std::uint64_t>() : 0});
  }
  return files;
}

// How a person said it, when it was not written.
void apply_origin(const json::value& origin, Turn& turn) {
  if (const auto source = parse_turn_source(text_of(member(origin, "source"))))
    turn.source = *source;
  if (const auto said_at = parse_time(text_of(member(origin, "said_at")))) {
    turn.timestamp = *said_at;
    turn.timestamp_source = TimestampSource::kUser;
  }
  turn.files = files_in(origin);
}

// Most events are pieces of text and tools, which are no turns.
bool matters(const SessionEvent& event) {
  return event.type == "message" || event.type == "completion" || event.type == "permission";
}

bool is_of_person(const SessionEvent& event) {
  return event.status == "allowed" || event.status == "denied" || event.status == "answered";
}

}  // namespace

json::object origin_of(const TurnOrigin& origin) {
  json::object data{{"source", name_of(origin.source)}};
  if (origin.said_at) data["said_at"] = format_time(*origin.said_at);
  json::array files;
  for (const TurnFile& file : origin.files)
    files.push_back(
        {{"file_id", file.file_id}, {"name", file.name}, {"type", file.type}, {"size", file.size}});
  if (!files.empty()) data["files"] = std::move(files);
  return data;
}

ToldTurns SessionTurns::tell(std::vector<SessionEvent> events, std::int64_t first_index) {
  if (std::none_of(events.begin(), events.end(), matters))
    return {.events = std::move(events), .documents = {}};
  const std::size_t own = events.size();
  Work work{.first_index = first_index, .told = {.events = std::move(events), .documents = {}}};
  for (std::size_t i = 0; i < own; ++i) {
    if (!matters(work.told.events[i])) continue;
    const SessionEvent heard = work.told.events[i];  // what is told moves them
    hear(heard, first_index + static_cast<std::int64_t>(i), work);
  }
  return std::move(work.told);
}

void SessionTurns::hear(const SessionEvent& event, std::int64_t index, Work& work) {
  if (event.type == "message" && event.role == "user") {
    Turn turn = new_turn(TurnActor::kUser, TurnIntent::kCommand, event.text, event);
    turn.turn_id = command_turn_of(event.task_id);
    apply_origin(data_of(event), turn);
    add(std::move(turn), work, index);
  } else if (event.type == "message") {
    on_said(event, index, work);
  } else if (event.type == "completion") {
    on_completion(event, work);
  } else if (event.type == "permission" && event.feed_type == "permission_requested") {
    on_asked(event, work);
  } else if (event.type == "permission") {
    on_resolved(event, work);
  }
}

void SessionTurns::on_said(const SessionEvent& event, std::int64_t index, Work& work) {
  const json::value& number = member(data_of(event), "message");
  Said said{.task_id = event.task_id,
            .number = number.is_number() ? number.to_number<std::int64_t>() : 0,
            .index = index,
            .text = event.text,
            .at = event.timestamp};
  const bool is_same = said.task_id == said_.task_id && said.number == said_.number;
  if (!is_same) tell_progress(work);
  said_ = std::move(said);
}

// The agent has gone on to say something else.
void SessionTurns::tell_progress(Work& work) {
  const Said said = std::exchange(said_, {});
  if (said.text.empty()) return;
  SessionEvent event;
  event.task_id = said.task_id;
  event.timestamp = said.at;
  add(new_turn(TurnActor::kAgent, TurnIntent::kProgress, said.text, event), work, said.index);
}

void SessionTurns::on_completion(const SessionEvent& event, Work& work) {
  std::optional<std::int64_t> message_index;
  if (said_.task_id == event.task_id && said_.text == event.text && !said_.text.empty())
    message_index = std::exchange(said_, {}).index;
  tell_progress(work);
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kCompletion, event.text, event);
  const json::value& detail = member(data_of(event), "detail");
  if (turn.text.empty()) turn.text = text_of(detail);
  turn.data["status"] = event.status;
  if (detail.is_string()) turn.data["detail"] = detail;
  add(std::move(turn), work, message_index);
}

void SessionTurns::on_asked(const SessionEvent& event, Work& work) {
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kQuestion, event.text, event);
  const json::value& data = data_of(event);
  for (const std::string_view key :
       {"permission_id", "tool_call_id", "input", "options", "questions", "expires_at"})
    turn.data[key] = member(data, key);
  turn.data["status"] = "pending";
  const std::string id(text_of(member(data, "permission_id")));
  questions_[id] = add(std::move(turn), work);
}

void SessionTurns::on_resolved(const SessionEvent& event, Work& work) {
  const std::string id(text_of(member(data_of(event), "permission_id")));
  const auto found = questions_.find(id);
  if (found == questions_.end()) return;  // a rule has decided: nobody was asked
  Turn question = std::move(found->second);
  questions_.erase(found);
  const std::string task_id = question.task_id;
  settle(std::move(question), event.status, work.told);
  if (!is_of_person(event)) return;
  Turn answer = new_turn(TurnActor::kUser, TurnIntent::kAnswer, answer_of(event), event);
  answer.task_id = task_id;
  answer.data = {{"permission_id", id}, {"status", event.status}};
  answer.data["by"] = member(data_of(event), "by");
  const json::value& said = member(data_of(event), "said");
  if (said.is_object()) {
    answer.turn_id = text_of(member(said, "turn_id"));
    answer.text = text_of(member(said, "text"));
    apply_origin(said, answer);
  }
  add(std::move(answer), work);
}

ToldTurns SessionTurns::dismiss(const std::vector<Turn>& turns) {
  ToldTurns told;
  for (const Turn& turn : turns) {
    const auto status = turn.data.find("status");
    const bool is_open = turn.intent == TurnIntent::kQuestion && status != turn.data.end() &&
                         text_of(status->value()) == "pending";
    if (is_open) settle(turn, "withdrawn", told);
  }
  return told;
}

void SessionTurns::settle(Turn turn, std::string_view status, ToldTurns& told) {
  turn.data["status"] = status;
  told.events.push_back(turn_updated_event(turn, {.update_type = "answered", .old_timestamp = {}}));
  told.documents.push_back(
      {.key = turn_document_key(turn.session_id, turn.turn_id), .value = to_document(turn)});
}

Turn SessionTurns::new_turn(TurnActor actor, TurnIntent intent, std::string text,
                            const SessionEvent& event) const {
  Turn turn;
  turn.turn_id = new_turn_id();
  turn.session_id = session_id_;
  turn.project_id = project_id_;
  turn.task_id = event.task_id;
  turn.actor = actor;
  turn.intent = intent;
  turn.text = std::move(text);
  turn.timestamp = event.timestamp;
  turn.timestamp_source = TimestampSource::kServer;
  turn.source = TurnSource::kMessage;
  return turn;
}

// The ordinal follows from the index of turn_created: unique in the session, and rising. The event
// is of type system, because the event at `message_index`, a completion or a permission has the
// text.
Turn SessionTurns::add(Turn turn, Work& work, std::optional<std::int64_t> message_index) {
  turn.ordinal = static_cast<std::uint64_t>(work.first_index) + work.told.events.size() + 1;
  work.told.events.push_back(turn_created_event(turn));
  SessionEvent& created = work.told.events.back();
  created.type = "system";
  if (message_index) created.data->as_object()["message_index"] = *message_index;
  work.told.documents.push_back(
      {.key = turn_document_key(turn.session_id, turn.turn_id), .value = to_document(turn)});
  return turn;
}

}  // namespace oriel
