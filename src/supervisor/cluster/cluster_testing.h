#pragma once
// For tests: nodes of a cluster in one process, each with journal and supervisor, and an agent that
// does what its prompt says.

#include "base/temp_directory_testing.h"
#include "cluster/peers_testing.h"
#include "journal/memory_engine.h"
#include "journal/shared_log_testing.h"
#include "runtime/deadline.h"
#include "supervisor/supervisor.h"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace oriel {

// An ACP agent. "work" never ends and leaves its process id in a file, "ask" asks for a permission,
// anything else is done at once.
inline constexpr const char* kObedientAgent = R"(
read line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}}'
read opening
echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s1"}}'
id=3
while read prompt; do
  case $prompt in
  *work*)
    echo $$ >pid
    echo '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"on it"}}}}'
    exec sleep 600;;
  *ask*)
    echo '{"jsonrpc":"2.0","id":100,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"write a file"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]}}'
    read answer;;
  esac
  echo '{"jsonrpc":"2.0","id":'$id',"result":{"stopReason":"end_turn"}}'
  id=$((id+1))
done
)";

constexpr std::chrono::minutes kPatience{1};

// One life of a node.
class SupervisorNode {
 public:
  // It begins with an empty journal, and `directory` is its data directory.
  SupervisorNode(SharedLog& log, TestNetwork& network, std::string name, std::string life,
                 const std::filesystem::path& directory, SupervisorOptions options)
      : journal_(make_memory_engine({}), {}, log.join(life)),
        peers_(network, {.name = std::move(name), .life = life, .labels = options.cluster.labels},
               shards_[0].executor(), journal_),
        supervisor_(shards_, journal_, with_places(std::move(options), directory), &peers_) {
    journal_.start();
    shards_.start();
    wait(journal_.reached(log.last_place(), std::chrono::steady_clock::now() + kPatience));
    peers_.start();
    wait(supervisor_.start());
  }

  ~SupervisorNode() {
    wait(supervisor_.stop());
    peers_.leave();
    journal_.stop();
    shards_.join();
  }

  SupervisorNode(const SupervisorNode&) = delete;
  SupervisorNode& operator=(const SupervisorNode&) = delete;

  const std::string& name() const { return peers_.self(); }

  const std::string& life() const { return peers_.life(); }

  Supervisor& supervisor() { return supervisor_; }

  Journal& journal() { return journal_; }

  Peers& peers() { return peers_; }

  template <class T>
  std::future<T> begin(asio::awaitable<T> work) {
    auto limited = with_deadline(kPatience, std::move(work));
    return asio::co_spawn(shards_[0].executor(), std::move(limited), asio::use_future);
  }

  template <class T>
  T wait(asio::awaitable<T> work) {
    return begin(std::move(work)).get();
  }

  // Null: it does not know the session.
  SessionSnapshot find(const std::string& session_id) {
    auto found = wait(supervisor_.find(session_id));
    return found ? *found : nullptr;
  }

  // Waits until this node's view of the session fulfils the condition.
  template <class Condition>
  SessionSnapshot until(const std::string& session_id, Condition is_so) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end) {
      const SessionSnapshot state = find(session_id);
      if (state != nullptr && is_so(*state)) return state;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ADD_FAILURE() << name() << " waited in vain for the state of " << session_id;
    return std::make_shared<const SessionState>();
  }

  std::vector<RecordPtr> events(const std::string& session_id) {
    SessionQuery query{.session_id = session_id};
    return wait(journal_.read_session(std::move(query))).records;
  }

  std::vector<RecordPtr> all_events() {
    ReadQuery query;
    return wait(journal_.read(std::move(query))).records;
  }

  std::string document(const std::string& key) {
    for (const Document& document : wait(journal_.read_documents(key))) {
      if (document.key == key) return document.value;
    }
    return {};
  }

 private:
  static SupervisorOptions with_places(SupervisorOptions options,
                                       const std::filesystem::path& directory) {
    if (options.sandbox.workspaces.empty()) options.sandbox.workspaces = directory / "workspaces";
    options.sync_repositories = directory / "sync";
    options.uploads.directory = directory / "uploads";
    return options;
  }

  Shards shards_{2};
  Journal journal_;
  TestPeers peers_;
  Supervisor supervisor_;
};

// Starts nodes, and kills them by cutting them off.
class ClusterTest : public testing::Test {
 protected:
  ~ClusterTest() override {
    for (const auto& [name, node] : nodes_) {
      log_.heal(node->life());
      network_.heal(name);
    }
    nodes_.clear();
  }

  static SupervisorOptions options() {
    AgentSpec agent;
    agent.name = "obedient";
    agent.command = {"/bin/sh", "-c", kObedientAgent};
    SupervisorOptions options;
    options.agents = {agent};
    options.default_agent = "obedient";
    options.runner.agent.close_grace = std::chrono::milliseconds(100);
    options.runner.agent.term_grace = std::chrono::milliseconds(100);
    options.cluster.max_claim_delay = std::chrono::milliseconds(5);
    return options;
  }

  // A new life of the node.
  SupervisorNode& start(const std::string& name,
                        SupervisorOptions options = ClusterTest::options()) {
    const std::string life = name + "." + std::to_string(++lives_);
    nodes_[name].reset();
    nodes_[name] = std::make_unique<SupervisorNode>(log_, network_, name, life, directory_ / name,
                                                    std::move(options));
    return *nodes_[name];
  }

  void stop(const std::string& name) { nodes_.erase(name); }

  // The node notices nothing, but nobody hears of it, and it stores nothing.
  void cut_off(SupervisorNode& node) {
    log_.cut_off(node.life());
    network_.cut_off(node.name());
  }

  // Whether it has something to store meanwhile.
  bool has_waiting(SupervisorNode& node) { return log_.has_waiting(node.life()); }

  void heal(SupervisorNode& node) {
    network_.heal(node.name());
    log_.heal(node.life());
  }

  // Until all nodes have applied everything.
  void settle() { settle_except(nullptr); }

  void settle_except(const SupervisorNode* cut) {
    const std::uint64_t place = log_.last_place();
    for (const auto& [name, node] : nodes_) {
      if (node.get() == cut) continue;
      const auto until = std::chrono::steady_clock::now() + kPatience;
      EXPECT_TRUE(node->wait(node->journal().reached(place, until))) << name;
    }
  }

  // A session of this node that is done with its first message.
  std::string create_idle(SupervisorNode& node) {
    NewSession wanted;
    wanted.message = "hello";
    wanted.by = "ann";
    const auto created = node.wait(node.supervisor().create(std::move(wanted)));
    EXPECT_TRUE(created);
    const std::string id = created->session->session_id;
    node.until(id, [](const SessionState& state) { return state.state == WorkState::kComplete; });
    return id;
  }

  // A session of this node with an agent at work.
  std::string create_at_work(SupervisorNode& node) {
    NewSession wanted;
    wanted.message = "work";
    wanted.by = "ann";
    const auto created = node.wait(node.supervisor().create(std::move(wanted)));
    EXPECT_TRUE(created);
    const std::string id = created->session->session_id;
    node.until(id,
               [](const SessionState& state) { return state.status == SessionStatus::kRunning; });
    return id;
  }

  TempDirectory directory_;
  SharedLog log_;
  TestNetwork network_;
  std::map<std::string, std::unique_ptr<SupervisorNode>> nodes_;  // by name

 private:
  int lives_ = 0;
};

}  // namespace oriel
