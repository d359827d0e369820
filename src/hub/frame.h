#pragma once
// What the hub hands on: a committed record with the bytes that its readers receive, made once and
// shared.

#include "base/bytes.h"
#include "base/record.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

struct Frame {
  RecordPtr record;  // none in the notice of a gap
  std::string bytes;
  std::chrono::steady_clock::time_point committed;  // zero when it was read back from the journal
};

using FramePtr = std::shared_ptr<const Frame>;

// Frames that are delivered together, in order, never none.
struct FrameBatch {
  explicit FrameBatch(std::vector<FramePtr> committed) : frames(std::move(committed)) {
    bytes.reserve(frames.size());
    for (const FramePtr& frame : frames)
      bytes.emplace_back(frame, &frame->bytes);
  }

  std::vector<FramePtr> frames;
  std::vector<SharedBytes> bytes;  // of each frame
};

// Records that a reader asked for and that are no longer held.
struct Gap {
  Sequence oldest = kNoSequence;  // oldest held
  Sequence head = kNoSequence;    // newest ever
  std::uint64_t missed = 0;       // how many of the asked-for are gone
};

// How records become bytes. The doors know; the hub only calls it, on the thread that commits and
// on the shards.
struct FrameFormat {
  std::function<std::string(const Record&)> record;
  std::function<std::string(const Gap&)> gap;
};

}  // namespace oriel
