#include "base/event/session_event.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 10> kEventTypes = {
    "status",     "message", "delta",      "tool_call", "tool_result",
    "completion", "error",   "permission", "system",    "audit"};

constexpr std::string_view kSessionEvent = "session_event";

// A custom event of Oriel's own: how people have organized a session.
constexpr std::string_view kSessionUpdated = "session_updated";

template <class Payload>
std::string_view feed_type_of(const Payload&) {
  if constexpr (requires { Payload::kFeedType; }) return Payload::kFeedType;
  return kSessionEvent;
}

std::string_view feed_type_of(const event::Custom& custom) {
  return custom.type;
}

template <class Payload>
bool has_feed_type(std::string_view name) {
  if constexpr (requires { Payload::kFeedType; }) return Payload::kFeedType == name;
  return false;
}

template <class... Payloads>
bool is_feed_type_of_any(std::string_view name, const std::variant<Payloads...>*) {
  return (has_feed_type<Payloads>(name) || ...);
}

}  // namespace

std::string_view name_of(EventType type) {
  return type == EventType::kCustom ? "" : name_in(kEventTypes, type);
}

EventType parse_event_type(std::string_view name) {
  return find_name<EventType>(kEventTypes, name).value_or(EventType::kCustom);
}

EventType SessionEvent::type() const {
  const auto* const turn = get_if<event::TurnCreated>();
  if (turn != nullptr && turn->is_message) return EventType::kMessage;
  return std::visit([](const auto& its) { return its.kType; }, payload);
}

std::string_view SessionEvent::feed_type() const {
  return std::visit([](const auto& its) { return feed_type_of(its); }, payload);
}

bool is_own_event_type(std::string_view name) {
  constexpr const EventPayload* kAny = nullptr;
  return name == kSessionEvent || name == kSessionUpdated ||
         parse_event_type(name) != EventType::kCustom || is_feed_type_of_any(name, kAny);
}

}  // namespace oriel
