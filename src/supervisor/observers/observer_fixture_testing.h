#pragma once
// A fixture for tests of the observer and the importer: a journal in memory and two shards.

#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "runtime/deadline.h"
#include "supervisor/observers/observer.h"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace oriel {

// Its observer can be restarted over the same journal.
class ObserverFixture : public testing::Test {
 protected:
  ObserverFixture() {
    journal_.start();
    shards_.start();
  }

  ~ObserverFixture() override {
    journal_.stop();
    shards_.join();
  }

  void begin_observer(const ObserverOptions& options) {
    sessions_ = std::make_unique<SessionRegistry>(RegistryLimits{});
    observer_ = std::make_unique<Observer>(shards_, journal_, *sessions_, options);
    wait(observer_->start());
  }

  void end_observer() {
    wait(observer_->stop());
    settle();
    observer_.reset();
  }

  // Waits for earlier posts to the first shard.
  void settle() {
    on_first_shard([] { return true; });
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    auto limited = with_deadline(std::chrono::minutes(1), std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future).get();
  }

  template <class Work>
  std::invoke_result_t<Work> on_first_shard(Work work) {
    return wait(run_on(shards_[0].executor(), std::move(work)));
  }

  std::vector<Turn> turns(const std::string& session_id) {
    std::vector<Turn> turns;
    const auto documents = wait(journal_.read_documents(turn_document_prefix(session_id)));
    for (const Document& document : documents)
      turns.push_back(parse_turn_document(document.value).value());
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.key() < b.key(); });
    return turns;
  }

  std::vector<std::string> texts(const std::string& session_id) {
    std::vector<std::string> texts;
    for (const Turn& turn : turns(session_id))
      texts.push_back(turn.text);
    return texts;
  }

  TempDirectory directory_;
  Shards shards_{2};
  Journal journal_{make_memory_engine({}), {}};
  std::unique_ptr<SessionRegistry> sessions_;
  std::unique_ptr<Observer> observer_;
};

}  // namespace oriel
