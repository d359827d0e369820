#include "session/message_queue.h"

#include "base/id.h"
#include "session/turn_recorder.h"

#include <algorithm>
#include <utility>

namespace oriel {

std::optional<MessageTaken> MessageQueue::repeated(const std::string& request_id) const {
  if (request_id.empty()) return std::nullopt;
  const auto taken =
      std::find_if(state_.requests.begin(), state_.requests.end(),
                   [&](const TakenRequest& request) { return request.request_id == request_id; });
  if (taken == state_.requests.end()) return std::nullopt;
  return MessageTaken{.task_id = taken->task_id,
                      .turn_id = taken->turn_id,
                      .last_index = taken->last_index,
                      .queued = state_.queue.size(),
                      .is_repeat = true,
                      .step = {}};
}

void MessageQueue::remember(std::string request_id, const MessageTaken& taken) {
  if (request_id.empty()) return;
  state_.requests.push_back({.request_id = std::move(request_id),
                             .task_id = taken.task_id,
                             .turn_id = taken.turn_id,
                             .last_index = taken.last_index});
  if (state_.requests.size() > limits_.max_remembered)
    state_.requests.erase(state_.requests.begin());
}

Result<MessageTaken> MessageQueue::push(UserMessage said, StepBuilder& step) {
  if (state_.status == SessionStatus::kCompleted) {
    return Error{.kind = ErrorKind::kSessionEnded,
                 .message = "session " + state_.session_id + " has ended",
                 .hint = "start a new one"};
  }
  if (state_.queue.size() >= limits_.max_queued) {
    return Error{.kind = ErrorKind::kTooManyMessages,
                 .message = std::to_string(state_.queue.size()) + " messages are already waiting",
                 .hint = "wait for the task to end, or cancel it"};
  }
  MessageTaken taken;
  taken.task_id = new_task_id();
  taken.turn_id = command_turn_of(taken.task_id);
  taken.last_index = state_.last_index;
  step.emit(taken.task_id, event::UserMessage{.text = said.text,
                                              .request_id = said.request_id,
                                              .origin = std::move(said.origin),
                                              .by = std::move(said.by)});
  remember(std::move(said.request_id), taken);
  std::string prompt = std::move(said.prompt.empty() ? said.text : said.prompt);
  state_.queue.push_back({.task_id = taken.task_id, .text = std::move(prompt)});
  return taken;
}

QueuedMessage MessageQueue::pop() {
  QueuedMessage next = std::move(state_.queue.front());
  state_.queue.erase(state_.queue.begin());
  return next;
}

void MessageQueue::drop_all(const event::Completion& completion, StepBuilder& step) {
  for (const QueuedMessage& queued : state_.queue)
    step.emit(queued.task_id, completion);
  state_.queue.clear();
}

}  // namespace oriel
