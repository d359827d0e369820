#include "supervisor/organize/organizer.h"

#include "base/log.h"
#include "supervisor/errors.h"

#include <utility>

namespace oriel {
namespace {

// How often a change is repeated that others overtake.
constexpr int kMaxTries = 5;

}  // namespace

asio::awaitable<void> Organizer::load() {
  const auto documents = co_await journal_.read_documents(std::string(kOrganizedDocuments));
  for (const Document& document : documents) {
    auto organization = parse_organization(document.value);
    if (organization)
      sessions_.organize(document.key.substr(kOrganizedDocuments.size()), *std::move(organization));
    else
      log()->error("{}: {}", document.key, organization.error().message);
  }
}

// The guard lets a change take effect only on the state that it has seen.
asio::awaitable<Result<SessionSnapshot>> Organizer::change(std::string session_id,
                                                           OrganizationChange change,
                                                           std::string by) {
  const std::string key = organized_document_key(session_id);
  for (int tries = 1;; ++tries) {
    SessionEntry* entry = sessions_.find(session_id);
    if (entry == nullptr) co_return unknown_session(session_id);
    const Organization before = entry->organization;
    auto after = changed(before, change);
    if (!after) co_return after.error();
    if (*after == before) co_return entry->shown();
    const SessionSnapshot shown = organized(entry->state, *after);
    std::vector<SessionEvent> events = {updated_event(*shown, by, wall_now())};
    std::vector<Document> documents = {{.key = key, .value = to_document(*after)}};
    std::vector<Guard> guards = {{.key = key, .value = to_document(before)}};
    auto appending = journal_.append(std::move(events), std::move(documents), std::move(guards));
    const auto stored = co_await std::move(appending);
    if (stored) {
      // In a cluster the commit has done it, and a later one of another node perhaps, too.
      if (!sessions_.is_in_cluster()) sessions_.organize(session_id, *std::move(after));
      co_return shown;
    }
    if (stored.error().kind != ErrorKind::kOvertaken || tries == kMaxTries)
      co_return stored.error();
  }
}

}  // namespace oriel
