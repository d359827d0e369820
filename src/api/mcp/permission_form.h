#pragma once
// Permissions and questions of agents as MCP elicitation forms. A form shows every field of the
// request. Pure.

#include "session/permission_book.h"

#include <boost/json/object.hpp>

#include <string_view>

namespace oriel {

// Maximum size of a form's message. A longer request can only be denied in a form.
constexpr std::size_t kMaxFormBytes = 64 << 10;

// The params of elicitation/create for this protocol version. Lasting options come last, with their
// scope.
boost::json::object permission_form(const PendingPermission& permission, std::string_view version);

enum class FormResult {
  kDecided,     // accepted, with an answer that the permission takes
  kDeclined,    // by a person, or by a program without asking one
  kUnanswered,  // dismissed, or its content is not an answer
};

struct FormReply {
  FormResult result = FormResult::kUnanswered;
  Decision decision;  // if declined: a denial; if unanswered: empty
};

// Reads the client's result of the form.
FormReply read_permission_form(const PendingPermission& permission,
                               const boost::json::object& result);

}  // namespace oriel
