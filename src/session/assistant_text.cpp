#include "session/assistant_text.h"

#include "base/event/message_piece.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kShowEvery{250};

// A text is shown again only when it has grown by a quarter: all showings together, the final one
// included, are shorter than six times the text, and not as long as its square.
constexpr std::size_t kGrowth = 4;

// A text up to this size is always shown before other events, however little it has grown.
constexpr std::size_t kShortText = 64 << 10;

}  // namespace

std::vector<AssistantText::Message>::iterator AssistantText::find(const std::string& message_id) {
  return std::find_if(open_.begin(), open_.end(),
                      [&](const Message& message) { return message.id == message_id; });
}

unsigned AssistantText::add(const std::string& message_id, const std::string& text,
                            SteadyTime now) {
  auto message = find(message_id);
  if (message == open_.end()) {
    open_.push_back(
        {.id = message_id, .number = ++count_, .text = {}, .shown = 0, .waits_since = now});
    message = open_.end() - 1;
  }
  append_piece(message->text, text);
  return message->number;
}

std::vector<ShownMessage> AssistantText::drop(const std::string& message_id, SteadyTime now) {
  std::vector<ShownMessage> voided;
  for (Message& message : open_) {
    const bool is_meant = message_id.empty() || message.id == message_id;
    if (!is_meant || message.text.empty()) continue;
    message.text.clear();
    voided.push_back(show(message, now));
  }
  return voided;
}

std::optional<ShownMessage> AssistantText::finish(const std::string& message_id, std::string text,
                                                  SteadyTime now) {
  const bool is_repetition = !finished_.insert(message_id).second;
  const auto found = find(message_id);
  if (found == open_.end()) {
    if (is_repetition) return std::nullopt;
    last_text_ = text;
    last_shown_ = now;
    return ShownMessage{.number = ++count_, .text = std::move(text)};
  }
  const Message message = std::move(*found);
  open_.erase(found);
  last_text_ = text;
  if (message.shown == message.text.size() && message.text == text) return std::nullopt;
  last_shown_ = now;
  return ShownMessage{.number = message.number, .text = std::move(text)};
}

std::optional<ShownMessage> AssistantText::due(SteadyTime now) {
  Message* longest = nullptr;
  for (Message& message : open_) {
    if (!has_grown_enough(message) || now < due_at(message)) continue;
    if (longest == nullptr || message.waits_since < longest->waits_since) longest = &message;
  }
  if (longest == nullptr) return std::nullopt;
  return show(*longest, now);
}

std::vector<ShownMessage> AssistantText::flush(SteadyTime now) {
  std::vector<ShownMessage> shown;
  for (Message& message : open_) {
    const bool is_cheap = message.text.size() <= kShortText || has_grown_enough(message);
    if (is_cheap && message.text.size() > message.shown) shown.push_back(show(message, now));
  }
  return shown;
}

std::vector<ShownMessage> AssistantText::finish_all(SteadyTime now) {
  std::vector<ShownMessage> shown;
  for (Message& message : open_) {
    if (message.text.size() > message.shown) shown.push_back(show(message, now));
    if (!message.text.empty()) last_text_ = std::move(message.text);
  }
  open_.clear();
  return shown;
}

std::optional<SteadyTime> AssistantText::next_due() const {
  std::optional<SteadyTime> next;
  for (const Message& message : open_) {
    if (has_grown_enough(message) && (!next || due_at(message) < *next)) next = due_at(message);
  }
  return next;
}

bool AssistantText::has_grown_enough(const Message& message) {
  const std::size_t growth = message.text.size() - message.shown;
  return growth > 0 && growth * kGrowth >= message.shown;
}

SteadyTime AssistantText::due_at(const Message& message) const {
  return std::max(message.waits_since, last_shown_) + kShowEvery;
}

ShownMessage AssistantText::show(Message& message, SteadyTime now) {
  message.shown = message.text.size();
  message.waits_since = now;
  last_shown_ = now;
  return {.number = message.number, .text = message.text};
}

}  // namespace oriel
