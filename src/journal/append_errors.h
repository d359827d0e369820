#pragma once
// Why an append was not stored.

#include "base/error.h"

#include <string>

namespace oriel {

inline Error journal_busy() {
  return {.kind = ErrorKind::kJournalBusy,
          .message = "the journal's queue of events to store is full",
          .hint = "retry after a second"};
}

inline Error journal_failed(const std::string& reason) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + reason,
          .hint = "check the disk of --data-dir, then send the event again"};
}

inline Error journal_unordered(const std::string& reason) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + reason,
          .hint = "retry after a second"};
}

inline Error journal_lost(const std::string& reason) {
  return {.kind = ErrorKind::kJournalFailed,
          .message = "the event was not stored: " + reason,
          .hint = "check the disk of --data-dir and restart the server, then send the event again"};
}

inline Error journal_stopping() {
  return {.kind = ErrorKind::kStopping,
          .message = "the event was not stored: the server is stopping",
          .hint = "send it again after the restart"};
}

inline Error append_cancelled() {
  return {.kind = ErrorKind::kStopping,
          .message = "nobody waits for the event any more; it may still be stored",
          .hint = "look at the stored events, then decide again"};
}

inline Error overtaken() {
  return {.kind = ErrorKind::kOvertaken,
          .message = "the event was not stored: another node was first",
          .hint = "look at the current state, then decide again"};
}

}  // namespace oriel
