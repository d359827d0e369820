#include "journal/to_record.h"

#include "base/event/event_json.h"

namespace oriel {

std::shared_ptr<Record> to_record(const SessionEvent& event) {
  auto record = std::make_shared<Record>();
  record->body = serialize_body(event);
  record->time = event.timestamp;
  record->type = event.feed_type();
  record->event_type = event.type();
  record->session_id = event.session_id;
  record->project_id = event.project_id;
  return record;
}

NewRecords to_records(std::vector<SessionEvent> events) {
  NewRecords records;
  records.reserve(events.size());
  for (SessionEvent& event : events) {
    records.push_back(to_record(event));
    event = {};
  }
  return records;
}

}  // namespace oriel
