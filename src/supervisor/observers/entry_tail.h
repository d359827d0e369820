#pragma once
// The entries of a transcript as it grows: the lines of a TranscriptTail, parsed on the blocking
// thread.

#include "observed/transcript_progress.h"
#include "transcript/transcript_lines.h"
#include "transcript/transcript_tail.h"

#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Lives on its owner's shard. Reads entries only on demand.
class EntryTail {
 public:
  // `fallback` is the format until a line shows it.
  EntryTail(FileWatch& watch, BlockingThread& files, const TranscriptRoots& roots,
            asio::any_io_executor shard, TranscriptPosition from, TranscriptFormat fallback);
  EntryTail(const EntryTail&) = delete;
  EntryTail& operator=(const EntryTail&) = delete;

  // The next entries; waits for lines. None: release() was called. Errors as of TranscriptTail.
  asio::awaitable<Result<std::optional<EntryBatch>>> next();

  // Like next() without waiting. None: the end of the file is reached.
  asio::awaitable<Result<std::optional<EntryBatch>>> next_now();

  // Looks at the file now.
  void wake() { tail_.wake(); }

  // Also ends the wait of next().
  void release() { tail_.release(); }

 private:
  asio::awaitable<Result<std::optional<EntryBatch>>> parse(Result<TranscriptBatch> batch);
  void log_skipped(const std::vector<SkippedLine>& skipped) const;

  BlockingThread& files_;
  TranscriptTail tail_;
  TranscriptFormat fallback_;
  std::optional<TranscriptFormat> format_;
};

}  // namespace oriel
