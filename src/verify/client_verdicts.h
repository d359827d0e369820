#pragma once
// The end of a verification: lets the clients come to their ends, reads the journal and compares.

#include "client/server_access.h"
#include "runtime/asio.h"
#include "verify/verdicts.h"
#include "verify/verify_clients.h"

#include <string>
#include <vector>

namespace oriel {

struct ClientVerdicts {
  std::vector<Verdict> verdicts;
  Sequence last = kNoSequence;  // of the event after all others that were judged
};

// `direct`: the server without the proxy. `start`: the cursor after which the watchers have read.
asio::awaitable<ClientVerdicts> judge_clients(VerifyClients& clients, ServerAccess direct,
                                              std::string start);

// The events of a server after this cursor, up to `until`.
asio::awaitable<std::vector<JournalEvent>> read_journal(ServerAccess direct, std::string start,
                                                        Sequence until);

}  // namespace oriel
