#include "supervisor/organize/organization.h"

#include "base/text/ascii.h"
#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"

#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace oriel {

namespace json = boost::json;

Result<Organization> changed(Organization before, OrganizationChange change) {
  if (change.title) {
    const std::string line = in_one_line(*std::move(change.title));
    before.title = printable(stripped(line));
  }
  if (change.is_pinned) before.is_pinned = *change.is_pinned;
  if (change.is_archived) before.is_archived = *change.is_archived;
  if (!change.labels) return before;
  before.labels = *std::move(change.labels);
  std::sort(before.labels.begin(), before.labels.end());
  before.labels.erase(std::unique(before.labels.begin(), before.labels.end()), before.labels.end());
  if (before.labels.size() <= kMaxLabels) return before;
  return Error{.kind = ErrorKind::kInvalidRequest,
               .message = "labels: a session has at most " + std::to_string(kMaxLabels),
               .hint = "leave some out"};
}

std::string organized_document_key(const std::string& session_id) {
  return std::string(kOrganizedDocuments) + session_id;
}

std::string to_document(const Organization& organization) {
  if (organization == Organization()) return {};
  return json_text(json::object{{"title", organization.title},
                                {"is_pinned", organization.is_pinned},
                                {"is_archived", organization.is_archived},
                                {"labels", json::value_from(organization.labels)}});
}

Result<Organization> parse_organization(std::string_view document) {
  if (document.empty()) return Organization();
  try {
    const json::value parsed = json::parse(document);
    const DocumentFields fields(parsed);
    return Organization{.title = fields.text("title"),
                        .is_pinned = fields.flag("is_pinned"),
                        .is_archived = fields.flag("is_archived"),
                        .labels = fields.texts("labels")};
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not an organization of a session: ") + failure.what(),
                 .hint = ""};
  }
}

std::shared_ptr<const SessionState> organized(std::shared_ptr<const SessionState> state,
                                              const Organization& organization) {
  if (organization == Organization()) return state;
  SessionState shown = *state;
  if (!organization.title.empty()) shown.title = organization.title;
  shown.is_pinned = organization.is_pinned;
  shown.is_archived = organization.is_archived;
  shown.labels = organization.labels;
  return std::make_shared<const SessionState>(std::move(shown));
}

SessionEvent updated_event(const SessionState& state, const std::string& by, WallTime time) {
  SessionEvent event;
  event.project_id = state.project_id;
  event.timestamp = time;
  event.payload = event::Custom{.type = std::string(kSessionUpdated),
                                .text = state.title,
                                .data = json::object{{"session_id", state.session_id},
                                                     {"title", state.title},
                                                     {"is_pinned", state.is_pinned},
                                                     {"is_archived", state.is_archived},
                                                     {"labels", json::value_from(state.labels)}},
                                .by = by};
  return event;
}

}  // namespace oriel
