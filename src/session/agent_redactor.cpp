#include "session/agent_redactor.h"

#include "base/event/redact.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// After these no message continues.
bool ends_messages(const AgentEvent& event) {
  return std::holds_alternative<TaskEnded>(event) || std::holds_alternative<TaskStarted>(event) ||
         std::holds_alternative<AgentReady>(event) || std::holds_alternative<AgentRefused>(event);
}

// These events join pieces.
bool is_joined(const SessionEvent& event) {
  return event.get_if<event::AssistantMessage>() != nullptr ||
         event.get_if<event::Completion>() != nullptr ||
         event.get_if<event::TurnCreated>() != nullptr ||
         event.get_if<event::TurnUpdated>() != nullptr;
}

// Most of the time nothing is held, and the piece is not copied.
void append(std::string& held, std::string piece) {
  if (held.empty())
    held = std::move(piece);
  else
    held += piece;
}

}  // namespace

AgentRedactor::AgentRedactor(std::shared_ptr<const Redactor> redactor)
    : redactor_(std::move(redactor)) {}

std::vector<AgentEvent> AgentRedactor::mask(std::vector<AgentEvent> events) {
  if (!redactor_) return events;
  std::vector<AgentEvent> out;
  out.reserve(events.size());
  for (AgentEvent& event : events) {
    if (auto* const delta = std::get_if<TextDelta>(&event)) {
      release_thought(out);
      take(std::move(*delta), out);
      continue;
    }
    if (auto* const delta = std::get_if<ThoughtDelta>(&event)) {
      take(std::move(*delta), out);
      continue;
    }
    const auto* const finished = std::get_if<TextFinished>(&event);
    const auto* const dropped = std::get_if<TextDropped>(&event);
    if (finished != nullptr) {
      texts_.erase(finished->message_id);  // the whole text follows
    } else if (dropped != nullptr) {
      drop(dropped->message_id);
    } else if (!std::holds_alternative<UsageReported>(event)) {
      release_thought(out);
      release_texts(out);
      if (ends_messages(event)) {
        texts_.clear();
        thought_ = {};
      }
    }
    redact(event, *redactor_);
    out.push_back(std::move(event));
  }
  return out;
}

std::vector<AgentEvent> AgentRedactor::release() {
  if (!redactor_) return {};
  std::vector<AgentEvent> out;
  release_thought(out);
  release_texts(out);
  texts_.clear();
  thought_ = {};
  return out;
}

std::string AgentRedactor::mask(std::string text) const {
  if (redactor_) redactor_->mask(text);
  return text;
}

void AgentRedactor::mask(SessionStep& step) const {
  if (!redactor_) return;
  for (SessionEvent& event : step.events)
    redact(event, *redactor_);
  for (Turn& turn : step.turns)
    redact(turn, *redactor_);
}

// What is decided and was not shown before. A secret that began in shown text is masked as a whole.
std::string AgentRedactor::decide(Held& held, std::string piece) const {
  append(held.text, std::move(piece));
  std::string decided = redactor_->take_decided(held.text, held.before);
  if (held.shown.empty()) return decided;
  if (held.shown.starts_with(decided)) {
    held.shown.erase(0, decided.size());
    return {};
  }
  if (decided.starts_with(held.shown)) decided.erase(0, held.shown.size());
  held.shown.clear();
  return decided;
}

// What is held and was not shown before. It stays held: the message may continue.
std::string AgentRedactor::interrupt(Held& held) const {
  std::string text = held.text.substr(std::min(held.shown.size(), held.text.size()));
  held.shown = held.text;
  redactor_->mask_interrupted(text);
  return text;
}

void AgentRedactor::take(TextDelta delta, std::vector<AgentEvent>& out) {
  delta.text = decide(texts_[delta.message_id], std::move(delta.text));
  if (!delta.text.empty()) out.emplace_back(std::move(delta));
}

void AgentRedactor::take(ThoughtDelta delta, std::vector<AgentEvent>& out) {
  delta.text = decide(thought_, std::move(delta.text));
  if (!delta.text.empty()) out.emplace_back(std::move(delta));
}

void AgentRedactor::release_thought(std::vector<AgentEvent>& out) {
  std::string text = interrupt(thought_);
  if (!text.empty()) out.emplace_back(ThoughtDelta{.text = std::move(text)});
}

void AgentRedactor::release_texts(std::vector<AgentEvent>& out) {
  for (auto& [message_id, held] : texts_) {
    std::string text = interrupt(held);
    if (text.empty()) continue;
    out.emplace_back(TextDelta{.message_id = message_id, .text = std::move(text)});
  }
}

// An empty id means all messages.
void AgentRedactor::drop(const std::string& message_id) {
  if (message_id.empty()) {
    texts_.clear();
  } else {
    texts_.erase(message_id);
  }
}

void mask_joined(SessionEvent& event, const Redactor& redactor) {
  if (is_joined(event)) redact(event, redactor);
}

}  // namespace oriel
