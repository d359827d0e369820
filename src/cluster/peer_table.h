#pragma once
// What a node concludes from the heartbeats that it hears: who is alive, who was lost, and who has
// applied the same entries. Pure.

#include "base/moment.h"
#include "cluster/heartbeat.h"
#include "journal/event_log.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

inline constexpr std::chrono::milliseconds kHeartbeatEvery{1000};
inline constexpr std::chrono::milliseconds kPeerTick{250};

struct PeerTableOptions {
  std::string name;  // of this node
  std::string life;
  std::chrono::milliseconds node_timeout{10'000};
};

// Whether the nodes that have applied the same entries have come to the same result.
enum class ChainVerdict {
  kUnknown,     // nothing to compare yet
  kAgreed,      // all that could be compared agree
  kSelfWrong,   // this node needs the snapshot of another one
  kOtherWrong,  // others need one
  kUndecided,   // nodes differ, and nobody can say which is right
};

struct ChainState {
  ChainVerdict verdict = ChainVerdict::kUnknown;
  std::vector<std::string> agreeing = {};   // names of nodes
  std::vector<std::string> differing = {};  // names of nodes

  bool operator==(const ChainState&) const = default;
};

// One thread. Times never go back.
class PeerTable {
 public:
  explicit PeerTable(PeerTableOptions options) : options_(std::move(options)) {}

  // Also this node's own heartbeats, as they come back from the server.
  void heard(const Heartbeat& heartbeat, SteadyTime now);

  // The journal knows a life that has not been heard yet, such as the owner of a session. If it
  // stays silent, and no other life of its node is heard, it is lost like any other.
  void expect(const std::string& life, SteadyTime now);

  // Call it each kPeerTick. Returns nodes that were lost: silent for the node time-out, while this
  // node heard its own heartbeats and `is_caught_up`, that is, had applied the whole log. A node
  // that left counts as lost if it has not returned by then. A life that another one has replaced
  // is not lost: that one knows what to do with its sessions.
  //
  // A late call means that this process was frozen, and heard nobody: all clocks start anew.
  std::vector<Node> tick(SteadyTime now, bool is_caught_up);

  // The last heartbeats of the other nodes, ordered by name.
  std::vector<Heartbeat> alive() const;
  std::optional<Heartbeat> find(const std::string& name) const;

  // Another process has used this node's name after `since`, and not left.
  bool has_twin(SteadyTime since) const { return twin_heard_ && *twin_heard_ > since; }

  // The newest format of entries that this node and all others know.
  unsigned entry_format() const;

  // Compares the chains that others report with this node's, where both are known: `chain_at`
  // returns this node's chain at a place. `own.refilled` counts entries that the live feed missed.
  using ChainReader = std::function<std::optional<std::uint64_t>(std::uint64_t place)>;
  void compare(const Heartbeat& own, const ChainReader& chain_at);

  // As of the last comparison.
  ChainState chain() const;

 private:
  struct Peer {
    Heartbeat last;
    SteadyTime heard;
    bool has_left = false;
    bool is_expected = false;              // not heard yet
    bool was_here_first = false;           // when this node started
    std::uint64_t first_refilled = 0;      // when this life was first heard
    std::uint64_t first_own_refilled = 0;  // by this node, at that time
    std::deque<ChainMark> reported = {};   // the newest last
    std::optional<bool> agrees = {};       // in the last comparison
  };

  // When the chain of a node was last equal to this one's.
  struct Agreement {
    std::string life;
    std::uint64_t refilled = 0;
    std::uint64_t own_refilled = 0;
  };

  void heard_own(const Heartbeat& heartbeat, SteadyTime now);
  void add(const Heartbeat& heartbeat, SteadyTime now);
  void update(Peer& peer, const Heartbeat& heartbeat, SteadyTime now);

  static bool is_alive(const Peer& peer) { return !peer.has_left && !peer.is_expected; }

  void restart_clocks(SteadyTime now);
  void end(const std::string& life);
  bool has_ended(const std::string& life) const;
  bool can_judge(SteadyTime now) const;
  static std::optional<bool> is_same(const Peer& peer, const ChainReader& chain_at);
  static bool agree(const Peer& one, const Peer& other);
  std::size_t largest_group(const std::vector<const Peer*>& differing) const;
  ChainVerdict break_tie(const Peer& peer) const;

  const PeerTableOptions options_;
  std::map<std::string, Peer> peers_;  // by name
  std::map<std::string, Agreement> agreements_;
  std::deque<std::string> ended_;  // lives that must not come back
  std::optional<SteadyTime> own_heard_;
  std::optional<SteadyTime> twin_heard_;
  std::optional<SteadyTime> last_tick_;
  std::uint64_t own_refilled_ = 0;
  bool has_started_ = false;  // this node sends heartbeats
};

}  // namespace oriel
