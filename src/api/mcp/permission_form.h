#pragma once
// An agent's question as a form of MCP's elicitation, and what a filled form decides. Pure.

#include "session/permission_book.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

namespace oriel {

// The params of elicitation/create, for a client of that protocol version.
boost::json::object permission_form(const PendingPermission& permission, std::string_view version);

// What the client's result means: accepted with a choice or words, declined (refused), or none if
// the person put the form aside or filled it with something else: the question stays open.
std::optional<Decision> read_permission_form(const PendingPermission& permission,
                                             const boost::json::object& result);

}  // namespace oriel
