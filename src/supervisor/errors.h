#pragma once
// The errors of the supervisor that several of its parts return.

#include "base/error.h"
#include "base/text/quote.h"

#include <string>

namespace oriel {

inline Error unknown_session(const std::string& session_id) {
  return {.kind = ErrorKind::kUnknownSession,
          .message = "there is no session " + quote(session_id),
          .hint = "GET /api/sessions lists known sessions"};
}

inline Error stopping() {
  return {.kind = ErrorKind::kStopping,
          .message = "Oriel is stopping",
          .hint = "retry after the restart"};
}

inline Error in_progress(const std::string& session_id) {
  return {.kind = ErrorKind::kInProgress,
          .message = "session " + session_id + " is still being created",
          .hint = "retry in a moment with the same request_id"};
}

inline Error observed(const std::string& session_id) {
  return {.kind = ErrorKind::kObserved,
          .message = "session " + session_id + " is observed, not run by Oriel",
          .hint = "use the agent in its own terminal"};
}

// Nothing of the command was stored.
inline Error taken_over(const std::string& session_id) {
  return {.kind = ErrorKind::kOvertaken,
          .message = "session " + session_id + " was taken over by another node",
          .hint = "retry: the command had no effect"};
}

inline Error foreign_hook() {
  return {.kind = ErrorKind::kNotAllowed,
          .message = "this credential has no access to the project of this hook",
          .hint = "send it with a token of its project"};
}

}  // namespace oriel
