#pragma once
// The audit entry of a request that was refused because its sender lacks the route's scope.

#include "base/event/session_event.h"
#include "http/router.h"

#include <optional>

namespace oriel {

// None for a route that changes nothing. The entry has no refusal yet. Pure.
std::optional<event::Audit> audit_of_refused(const http::Route& route,
                                             const http::Request& request);

}  // namespace oriel
