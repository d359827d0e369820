#pragma once
// An engine on a disk that is full on demand.

#include "journal/memory_engine.h"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

namespace oriel {

// Stores nothing while `is_full`, which outlives it and may be changed by any thread.
class FullEngine final : public JournalEngine {
 public:
  explicit FullEngine(const std::atomic<bool>& is_full) : is_full_(is_full) {}

  const std::string& epoch() const override { return memory_->epoch(); }

  Sequence head() const override { return memory_->head(); }

  Sequence oldest() const override { return memory_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const override {
    return memory_->missed_after(sequence);
  }

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    if (is_full_) throw std::runtime_error("disk full");
    memory_->commit(records, documents);
  }

  Page read(const ReadQuery& query) override { return memory_->read(query); }

  SessionPage read_session(const SessionQuery& query) override {
    return memory_->read_session(query);
  }

  std::string visit_documents(std::string_view prefix, const DocumentVisitor& visit) override {
    return memory_->visit_documents(prefix, visit);
  }

  bool apply_retention(WallTime now) override { return memory_->apply_retention(now); }

  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override {
    return memory_->remove_aged(now, max_records);
  }

 private:
  const std::atomic<bool>& is_full_;
  std::unique_ptr<JournalEngine> memory_ = make_memory_engine({});
};

}  // namespace oriel
