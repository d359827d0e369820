#pragma once
// What people set of a session to find it again: its title, labels, and whether it is pinned or
// archived. A document of its own, which any node of a cluster may write. Pure.

#include "base/error.h"
#include "base/event/session_event.h"
#include "session/session_state.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxLabels = 20;
constexpr std::string_view kOrganizedDocuments = "organized/";

// The event that a change publishes. It belongs to no session, so that only runners number events
// of a session; its data names the session.
constexpr std::string_view kSessionUpdated = "session_updated";

struct Organization {
  std::string title = {};  // empty: the session's own
  bool is_pinned = false;
  bool is_archived = false;
  std::vector<std::string> labels = {};  // names (base/id.h), sorted

  bool operator==(const Organization&) const = default;
};

// What is absent stays as it is.
struct OrganizationChange {
  std::optional<std::string> title = {};  // empty: the session's own again
  std::optional<bool> is_pinned = {};
  std::optional<bool> is_archived = {};
  std::optional<std::vector<std::string>> labels = {};
};

// In one line, without what a terminal obeys. Error: invalid_request, for too many labels.
Result<Organization> changed(Organization before, OrganizationChange change);

std::string organized_document_key(const std::string& session_id);

// Empty if nothing is set, so that there is no document.
std::string to_document(const Organization& organization);
Result<Organization> parse_organization(std::string_view document);

// The session as people have organized it.
std::shared_ptr<const SessionState> organized(std::shared_ptr<const SessionState> state,
                                              const Organization& organization);

// `state` is organized already.
SessionEvent updated_event(const SessionState& state, const std::string& by, WallTime time);

}  // namespace oriel
