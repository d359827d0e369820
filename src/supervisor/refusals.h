#pragma once
// Why the supervisor does not do what it was asked.

#include "base/error.h"
#include "base/text/quote.h"

#include <string>

namespace oriel {

inline Error unknown_session(const std::string& session_id) {
  return {.kind = ErrorKind::kUnknownSession,
          .message = "there is no session " + quote(session_id),
          .hint = "GET /api/sessions lists those that are known"};
}

inline Error stopping() {
  return {.kind = ErrorKind::kStopping,
          .message = "Oriel is being stopped",
          .hint = "send it again once it runs"};
}

inline Error in_progress(const std::string& session_id) {
  return {.kind = ErrorKind::kInProgress,
          .message = "session " + session_id + " is still being made",
          .hint = "repeat the request, with the same request_id, in a moment"};
}

inline Error observed(const std::string& session_id) {
  return {.kind = ErrorKind::kObserved,
          .message = "session " + session_id + " is run by somebody else: Oriel only watches it",
          .hint = "talk to the agent in its own terminal"};
}

}  // namespace oriel
