#pragma once
// Permissions and questions of agents as MCP elicitation forms. Pure.

#include "session/permission_book.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

namespace oriel {

// The params of elicitation/create for this protocol version.
boost::json::object permission_form(const PendingPermission& permission, std::string_view version);

// The decision in the client's result: an answer if accepted, a denial if declined. None if the
// form was dismissed or has other content: the permission stays pending.
std::optional<Decision> read_permission_form(const PendingPermission& permission,
                                             const boost::json::object& result);

}  // namespace oriel
