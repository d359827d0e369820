#include "verify/evidence.h"

#include "base/cursor.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"

#include <algorithm>
#include <functional>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kPublishedType = "verify";
constexpr std::string_view kHostedPrefix = "ses_";
constexpr std::string_view kInterrupted =
    "while the agent worked";  // in the detail of a completion

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

void note_gap(WatchLog& log, const json::value& missed) {
  AnnouncedGap gap{.position = log.deliveries.size(), .missed = {}};
  if (const auto number = number_of(missed)) gap.missed = static_cast<std::uint64_t>(*number);
  log.gaps.push_back(gap);
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
  const bool is_of_user = text_at(data, "type") == "message" && text_at(data, "role") == "user";
  if (is_of_user) stored.request_id = text_at(data, "data", "request_id");
  stored.index = number_of(member(data, "index")).value_or(-1);
  stored.session_digest = digest_of(data);
  return stored;
}

PolledEvent read_polled_event(const json::object& event) {
  PolledEvent polled{.index = number_of(member(event, "index")).value_or(-1),
                     .digest = digest_of(event)};
  if (text_at(event, "type") == "completion") {
    polled.ended_task = text_at(event, "task_id");
    polled.was_interrupted =
        text_at(event, "data", "detail").find(kInterrupted) != std::string::npos;
  }
  return polled;
}

void keep_until(WatchLog& log, Sequence until) {
  std::erase_if(log.deliveries,
                [until](const Delivery& delivery) { return delivery.sequence > until; });
  for (AnnouncedGap& gap : log.gaps)
    gap.position = std::min(gap.position, log.deliveries.size());
}

void note_push(WatchLog& log, const json::object& message) {
  const json::value& data = member(message, "params", "data");
  if (text_of(member(data, "type")) == "gap") {
    note_gap(log, member(data, "missed"));
    return;
  }
  const json::value& meta = member(message, "params", "_meta");
  const auto index = number_of(member(meta, "oriel/index"));
  const auto sequence = number_of(member(meta, "oriel/sequence"));
  if (!index || !sequence) return;
  log.deliveries.push_back(
      {.sequence = static_cast<Sequence>(*sequence), .digest = static_cast<Digest>(*index)});
}

void note_event(WatchLog& log, const SseEvent& event) {
  if (event.event == "gap") {
    const json::object data = parse_object(event.data);
    note_gap(log, member(data, "missed"));
    return;
  }
  const auto sequence = sequence_in(event.id);
  if (!sequence || is_about_the_stream(event)) return;
  log.deliveries.push_back({.sequence = *sequence, .digest = digest_of(event.data)});
}

}  // namespace oriel
