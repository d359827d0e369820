#include "session/turn_recorder.h"

#include "base/event/turn_event.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

template <class Payload>
concept MakesTurns = std::is_same_v<Payload, event::UserMessage> ||
    std::is_same_v<Payload, event::AssistantMessage> ||
    std::is_same_v<Payload, event::Completion> ||
    std::is_same_v<Payload, event::PermissionRequested> ||
    std::is_same_v<Payload, event::PermissionResolved>;

// A person's decision in words: the answers, the chosen option's label, or "allowed".
std::string answer_text(const event::PermissionResolved& resolved) {
  std::string text;
  for (const std::string& answer : resolved.answer.answers)
    text += (text.empty() ? "" : "\n") + answer;
  if (!text.empty()) return text;
  for (const PermissionOption& option : resolved.permission.asked.options) {
    if (option.id == resolved.answer.option_id) text = option.label;
  }
  return text.empty() ? std::string(name_of(resolved.status)) : text;
}

void apply(const std::optional<TurnOrigin>& origin, Turn& turn) {
  if (!origin) return;
  turn.source = origin->source;
  turn.files = origin->files;
  if (!origin->said_at) return;
  turn.timestamp = *origin->said_at;
  turn.timestamp_source = TimestampSource::kUser;
}

PermissionQuestion question_of(const PendingPermission& permission) {
  return {.permission_id = permission.permission_id,
          .tool_call_id = permission.asked.tool_call_id,
          .input = permission.asked.input,
          .details = permission.asked.details,
          .options = permission.asked.options,
          .questions = permission.asked.questions,
          .expires_at = permission.expires_at,
          .status = PermissionStatus::kPending};
}

// The agent's own id is lost with its process.
PendingPermission permission_of(const PermissionQuestion& question, const Turn& turn) {
  return {.permission_id = question.permission_id,
          .asked = {.id = question.permission_id,
                    .tool_call_id = question.tool_call_id,
                    .title = turn.text,
                    .input = question.input,
                    .details = question.details,
                    .options = question.options,
                    .questions = question.questions},
          .asked_at = turn.timestamp,
          .expires_at = question.expires_at};
}

}  // namespace

std::string command_turn_of(std::string_view task_id) {
  const std::size_t name = task_id.find('_');
  if (name == std::string_view::npos) return {};
  return "turn" + std::string(task_id.substr(name));
}

std::uint64_t TurnRecorder::record(SessionStep& step, std::int64_t first_index) {
  Draft draft{.next_index = first_index + static_cast<std::int64_t>(step.events.size())};
  std::int64_t index = first_index;
  for (const SessionEvent& event : step.events) {
    const auto on_payload = [&]<class Payload>(const Payload& payload) {
      if constexpr (MakesTurns<Payload>) on(payload, event, index, draft);
    };
    std::visit(on_payload, event.payload);
    ++index;
  }
  std::move(draft.events.begin(), draft.events.end(), std::back_inserter(step.events));
  std::move(draft.turns.begin(), draft.turns.end(), std::back_inserter(step.turns));
  return draft.added;
}

void TurnRecorder::on(const event::UserMessage& message, const SessionEvent& event,
                      std::int64_t index, Draft& draft) {
  Turn turn = new_turn(TurnActor::kUser, TurnIntent::kCommand, message.text, event);
  turn.turn_id = command_turn_of(event.task_id);
  apply(message.origin, turn);
  add(std::move(turn), draft, index);
}

void TurnRecorder::on(const event::AssistantMessage& message, const SessionEvent& event,
                      std::int64_t index, Draft& draft) {
  const bool is_same = event.task_id == last_.task_id && message.number == last_.message.number;
  if (!is_same) record_progress(draft);
  last_ = {.task_id = event.task_id, .message = message, .index = index, .time = event.timestamp};
}

// The agent has begun another message.
void TurnRecorder::record_progress(Draft& draft) {
  LastMessage last = std::exchange(last_, {});
  if (last.message.text.empty()) return;
  SessionEvent event;
  event.task_id = last.task_id;
  event.timestamp = last.time;
  add(new_turn(TurnActor::kAgent, TurnIntent::kProgress, std::move(last.message.text), event),
      draft, last.index);
}

void TurnRecorder::on(const event::Completion& completion, const SessionEvent& event, std::int64_t,
                      Draft& draft) {
  std::optional<std::int64_t> message_index;
  const std::string& text = last_.message.text;
  if (last_.task_id == event.task_id && text == completion.text && !text.empty())
    message_index = std::exchange(last_, {}).index;
  record_progress(draft);
  const std::string& words = completion.text.empty() ? completion.detail : completion.text;
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kCompletion, words, event);
  turn.data = CompletionOutcome{.status = completion.outcome, .detail = completion.detail};
  add(std::move(turn), draft, message_index);
}

void TurnRecorder::on(const event::PermissionRequested& requested, const SessionEvent& event,
                      std::int64_t, Draft& draft) {
  const PendingPermission& permission = requested.permission;
  Turn turn = new_turn(TurnActor::kAgent, TurnIntent::kQuestion, permission.asked.title, event);
  turn.data = question_of(permission);
  questions_[permission.permission_id] = add(std::move(turn), draft);
}

void TurnRecorder::on(const event::PermissionResolved& resolved, const SessionEvent& event,
                      std::int64_t, Draft& draft) {
  const std::string& id = resolved.permission.permission_id;
  const auto found = questions_.find(id);
  if (found == questions_.end()) return;  // a rule has decided: nobody was asked
  Turn question = std::move(found->second);
  questions_.erase(found);
  const std::string task_id = question.task_id;
  settle(std::move(question), resolved.status, draft);
  if (!is_decided(resolved.status)) return;
  Turn answer = new_turn(TurnActor::kUser, TurnIntent::kAnswer, answer_text(resolved), event);
  answer.task_id = task_id;
  answer.data = PermissionDecision{
      .permission_id = id, .status = resolved.status, .by = std::string(name_of(resolved.by))};
  if (resolved.reply) {
    answer.turn_id = resolved.reply->turn_id;
    answer.text = resolved.reply->text;
    apply(resolved.reply->origin, answer);
  }
  add(std::move(answer), draft);
}

std::vector<PendingPermission> TurnRecorder::restore(const std::vector<Turn>& turns) {
  std::vector<PendingPermission> permissions;
  for (const Turn& turn : turns) {
    const auto* const question = std::get_if<PermissionQuestion>(&turn.data);
    if (!question || question->status != PermissionStatus::kPending) continue;
    questions_[question->permission_id] = turn;
    permissions.push_back(permission_of(*question, turn));
  }
  return permissions;
}

void TurnRecorder::settle(Turn question, PermissionStatus status, Draft& draft) {
  if (auto* const data = std::get_if<PermissionQuestion>(&question.data)) data->status = status;
  draft.events.push_back(turn_updated_event(question, TurnChange::kAnswered));
  draft.turns.push_back(std::move(question));
}

Turn TurnRecorder::new_turn(TurnActor actor, TurnIntent intent, std::string text,
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
  return turn;
}

// The ordinal follows from the index of turn_created, so it is unique in the session and rises.
const Turn& TurnRecorder::add(Turn turn, Draft& draft, std::optional<std::int64_t> message_index) {
  turn.ordinal = static_cast<std::uint64_t>(draft.next_index) + draft.events.size() + 1;
  draft.events.push_back(turn_created_event(turn, message_index));
  draft.turns.push_back(std::move(turn));
  ++draft.added;
  return draft.turns.back();
}

}  // namespace oriel
