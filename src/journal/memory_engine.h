#pragma once
// The journal's memory in RAM: bounded by bytes and by events per session, gone with the process.

#include "journal/journal_engine.h"

#include <memory>

namespace oriel {

struct MemoryEngineOptions {
  std::uint64_t max_bytes = 10 << 20;
  std::uint64_t max_events_per_session =
      1000;                              // a flood in one session cannot evict the others' events
  std::chrono::milliseconds max_age{0};  // zero: no limit
};

std::unique_ptr<JournalEngine> make_memory_engine(MemoryEngineOptions options);

}  // namespace oriel
