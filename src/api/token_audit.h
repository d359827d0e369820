#pragma once
// Audit entries of changes that `oriel token` makes to the token file.

#include "auth/token_file.h"
#include "base/event/session_event.h"

#include <vector>

namespace oriel {

// One entry for each token that only one of the lists has. Pure.
std::vector<event::Audit> audit_of_changes(const std::vector<Token>& before,
                                           const std::vector<Token>& after);

}  // namespace oriel
