#include "supervisor/sessions/joined_deltas.h"

#include <utility>
#include <variant>

namespace oriel {
namespace {

bool continues(const TextDelta& next, const TextDelta& last) {
  return next.message_id == last.message_id;
}

bool continues(const ThoughtDelta&, const ThoughtDelta&) {
  return true;
}

// Appends `next` to `last` if both are such pieces of the same text.
template <class Delta>
bool join(const AgentEvent& next, AgentEvent& last) {
  const auto* const piece = std::get_if<Delta>(&next);
  auto* const text = std::get_if<Delta>(&last);
  if (piece == nullptr || text == nullptr || !continues(*piece, *text)) return false;
  if (text->text.size() + piece->text.size() > kMaxJoinedBytes) return false;
  text->text += piece->text;
  return true;
}

}  // namespace

std::vector<AgentEvent> with_joined_deltas(std::vector<AgentEvent> events) {
  std::vector<AgentEvent> joined;
  for (AgentEvent& event : events) {
    const bool is_joined = !joined.empty() && (join<TextDelta>(event, joined.back()) ||
                                               join<ThoughtDelta>(event, joined.back()));
    if (!is_joined) joined.push_back(std::move(event));
  }
  return joined;
}

}  // namespace oriel
