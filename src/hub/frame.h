#pragma once
// What the hub delivers: a committed record or a gap, encoded at most once for all subscribers.

#include "base/bytes.h"
#include "base/event/record.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace oriel {

// Records that a subscriber asked for and that retention has removed.
struct Gap {
  Sequence oldest = kNoSequence;  // oldest stored
  Sequence head = kNoSequence;    // newest ever assigned
  std::uint64_t missed = 0;       // number of records removed
};

// Bytes that the first caller encodes and all others share, on any shard.
class LazyBytes {
 public:
  template <class Encode>
  const std::string& get(Encode encode) const {
    std::call_once(once_, [&] { bytes_ = encode(); });
    return bytes_;
  }

 private:
  mutable std::once_flag once_;
  mutable std::string bytes_;
};

// Immutable and shared by all shards.
struct Frame {
  using Clock = std::chrono::steady_clock;

  explicit Frame(RecordPtr its_record, Clock::time_point its_commit = {})
      : record(std::move(its_record)), committed(its_commit) {}

  explicit Frame(const Gap& its_gap) : gap(its_gap) {}

  // Bytes it is charged to a queue. Independent of encodings, which may not exist yet.
  std::size_t cost() const { return sizeof(Frame) + (record ? record->bytes() : 0); }

  RecordPtr record;             // null: a gap
  Gap gap;                      // used if record is null
  Clock::time_point committed;  // zero if it was read back from the journal
  LazyBytes sse;                // as a server-sent event of the browser feed
};

using FramePtr = std::shared_ptr<const Frame>;

// Frames that one shard delivers together: in order, at least one.
class FrameBatch {
 public:
  explicit FrameBatch(std::vector<FramePtr> frames) : frames_(std::move(frames)) {}

  const std::vector<FramePtr>& frames() const { return frames_; }

  // All frames encoded; `encode` is called at most once per frame and shard.
  template <class Encode>
  std::span<const SharedBytes> sse(Encode encode) const {
    if (sse_.empty()) {
      sse_.reserve(frames_.size());
      for (const FramePtr& frame : frames_)
        sse_.push_back(encode(frame));
    }
    return sse_;
  }

 private:
  std::vector<FramePtr> frames_;
  mutable std::vector<SharedBytes> sse_;
};

}  // namespace oriel
