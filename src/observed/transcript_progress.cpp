#include "observed/transcript_progress.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxIdsOfOneTime = 64;
constexpr auto kMaxAhead = std::chrono::hours(24);

}  // namespace

void TranscriptProgress::advance(const EntryBatch& batch) {
  const bool is_other_file = !position.path.empty() && position.path != batch.position.path;
  if (batch.is_from_start || (is_other_file && !batch.is_import)) expect_repeats();
  if (!is_other_file || !batch.is_import) position = batch.position;
  if (wanted_path == batch.position.path) wanted_path.clear();
}

void TranscriptProgress::follow_wanted() {
  if (wanted_path.empty()) return;
  if (!position.path.empty()) expect_repeats();
  position = {.path = std::exchange(wanted_path, {}), .inode = 0, .offset = 0};
}

bool TranscriptProgress::is_repeat(const TranscriptEntry& entry, WallTime at) const {
  if (!repeated_until || at > *repeated_until) return false;
  return at < *repeated_until ||
         std::find(repeated_ids.begin(), repeated_ids.end(), entry.id) != repeated_ids.end();
}

void TranscriptProgress::note(const TranscriptEntry& entry, const std::optional<WallTime>& time) {
  if (!time || (last_entry_at && *time < *last_entry_at)) return;
  if (last_entry_at != time) last_entry_ids.clear();
  last_entry_at = time;
  if (last_entry_ids.size() < kMaxIdsOfOneTime) last_entry_ids.push_back(entry.id);
}

void TranscriptProgress::expect_repeats() {
  repeated_until = last_entry_at;
  repeated_ids = last_entry_ids;
}

std::optional<WallTime> plausible_time(const std::optional<WallTime>& time, WallTime now) {
  if (!time || *time < WallTime{} || *time > now + kMaxAhead) return std::nullopt;
  return time;
}

}  // namespace oriel
