#include "journal/to_record.h"

#include "base/event/event_json.h"

#include <utility>

namespace oriel {

std::shared_ptr<Record> to_record(SessionEvent event) {
  auto record = std::make_shared<Record>();
  record->body = serialize_body(event);
  record->time = event.timestamp;
  record->type = event.feed_type();
  record->event_type = event.type();
  record->session_id = std::move(event.session_id);
  record->project_id = std::move(event.project_id);
  return record;
}

}  // namespace oriel
