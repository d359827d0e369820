#pragma once
// For tests: a journal over an engine that the test controls.

#include "base/event/event_view_testing.h"
#include "journal/journal.h"
#include "journal/memory_backed_engine_testing.h"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

namespace oriel {

// A memory engine that fails on demand and counts its calls.
class TestEngine final : public MemoryBackedEngine {
 public:
  TestEngine() : MemoryBackedEngine({.max_bytes = 1 << 30}) {}

  void commit(std::span<const std::shared_ptr<Record>> records,
              std::span<const Document> documents) override {
    if (fails || is_full) throw std::runtime_error("disk full");
    if (fails_sync) throw StorageLoss("the disk did not confirm");
    MemoryBackedEngine::commit(records, documents);
    commit_sizes.push_back(records.size());
  }

  Page read(const ReadQuery& query) override {
    if (is_unreadable) throw StorageDamage("malformed");
    Page page = MemoryBackedEngine::read(query);
    page.damaged = damaged;
    return page;
  }

  std::string visit_documents(const DocumentQuery& query, const DocumentVisitor& visit) override {
    MemoryBackedEngine::visit_documents(query, visit);
    return damaged_document;
  }

  bool apply_retention(WallTime now) override {
    retained_at = now;
    retained.release();
    if (fails) throw std::runtime_error("disk full");
    return false;
  }

  std::uint64_t remove_aged(WallTime now, std::uint64_t max_records) override {
    aged_at = now;
    aged_limit = max_records;
    aged.release();
    return max_records - young;
  }

  std::optional<std::string> loss() override {
    checked.release();
    if (is_deleted) return "journal.db was deleted";
    return std::nullopt;
  }

  std::atomic<bool> fails = false;
  std::atomic<bool> is_full = false;  // commits fail, retention works
  std::atomic<bool> fails_sync = false;
  std::atomic<bool> is_deleted = false;
  std::atomic<bool> is_unreadable = false;
  std::atomic<Sequence> damaged = kNoSequence;
  std::string damaged_document;  // set before the journal starts
  std::counting_semaphore<100'000> checked{0};
  std::vector<std::size_t> commit_sizes;  // read after the journal has stopped
  std::atomic<WallTime> retained_at;
  std::atomic<WallTime> aged_at;
  std::atomic<std::uint64_t> aged_limit = 0;
  std::atomic<std::uint64_t> young = 0;  // of the records that remove_aged() might remove
  std::counting_semaphore<100'000> aged{0};
  std::counting_semaphore<100'000> retained{0};
};

inline std::vector<SessionEvent> new_events(std::size_t count, const std::string& session_id,
                                            const std::string& text = "hello") {
  return std::vector<SessionEvent>(count, custom_event("message", session_id, text));
}

// Appends run on the test's own thread until they suspend, so a test knows what is queued before
// start().
class JournalTest : public testing::Test {
 protected:
  explicit JournalTest(JournalOptions options = {}) : journal_(make_engine(), options) {
    journal_.on_commit([this](const std::vector<RecordPtr>& records) {
      published_.insert(published_.end(), records.begin(), records.end());
    });
  }

  std::unique_ptr<JournalEngine> make_engine() {
    auto engine = std::make_unique<TestEngine>();
    engine_ = engine.get();
    return engine;
  }

  // Queues an append. Its result is ready after finish().
  std::future<AppendResult> queue(std::vector<SessionEvent> events) {
    auto answer = asio::co_spawn(io_, journal_.append(std::move(events)), asio::use_future);
    io_.poll();
    io_.restart();
    return answer;
  }

  void finish() {
    journal_.stop();
    io_.run();
  }

  asio::io_context io_{1};
  TestEngine* engine_ = nullptr;
  Journal journal_;
  std::vector<RecordPtr> published_;  // by the journal's thread
};

}  // namespace oriel
