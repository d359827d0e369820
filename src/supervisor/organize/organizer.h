#pragma once
// Changes and restores how people have organized sessions.

#include "journal/journal.h"
#include "supervisor/organize/organization.h"
#include "supervisor/sessions/session_registry.h"

#include <string>

namespace oriel {

// Owned by the supervisor; lives on its shard.
class Organizer {
 public:
  Organizer(Journal& journal, SessionRegistry& sessions) : journal_(journal), sessions_(sessions) {}

  // Reads what is stored of known sessions. Call it when all are known.
  asio::awaitable<void> load();

  // Stores and publishes the change. Errors: unknown_session, invalid_request, those of the
  // journal.
  asio::awaitable<Result<SessionSnapshot>> change(std::string session_id, OrganizationChange change,
                                                  std::string by);

 private:
  Journal& journal_;
  SessionRegistry& sessions_;
};

}  // namespace oriel
