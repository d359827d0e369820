#pragma once
// Follows one transcript as it grows: complete lines only, each once, from a given position on.
// Goes on when the file is truncated, replaced, or not there yet.

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
  std::size_t piece_bytes = 1 << 20;  // of one read, and so of one batch, but for a longer line
  std::size_t max_line = kMaxTranscriptLine;
  std::chrono::milliseconds look_every{500};             // while the file cannot be watched
  std::chrono::milliseconds look_watched_every{15'000};  // else: what a watch may miss
};

// Lines, and where the transcript is behind them. To be stored together with what follows from
// them.
struct TranscriptBatch {
  std::vector<JsonlLine> lines;
  TranscriptPosition position;
  bool is_from_start = false;  // the file was truncated or replaced: lines may come again
};

// Lives on one shard with its owner, who pulls: what is not taken is not read. Reads on a blocking
// thread, in bounded pieces.
class TranscriptTail {
 public:
  TranscriptTail(FileWatch& watch, BlockingThread& files, const TranscriptRoots& roots,
                 asio::any_io_executor shard, TranscriptPosition from,
                 TranscriptTailOptions options = {});
  TranscriptTail(const TranscriptTail&) = delete;
  TranscriptTail& operator=(const TranscriptTail&) = delete;

  // The next lines; waits for them. An error means that the file may not or cannot be read, and is
  // given each time; a file that is not there yet is waited for.
  asio::awaitable<Result<TranscriptBatch>> next();

  // What is there now; a batch without lines when there is nothing more.
  asio::awaitable<Result<TranscriptBatch>> next_now();

  // Look now: a hook says that something has happened.
  void wake();

  // The same, and next() returns even if it finds no lines: its owner has something else to do.
  void release();

  const TranscriptPosition& position() const { return position_; }

 private:
  // What a look at the file has found.
  struct Look {
    OpenFile file;  // a newly opened one; else none
    std::uint64_t inode = 0;
    bool is_from_start = false;  // another file than before, or the same one with other content
    std::string bytes;
    std::optional<Error> error;
  };

  // Where to look; crosses to the blocking thread.
  struct Wish {
    TranscriptPosition position;
    std::uint64_t offset = 0;
    int descriptor = -1;
    std::size_t max_bytes = 0;
  };

  static Look look(const TranscriptRoots& roots, const Wish& wish);
  asio::awaitable<Result<TranscriptBatch>> read();
  void watch();
  asio::awaitable<void> wait();

  FileWatch& watch_;
  BlockingThread& files_;
  const TranscriptRoots& roots_;
  TranscriptPosition position_;
  TranscriptTailOptions options_;
  JsonlSplitter splitter_;
  OpenFile file_;
  Condition changed_;
  bool is_changed_ = false;  // since the last look began
  bool is_released_ = false;
  FileWatch::Ticket ticket_;
};

}  // namespace oriel
