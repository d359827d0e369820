#include "base/event/event_filter.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <algorithm>

namespace oriel {
namespace {

bool accepts(const std::vector<std::string>& list, std::string_view value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

Error invalid_filter(std::string_view parameter, const std::string& problem) {
  return {
      .kind = ErrorKind::kInvalidFilter,
      .message = std::string(parameter) + ": " + problem,
      .hint =
          "send one or more names separated by commas; a name is 1 to 128 of A-Z a-z 0-9 . _ : -"};
}

}  // namespace

bool EventFilter::matches(const Record& record) const {
  if ((record.event_type == EventType::kAudit) != is_audit) return false;
  const bool is_of_type =
      accepts(types, record.type) ||
      (record.event_type != EventType::kCustom && accepts(types, name_of(record.event_type)));
  return is_of_type && accepts(projects, record.project_id) && accepts(sessions, record.session_id);
}

Result<void> add_names(std::vector<std::string>& list, std::string_view parameter,
                       std::string_view value) {
  while (true) {
    const std::size_t comma = value.find(',');
    const std::string_view name = value.substr(0, comma);
    if (name.empty()) return invalid_filter(parameter, "an empty name");
    if (!is_name(name)) return invalid_filter(parameter, quote(name) + " is not a name");
    if (list.size() == kMaxFilterNames) {
      return invalid_filter(parameter, "more than " + std::to_string(kMaxFilterNames) + " names");
    }
    list.emplace_back(name);
    if (comma == value.npos) return {};
    value.remove_prefix(comma + 1);
  }
}

}  // namespace oriel
