#include "supervisor/sessions/text_bytes.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <variant>

namespace oriel {
namespace {

namespace json = boost::json;

std::size_t size_of(const std::string& text) {
  return text.size();
}

// As deep as the parser allows a document to be, so the recursion is bounded.
std::size_t size_of(const json::value& value) {
  if (const auto* const text = value.if_string()) return text->size();
  std::size_t bytes = sizeof(value);
  if (const auto* const array = value.if_array()) {
    for (const json::value& element : *array)
      bytes += size_of(element);
  } else if (const auto* const object = value.if_object()) {
    for (const auto& [key, member] : *object)
      bytes += key.size() + size_of(member);
  }
  return bytes;
}

std::size_t size_of(const PermissionAsked& asked) {
  return size_of(asked.input) + size_of(asked.details);
}

// The long field of a payload or of an agent's event.
template <class Event>
std::size_t long_field(const Event& event) {
  if constexpr (requires { event.turn; })
    return text_bytes(event.turn);
  else if constexpr (requires { event.permission; })
    return size_of(event.permission.asked);
  else if constexpr (std::is_same_v<Event, PermissionAsked>)
    return size_of(event);
  else if constexpr (requires { event.text; })
    return size_of(event.text);
  else if constexpr (requires { event.output; })
    return size_of(event.output);
  else if constexpr (requires { event.input; })
    return size_of(event.input);
  else
    return 0;
}

}  // namespace

std::size_t text_bytes(const SessionEvent& event) {
  return std::visit([](const auto& payload) { return long_field(payload); }, event.payload);
}

std::size_t text_bytes(const Turn& turn) {
  const auto* const question = std::get_if<PermissionQuestion>(&turn.data);
  if (question == nullptr) return turn.text.size();
  return turn.text.size() + size_of(question->input) + size_of(question->details);
}

std::size_t text_bytes(const std::vector<AgentEvent>& events) {
  std::size_t bytes = 0;
  for (const AgentEvent& event : events)
    bytes += std::visit([](const auto& what) { return long_field(what); }, event);
  return bytes;
}

}  // namespace oriel
