#pragma once
// An engine on a disk that is full on demand.

#include "journal/memory_backed_engine_testing.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

namespace oriel {

// Stores nothing while `is_full`, which outlives it and may be changed by any thread.
class FullEngine final : public MemoryBackedEngine {
 public:
  explicit FullEngine(const std::atomic<bool>& is_full) : is_full_(is_full) {}

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    attempts.emplace_back(records.begin(), records.end());
    if (is_full_) throw std::runtime_error("disk full");
    MemoryBackedEngine::commit(records, documents);
  }

  // The records of each commit, also of those that failed. Read it after the journal has stopped.
  std::vector<NewRecords> attempts;

 private:
  const std::atomic<bool>& is_full_;
};

}  // namespace oriel
