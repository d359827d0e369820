#pragma once
// An engine in RAM, bounded in bytes and in events per session. Its records are lost when the
// process ends.

#include "journal/journal_engine.h"

#include <memory>

namespace oriel {

struct MemoryEngineOptions {
  std::uint64_t max_bytes = 10 << 20;
  // Keeps one busy session from evicting the events of all others.
  std::uint64_t max_events_per_session = 1000;
  std::chrono::milliseconds max_age{0};  // zero: no limit
};

std::unique_ptr<JournalEngine> make_memory_engine(MemoryEngineOptions options);

}  // namespace oriel
