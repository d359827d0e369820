#include "journal/checkpoint/checkpoint_policy.h"

namespace oriel {

CheckpointLimits CheckpointLimits::for_page_size(int page_bytes) {
  constexpr int kMebibyte = 1 << 20;
  return {.step = 4 * kMebibyte / page_bytes,
          .full = 32 * kMebibyte / page_bytes,
          .max = 64 * kMebibyte / page_bytes,
          .final = kMebibyte / 4 / page_bytes};  // copied within milliseconds
}

void CheckpointPolicy::committed(int log_pages) {
  if (log_pages < log_pages_) checkpointed_pages_ = 0;
  log_pages_ = log_pages;
}

CheckpointKind CheckpointPolicy::due() const {
  if (log_pages_ >= limits_.full) return CheckpointKind::kFull;
  if (log_pages_ - checkpointed_pages_ >= limits_.step) return CheckpointKind::kPartial;
  return CheckpointKind::kNone;
}

void CheckpointPolicy::restarted() {
  log_pages_ = 0;
  checkpointed_pages_ = 0;
}

}  // namespace oriel
