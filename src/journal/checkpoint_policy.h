#pragma once

// Decides when SQLite's write-ahead log is checkpointed, that is, copied into the database file.

namespace oriel {

enum class CheckpointKind {
  kNone,
  kPartial,  // copies what running transactions allow; cheap enough to do often
  kFull,     // copies everything, so that the log starts over; holds transactions back at its end
};

// Lengths of the log, in pages.
struct CheckpointLimits {
  int step = 0;   // between partial checkpoints
  int full = 0;   // at this length it starts over
  int max = 0;    // at this length commits wait for that
  int final = 0;  // as much as transactions may be held back for

  static CheckpointLimits for_page_size(int page_bytes);
};

// Pure. Full checkpoints are rare, because commits wait for their end.
class CheckpointPolicy {
 public:
  explicit CheckpointPolicy(CheckpointLimits limits) : limits_(limits) {}

  // Length of the log after a commit. Shorter than before: the log has started over.
  void committed(int log_pages);

  CheckpointKind due() const;

  // A checkpoint of the current log starts.
  void started() { checkpointed_pages_ = log_pages_; }

  // A full checkpoint has ended. If it failed, the next commit reports the true length and makes
  // another one due.
  void restarted();

  bool must_stall_commits() const { return log_pages_ >= limits_.max; }

 private:
  CheckpointLimits limits_;
  int log_pages_ = 0;           // after the last commit
  int checkpointed_pages_ = 0;  // length of the log when the last checkpoint started
};

}  // namespace oriel
