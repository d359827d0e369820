#pragma once
// Permissions and questions of agents as MCP elicitation forms. A form shows every field of the
// request. Pure.

#include "session/permission_book.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string_view>

namespace oriel {

// Maximum size of a form's message. A longer request can only be denied in a form.
constexpr std::size_t kMaxFormBytes = 64 << 10;

// The params of elicitation/create for this protocol version. Lasting options come last, with their
// scope.
boost::json::object permission_form(const PendingPermission& permission, std::string_view version);

// The decision in the client's result: an answer if accepted, a denial if declined. None if the
// form was dismissed or has other content: the permission stays pending.
std::optional<Decision> read_permission_form(const PendingPermission& permission,
                                             const boost::json::object& result);

}  // namespace oriel
