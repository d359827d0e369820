#pragma once
// For tests: an engine that passes every call on to a memory engine. Override what should fail.

#include "journal/memory_engine.h"

#include <memory>
#include <string>

namespace oriel {

class MemoryBackedEngine : public JournalEngine {
 public:
  explicit MemoryBackedEngine(MemoryEngineOptions options = {})
      : memory_(make_memory_engine(options)) {}

  const std::string& epoch() const override { return memory_->epoch(); }

  Sequence head() const override { return memory_->head(); }

  Sequence oldest() const override { return memory_->oldest(); }

  std::uint64_t missed_after(Sequence sequence) const override {
    return memory_->missed_after(sequence);
  }

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    memory_->commit(records, documents);
  }

  std::string document(const std::string& key) override { return memory_->document(key); }

  Page read(const ReadQuery& query) override { return memory_->read(query); }

  SessionPage read_session(const SessionQuery& query) override {
    return memory_->read_session(query);
  }

  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) override {
    return memory_->visit_documents(query, visit);
  }

  bool apply_retention(WallTime now) override { return memory_->apply_retention(now); }

  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override {
    return memory_->remove_aged(now, max_records);
  }

 private:
  std::unique_ptr<JournalEngine> memory_;
};

}  // namespace oriel
