#pragma once

// Decides when SQLite's write-ahead log is checkpointed, that is, copied into the database file.

namespace oriel {

enum class CheckpointKind {
  kNone,
  kPartial,  // copies as much as running transactions allow; cheap
  kFull,     // copies everything, so that the log restarts; delays transactions at its end
};

// Lengths of the log, in pages.
struct CheckpointLimits {
  int step = 0;   // between partial checkpoints
  int full = 0;   // at this length the log restarts
  int max = 0;    // at this length commits wait for the restart
  int final = 0;  // at most this many are copied while transactions wait

  static CheckpointLimits for_page_size(int page_bytes);
};

// Pure. Full checkpoints are rare, because commits wait for their end.
class CheckpointPolicy {
 public:
  explicit CheckpointPolicy(CheckpointLimits limits) : limits_(limits) {}

  // Reports the length of the log after a commit. A shorter log has restarted.
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
