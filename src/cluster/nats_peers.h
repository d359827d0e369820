#pragma once
// The other nodes of a cluster, over NATS: heartbeats to all, and calls by request and reply.

#include "base/mutex.h"
#include "cluster/call_message.h"
#include "cluster/handler_gate.h"
#include "cluster/nats_connection.h"
#include "cluster/peer_table.h"
#include "cluster/peers.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/task_group.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct NatsPeersOptions {
  Node self = {};  // name, life, url, version and labels
  std::chrono::milliseconds node_timeout{10'000};
  std::size_t max_calls = 1024;        // that wait for an answer
  std::size_t max_handled = 256;       // whose handlers run at once
  std::size_t max_sending = 64 << 20;  // bytes of messages that wait for the server
};

// What the node's heartbeats say beside what its journal does.
struct OwnState {
  std::uint64_t refilled = 0;
  bool is_caught_up = false;
  bool is_serving = false;
};

// Hears the others from construction on, and speaks from start() to stop().
class NatsPeers final : public Peers {
 public:
  NatsPeers(NatsConnection& connection, NatsPeersOptions options);
  ~NatsPeers() override;  // after stop(), if it was started
  NatsPeers(const NatsPeers&) = delete;
  NatsPeers& operator=(const NatsPeers&) = delete;

  // On the first shard, or before the shards run. `state` is called there, each kPeerTick.
  void start(asio::any_io_executor first_shard, Journal& journal, std::function<OwnState()> state);

  // On the first shard, before the journal stops: tells the others that this node leaves, and ends
  // the handlers that run.
  asio::awaitable<void> stop();

  const std::string& self() const override { return options_.self.name; }

  const std::string& life() const override { return options_.self.life; }

  std::vector<Node> alive() const override;
  std::optional<Node> find(const std::string& name) const override;
  void on_lost(std::function<void(Node)> listener) override;
  asio::awaitable<Result<std::string>> call(std::string node, std::string method, std::string body,
                                            std::chrono::milliseconds deadline) override;
  void serve(std::string method, Handler handler) override;
  void announce(NodeLoad load) override;

  // Safe from any thread.
  void expect(const std::string& life);       // see PeerTable::expect()
  std::vector<Heartbeat> heartbeats() const;  // of the others
  bool has_twin(SteadyTime since) const;      // another process uses this node's name
  ChainState chain() const;
  Heartbeat own() const;  // this node's last one
  unsigned entry_format() const;

 private:
  // Waits on its caller's shard.
  struct PendingCall {
    PendingCall(asio::any_io_executor shard, SteadyTime until) : timer(shard, until) {}

    asio::steady_timer timer;
    std::optional<NatsMessage> answer;
    bool is_unsent = false;
  };

  using PendingCalls = std::map<std::string, std::shared_ptr<PendingCall>, std::less<>>;

  asio::awaitable<void> run();
  void beat(const Heartbeat& own);
  Heartbeat heartbeat(const OwnState& state) const;
  void heard(const NatsMessage& message);
  void answered(NatsMessage message);
  void called(NatsMessage message);
  asio::awaitable<void> handle(NatsMessage message);
  asio::awaitable<Result<std::string>> result_of(NatsMessage message);
  void answer(const std::string& reply, Result<std::string> result, std::uint64_t place);
  bool is_running() const;
  std::optional<std::string> begin(const std::shared_ptr<PendingCall>& call);
  asio::awaitable<Result<std::string>> finish(std::string node, std::shared_ptr<PendingCall> call,
                                              SteadyTime until);
  bool send(std::string subject, std::string body, std::string reply = {},
            std::function<void()> failed = {});

  NatsConnection& connection_;
  const NatsPeersOptions options_;
  const std::string inbox_;
  std::map<std::string, Handler, std::less<>> handlers_;  // complete before start()
  std::function<void(Node)> lost_;
  std::function<OwnState()> state_;
  asio::any_io_executor shard_;
  Journal* journal_ = nullptr;        // from start()
  std::unique_ptr<TaskGroup> tasks_;  // on the first shard
  SteadyTime next_beat_;

  std::atomic<std::size_t> handled_ = 0;
  std::atomic<std::size_t> sending_ = 0;  // bytes
  std::atomic<bool> is_beating_ = false;  // a heartbeat waits to be sent

  // Shared by the shards and the library's threads.
  mutable Mutex mutex_;
  PeerTable table_ GUARDED_BY(mutex_);
  NodeLoad load_ GUARDED_BY(mutex_);
  Heartbeat own_ GUARDED_BY(mutex_);
  PendingCalls pending_ GUARDED_BY(mutex_);
  std::uint64_t last_call_ GUARDED_BY(mutex_) = 0;
  bool is_running_ GUARDED_BY(mutex_) = false;
  bool is_serving_ GUARDED_BY(mutex_) = false;

  BlockingThread sender_;  // a server that does not read must not hold a shard
  HandlerGate gate_;
};

}  // namespace oriel
