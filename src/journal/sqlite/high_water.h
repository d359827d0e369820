#pragma once
// The highest sequence that a journal has assigned, kept in a file beside its database: a database
// that has lost its latest commits must not assign their numbers again.

#include "base/sequence.h"
#include "posix/file_descriptor.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace oriel {

// The file has two slots that are written in turn: a write that a crash interrupts leaves the other
// one. Used on one thread.
class HighWater {
 public:
  enum class Sync { kNever, kAlways };

  // Opens or creates the file; throws std::runtime_error. Without syncs a number survives the
  // process, but not the machine.
  HighWater(std::filesystem::path file, Sync sync);

  // The highest sequence that was noted in this epoch before the file was opened.
  Sequence found_in(std::string_view epoch) const;

  // Notes the newest sequence of a commit. A failed write is logged: the file then falls behind,
  // and is only less of a protection. A failed sync is a StorageLoss: the kernel reports it once.
  void note(std::string_view epoch, Sequence head);

 private:
  struct Slot {
    std::string epoch;
    Sequence head = kNoSequence;
  };

  Slot read_slot(std::size_t number) const;
  bool write_slot(std::string_view epoch, Sequence head);
  void sync();

  std::filesystem::path file_;
  FileDescriptor descriptor_;
  Sync sync_;
  std::array<Slot, 2> found_;
  std::size_t next_ = 0;  // the slot to write
  bool is_failing_ = false;
};

}  // namespace oriel
