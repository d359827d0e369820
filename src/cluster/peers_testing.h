#pragma once
// For tests: nodes of one process that call each other.

#include "base/mutex.h"
#include "cluster/peers.h"
#include "journal/journal.h"
#include "runtime/shards.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

class TestPeers;

// Who can reach whom. Outlives its peers. Safe from any thread.
class TestNetwork {
 public:
  // Nobody reaches this node, and it reaches nobody, until heal().
  void cut_off(const std::string& node) {
    const MutexLock lock(mutex_);
    cut_off_.insert(node);
  }

  void heal(const std::string& node) {
    const MutexLock lock(mutex_);
    cut_off_.erase(node);
  }

  // The next call of this method takes effect, but its answer does not arrive.
  void lose_next_answer(const std::string& method) {
    const MutexLock lock(mutex_);
    unanswered_.insert(method);
  }

  // The others consider this node dead.
  void lose(const std::string& node);

 private:
  friend class TestPeers;

  bool loses_answer(const std::string& method) {
    const MutexLock lock(mutex_);
    return unanswered_.erase(method) > 0;
  }

  Mutex mutex_;
  std::map<std::string, TestPeers*> peers_ GUARDED_BY(mutex_);  // by name
  std::set<std::string> cut_off_ GUARDED_BY(mutex_);
  std::set<std::string> unanswered_ GUARDED_BY(mutex_);
};

// Of one node. Its first shard and its journal outlive it.
class TestPeers final : public Peers {
 public:
  TestPeers(TestNetwork& network, Node node, asio::any_io_executor shard, Journal& journal)
      : network_(network), node_(std::move(node)), shard_(std::move(shard)), journal_(journal) {}

  ~TestPeers() override { leave(); }

  TestPeers(const TestPeers&) = delete;
  TestPeers& operator=(const TestPeers&) = delete;

  // From now on others find it.
  void start() {
    const MutexLock lock(network_.mutex_);
    network_.peers_[node_.name] = this;
  }

  void leave() {
    const MutexLock lock(network_.mutex_);
    const auto known = network_.peers_.find(node_.name);
    if (known != network_.peers_.end() && known->second == this) network_.peers_.erase(known);
  }

  const std::string& self() const override { return node_.name; }

  const std::string& life() const override { return node_.life; }

  std::vector<Node> alive() const override {
    const MutexLock lock(network_.mutex_);
    std::vector<Node> others;
    if (network_.cut_off_.contains(node_.name)) return others;
    for (const auto& [name, peer] : network_.peers_) {
      if (peer != this && !network_.cut_off_.contains(name)) others.push_back(peer->node_);
    }
    return others;
  }

  std::optional<Node> find(const std::string& name) const override {
    for (Node& node : alive()) {
      if (node.name == name) return std::move(node);
    }
    return std::nullopt;
  }

  void on_lost(std::function<void(Node)> listener) override { on_lost_ = std::move(listener); }

  asio::awaitable<Result<std::string>> call(std::string node, std::string method, std::string body,
                                            std::chrono::milliseconds deadline) override {
    auto [handler, shard, journal] = reach(node, method);
    if (!handler) co_return unreachable(node);
    auto work = handler(std::move(body));
    auto answer = co_await finish_on(shard, std::move(work));
    const std::uint64_t place = journal->applied().place;
    if (network_.loses_answer(method)) co_return unreachable(node);
    const auto until = std::chrono::steady_clock::now() + deadline;
    const bool is_reached = co_await journal_.reached(place, until);
    if (!is_reached) co_return unreachable(node);
    co_return answer;
  }

  void serve(std::string method, Handler handler) override {
    handlers_[std::move(method)] = std::move(handler);
  }

  void announce(NodeLoad load) override {
    const MutexLock lock(network_.mutex_);
    node_.load = load;
  }

 private:
  friend class TestNetwork;

  struct Reached {
    Handler handler;  // none: it cannot be reached
    asio::any_io_executor shard;
    Journal* journal = nullptr;
  };

  Reached reach(const std::string& node, const std::string& method) {
    const MutexLock lock(network_.mutex_);
    const auto found = network_.peers_.find(node);
    const bool is_cut = network_.cut_off_.contains(node_.name) || network_.cut_off_.contains(node);
    if (found == network_.peers_.end() || is_cut) return {};
    TestPeers& peer = *found->second;
    return {.handler = peer.handlers_.at(method), .shard = peer.shard_, .journal = &peer.journal_};
  }

  static Error unreachable(const std::string& node) {
    return {.kind = ErrorKind::kNodeUnreachable,
            .message = "the node " + node + " did not answer",
            .hint = "retry"};
  }

  TestNetwork& network_;
  Node node_;  // its load is guarded by the network's mutex
  asio::any_io_executor shard_;
  Journal& journal_;
  std::function<void(Node)> on_lost_;
  std::map<std::string, Handler> handlers_;
};

inline void TestNetwork::lose(const std::string& node) {
  const MutexLock lock(mutex_);
  const Node lost = peers_.at(node)->node_;
  for (const auto& [name, peer] : peers_) {
    if (name == node || cut_off_.contains(name) || !peer->on_lost_) continue;
    asio::post(peer->shard_, [listener = peer->on_lost_, lost] { listener(lost); });
  }
}

}  // namespace oriel
