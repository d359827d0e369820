#pragma once
// Follows a transcript as it grows, from a given position: each complete line once. The file may be
// truncated, replaced, or not exist yet.

#include "posix/file_watch.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"
#include "transcript/jsonl_splitter.h"
#include "transcript/transcript_position.h"
#include "transcript/transcript_roots.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct TranscriptTailOptions {
  std::size_t piece_bytes = 1 << 20;  // of one read and batch; exceeded only by a longer line
  std::size_t max_line = kMaxTranscriptLine;
  std::chrono::milliseconds poll_every{500};             // while the file cannot be watched
  std::chrono::milliseconds poll_watched_every{15'000};  // in case the watch misses a change
};

// Store the position together with the effects of the lines.
struct TranscriptBatch {
  std::vector<JsonlLine> lines;
  TranscriptPosition position;  // behind the lines
  bool is_from_start = false;   // the file was truncated or replaced: lines may be repeated
};

// Lives on one shard with its owner, and reads only what the owner asks for. Reads on a blocking
// thread, in bounded pieces.
class TranscriptTail {
 public:
  TranscriptTail(FileWatch& watch, BlockingThread& files, const TranscriptRoots& roots,
                 const asio::any_io_executor& shard, TranscriptPosition from,
                 TranscriptTailOptions options = {});
  TranscriptTail(const TranscriptTail&) = delete;
  TranscriptTail& operator=(const TranscriptTail&) = delete;

  // The next lines; waits for them, and for a file that does not exist yet. Errors as of
  // TranscriptRoots::open and cannot_read; each call repeats them.
  asio::awaitable<Result<TranscriptBatch>> next();

  // The next lines without waiting; a batch without lines: the file is read to its end.
  asio::awaitable<Result<TranscriptBatch>> next_now();

  // Looks at the file now: it may have changed.
  void wake();

  // The same, and next() returns even if it finds no lines.
  void release();

  const TranscriptPosition& position() const { return position_; }

 private:
  // The result of a look at the file.
  struct Look {
    FileDescriptor file;  // newly opened; empty: the file is still open
    std::uint64_t inode = 0;
    bool is_from_start = false;  // another file, or the same one with other content
    std::string bytes;
    std::optional<Error> error;
  };

  // What to look at; crosses to the blocking thread.
  struct LookRequest {
    TranscriptPosition position;
    std::uint64_t offset = 0;
    int descriptor = -1;
    std::size_t max_bytes = 0;
  };

  static Look look(const TranscriptRoots& roots, const LookRequest& request);
  asio::awaitable<Result<TranscriptBatch>> read();
  void watch();
  asio::awaitable<void> wait();

  FileWatch& watch_;
  BlockingThread& files_;
  const TranscriptRoots& roots_;
  TranscriptPosition position_;
  TranscriptTailOptions options_;
  JsonlSplitter splitter_;
  FileDescriptor file_;
  Condition changed_;
  bool is_changed_ = false;  // since the last look
  bool is_released_ = false;
  FileWatch::Ticket ticket_;
};

}  // namespace oriel
