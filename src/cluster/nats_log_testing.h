#pragma once
// For tests: a journal over a NatsLog, as a node has it.

#include "base/event/event_view_testing.h"
#include "base/id.h"
#include "cluster/log_stream.h"
#include "cluster/nats_log.h"
#include "cluster/nats_server_testing.h"
#include "journal/journal.h"
#include "journal/memory_engine.h"
#include "runtime/asio.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace oriel {

// Keeps all that a test appends.
inline std::unique_ptr<JournalEngine> make_large_memory_engine() {
  return make_memory_engine({.max_bytes = 1ULL << 30, .max_events_per_session = 1 << 20});
}

class TestNode {
 public:
  using Answer = std::future<AppendResult>;

  TestNode(NatsOptions servers, const std::string& name, std::unique_ptr<JournalEngine> engine,
           std::chrono::milliseconds patience = std::chrono::hours(1))
      : connection_(std::move(servers), std::chrono::milliseconds(0)) {
    auto log = std::make_unique<NatsLog>(
        connection_, NatsLogOptions{.life = name + "." + random_id(),
                                    .applied = applied_in(engine->read_documents(kLogDocuments)),
                                    .patience = patience});
    log_ = log.get();
    journal_ = std::make_unique<Journal>(std::move(engine), JournalOptions{}, std::move(log));
    journal_->start();
  }

  ~TestNode() {
    journal_->stop();
    work_.reset();
    thread_.join();
  }

  TestNode(const TestNode&) = delete;
  TestNode& operator=(const TestNode&) = delete;

  // Appends that one thread starts are stored in that order.
  Answer append(Proposal proposal) {
    return asio::co_spawn(io_, journal_->append(std::move(proposal)), asio::use_future);
  }

  Answer append(const std::string& session, const std::string& text) {
    return asio::co_spawn(io_, journal_->append({custom_event("message", session, text)}),
                          asio::use_future);
  }

  // All that is stored: "sequence session index event".
  std::vector<std::string> table() {
    std::vector<std::string> rows;
    ReadQuery query{.filter = {}, .max_records = 10'000, .max_bytes = 64 << 20};
    while (true) {
      const Page page = run(journal_->read(query));
      for (const RecordPtr& record : page.records) {
        rows.push_back(std::to_string(record->sequence) + " " + record->session_id + " " +
                       record->json());
      }
      if (page.records.empty()) return rows;
      query.after = page.scanned_until;
    }
  }

  std::vector<Document> documents() { return run(journal_->read_documents("")); }

  bool reaches(std::uint64_t place) {
    return happens([&] { return journal_->applied().place >= place; });
  }

  Journal& journal() { return *journal_; }

  NatsLog& log() { return *log_; }

  NatsConnection& connection() { return connection_; }

 private:
  template <class T>
  T run(asio::awaitable<T> work) {
    return asio::co_spawn(io_, std::move(work), asio::use_future).get();
  }

  NatsConnection connection_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  std::thread thread_{[this] { io_.run(); }};
  NatsLog* log_ = nullptr;
  std::unique_ptr<Journal> journal_;
};

}  // namespace oriel
