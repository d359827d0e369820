#include "session/assistant_text.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kShowEvery{250};

// A long text is shown again only when it has grown by an eighth, so that all showings together
// cost a small multiple of the text and not its square.
constexpr std::size_t kLongText = 64 << 10;
constexpr std::size_t kGrowth = 8;

bool has_grown_enough(std::size_t size, std::size_t shown) {
  return size < kLongText || size - std::min(shown, size) >= shown / kGrowth;
}

}  // namespace

AssistantText::Message& AssistantText::open(const std::string& message_id, SteadyTime now) {
  const auto found = std::find_if(open_.begin(), open_.end(),
                                  [&](const Message& message) { return message.id == message_id; });
  if (found != open_.end()) return *found;
  open_.push_back(
      {.id = message_id, .number = ++count_, .text = {}, .shown = {}, .show_at = now + kShowEvery});
  return open_.back();
}

unsigned AssistantText::add(const std::string& message_id, const std::string& text,
                            SteadyTime now) {
  Message& message = open(message_id, now);
  message.text += text;
  return message.number;
}

std::vector<ShownMessage> AssistantText::drop(const std::string& message_id) {
  std::vector<ShownMessage> voided;
  for (Message& message : open_) {
    if (!message_id.empty() && message.id != message_id) continue;
    if (message.text.empty()) continue;
    message.text.clear();
    message.shown.clear();
    voided.push_back({.number = message.number, .text = {}});
  }
  return voided;
}

std::optional<ShownMessage> AssistantText::show(Message& message) {
  if (!message.text.empty()) last_text_ = message.text;
  if (message.text == message.shown) return std::nullopt;
  message.shown = message.text;
  return ShownMessage{.number = message.number, .text = message.text};
}

std::optional<ShownMessage> AssistantText::finish(const std::string& message_id,
                                                  const std::string& text) {
  if (text.empty() || !finished_.insert(message_id).second) return std::nullopt;
  Message& message = open(message_id, {});
  message.text = text;
  auto shown = show(message);
  std::erase_if(open_, [&](const Message& other) { return other.id == message_id; });
  return shown;
}

std::vector<ShownMessage> AssistantText::due(SteadyTime now) {
  std::vector<ShownMessage> shown;
  for (Message& message : open_) {
    if (now < message.show_at) continue;
    message.show_at = now + kShowEvery;
    if (!has_grown_enough(message.text.size(), message.shown.size())) continue;
    if (auto next = show(message)) shown.push_back(*std::move(next));
  }
  return shown;
}

std::vector<ShownMessage> AssistantText::flush() {
  std::vector<ShownMessage> shown;
  for (Message& message : open_) {
    if (auto next = show(message)) shown.push_back(*std::move(next));
  }
  return shown;
}

std::vector<ShownMessage> AssistantText::finish_all() {
  std::vector<ShownMessage> shown = flush();
  open_.clear();
  return shown;
}

std::optional<SteadyTime> AssistantText::next_due() const {
  std::optional<SteadyTime> next;
  for (const Message& message : open_) {
    if (message.text == message.shown) continue;
    if (!next || message.show_at < *next) next = message.show_at;
  }
  return next;
}

}  // namespace oriel
