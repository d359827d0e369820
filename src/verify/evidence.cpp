#include "verify/evidence.h"

#include "base/cursor.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"

#include <functional>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kPublishedType = "verify";
constexpr std::string_view kHostedPrefix = "ses_";

std::optional<EventNumber> read_number(const json::object& event) {
  if (text_at(event, "type") != kPublishedType) return std::nullopt;
  const auto publisher = number_of(member(event, "data", "publisher"));
  const auto number = number_of(member(event, "data", "number"));
  if (!publisher || !number) return std::nullopt;
  return EventNumber{.publisher = static_cast<unsigned>(*publisher),
                     .number = static_cast<std::uint64_t>(*number)};
}

bool is_about_the_stream(const SseEvent& event) {
  return event.event == "hello" || event.event == "gap" || event.event == "bye";
}

}  // namespace

Digest digest_of(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

Digest digest_of(const json::object& event) {
  return digest_of(json_text(event));
}

std::string numbered_event_body(const EventNumber& number, std::size_t padding) {
  return json_text(
      json::object{{"type", kPublishedType},
                   {"text", std::string(padding, 'x')},
                   {"data", {{"publisher", number.publisher}, {"number", number.number}}}});
}

std::optional<Sequence> sequence_in(std::string_view id) {
  const auto cursor = parse_cursor(id);
  if (!cursor || cursor->epoch.empty()) return std::nullopt;
  return cursor->sequence;
}

std::optional<JournalEvent> read_journal_event(const SseEvent& event) {
  const auto sequence = sequence_in(event.id);
  if (!sequence || is_about_the_stream(event)) return std::nullopt;
  const json::object data = parse_object(event.data);
  JournalEvent stored{.sequence = *sequence, .digest = digest_of(event.data)};
  stored.number = read_number(data);
  stored.session_id = text_at(data, "session_id");
  if (!stored.session_id.starts_with(kHostedPrefix)) stored.session_id.clear();
  if (stored.session_id.empty()) return stored;
  stored.task_id = text_at(data, "task_id");
  stored.index = number_of(member(data, "index")).value_or(-1);
  stored.session_digest = digest_of(data);
  return stored;
}

void note_event(WatchLog& log, const SseEvent& event) {
  if (event.event == "gap") {
    const auto missed = number_of(member(parse_object(event.data), "missed"));
    AnnouncedGap gap{.position = log.deliveries.size(), .missed = {}};
    if (missed) gap.missed = static_cast<std::uint64_t>(*missed);
    log.gaps.push_back(gap);
    return;
  }
  const auto sequence = sequence_in(event.id);
  if (!sequence || is_about_the_stream(event)) return;
  log.deliveries.push_back({.sequence = *sequence, .digest = digest_of(event.data)});
}

}  // namespace oriel
