#include "journal/sqlite/high_water.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "journal/crc32c.h"
#include "journal/journal_engine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

// A slot: the epoch, padded with zeros, the sequence, zeros, and the CRC-32C of all that.
constexpr std::size_t kSlotBytes = 64;
constexpr std::size_t kEpochBytes = 48;
constexpr std::size_t kSumAt = 60;

using SlotBytes = std::array<char, kSlotBytes>;

std::uint32_t sum_of(const SlotBytes& bytes) {
  return crc32c({bytes.data(), kSumAt});
}

}  // namespace

HighWater::HighWater(std::filesystem::path file, Sync sync)
    : file_(std::move(file)),
      descriptor_(open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)),
      sync_(sync) {
  if (!descriptor_) {
    throw std::runtime_error("cannot open " + file_.string() + ": " + std::strerror(errno) +
                             "; check that the file and its directory are writable");
  }
  for (std::size_t i = 0; i < found_.size(); ++i)
    found_[i] = read_slot(i);
  // The older number is overwritten first.
  next_ = found_[0].head <= found_[1].head ? 0 : 1;
}

HighWater::Slot HighWater::read_slot(std::size_t number) const {
  SlotBytes bytes{};
  const auto offset = static_cast<off_t>(number * kSlotBytes);
  if (pread(descriptor_.get(), bytes.data(), kSlotBytes, offset) != ssize_t{kSlotBytes}) return {};
  std::uint32_t sum = 0;
  std::memcpy(&sum, &bytes[kSumAt], sizeof(sum));
  if (sum != sum_of(bytes)) return {};
  Slot slot;
  slot.epoch.assign(bytes.data(), strnlen(bytes.data(), kEpochBytes));
  std::memcpy(&slot.head, &bytes[kEpochBytes], sizeof(slot.head));
  return slot;
}

Sequence HighWater::found_in(std::string_view epoch) const {
  Sequence highest = kNoSequence;
  for (const Slot& slot : found_) {
    if (slot.epoch == epoch.substr(0, kEpochBytes)) highest = std::max(highest, slot.head);
  }
  return highest;
}

void HighWater::note(std::string_view epoch, Sequence head) {
  if (write_slot(epoch, head)) {
    if (sync_ == Sync::kAlways) sync();
    next_ = 1 - next_;
    is_failing_ = false;
    return;
  }
  if (is_failing_) return;
  is_failing_ = true;
  log()->warn("journal: cannot write {}: {}", file_.string(), std::strerror(errno));
}

bool HighWater::write_slot(std::string_view epoch, Sequence head) {
  SlotBytes bytes{};
  epoch.copy(bytes.data(), kEpochBytes);
  std::memcpy(&bytes[kEpochBytes], &head, sizeof(head));
  const std::uint32_t sum = sum_of(bytes);
  std::memcpy(&bytes[kSumAt], &sum, sizeof(sum));
  const auto offset = static_cast<off_t>(next_ * kSlotBytes);
  return pwrite(descriptor_.get(), bytes.data(), kSlotBytes, offset) == ssize_t{kSlotBytes};
}

void HighWater::sync() {
  ORIEL_FAILPOINT(kSyncBefore);
  const bool is_synced = fdatasync(descriptor_.get()) == 0;
  ORIEL_FAILPOINT(kSyncAfter);
  if (is_synced) return;
  // Omits the directory: publishers and clients of /health see this.
  throw StorageLoss::of_failed_sync(file_.filename().string() + ": " + std::strerror(errno));
}

}  // namespace oriel
