#pragma once
// The browser stream's language: how records and the stream's own notices look as server-sent
// events.

#include "base/cursor.h"
#include "hub/frame.h"

#include <chrono>
#include <optional>
#include <string>

namespace oriel {

struct Hello {
  std::string client_id;
  std::string epoch;
  Sequence start = kNoSequence;  // the stream goes on after this one
  Sequence head = kNoSequence;
  Sequence oldest = kNoSequence;
  bool is_resumed = false;
  std::optional<std::uint64_t> missed;  // none: cannot be told, the cursor is of another epoch
  std::chrono::milliseconds retry{0};
};

// The frame as a server-sent event, with a cursor of this epoch; encoded once for all clients.
SharedBytes encode_frame(FramePtr frame, const std::string& epoch);

// With the start as its id, so that a client which is cut before its first event resumes from
// there.
std::string hello_frame(const Hello& hello);

// `missed` is null when it cannot be told.
std::string gap_frame(Sequence oldest, Sequence head, std::optional<std::uint64_t> missed);

std::string bye_frame(std::string_view reason, std::chrono::milliseconds retry);

// Moves the client's cursor without an event, for a filter that lets little through.
std::string cursor_frame(const Cursor& cursor);

}  // namespace oriel
