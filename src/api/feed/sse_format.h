#pragma once
// Records and stream notices as server-sent events.

#include "base/cursor.h"
#include "hub/frame.h"

#include <chrono>
#include <optional>
#include <string>

namespace oriel {

struct Hello {
  std::string client_id;
  std::string epoch;
  Sequence start = kNoSequence;  // the stream starts after this one
  Sequence head = kNoSequence;
  Sequence oldest = kNoSequence;
  bool is_resumed = false;
  std::optional<std::uint64_t> missed;  // unknown for a cursor of another epoch
  std::chrono::milliseconds retry{0};
};

// The frame as a server-sent event, with a cursor of this epoch; encoded once for all clients.
SharedBytes encode_frame(FramePtr frame, const std::string& epoch);

// Its id is the start, so that a client that disconnects before the first event resumes there.
std::string hello_frame(const Hello& hello);

// `missed` is null if unknown.
std::string gap_frame(Sequence oldest, Sequence head, std::optional<std::uint64_t> missed);

std::string bye_frame(std::string_view reason, std::chrono::milliseconds retry);

// Advances the client's cursor without an event, for filters that match rarely.
std::string cursor_frame(const Cursor& cursor);

}  // namespace oriel
