#include "cluster/peer_table.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kOwnEcho{1000};
constexpr std::chrono::milliseconds kLateTick{2000};
// So long without its own heartbeat, this node has missed those of others, too.
constexpr std::chrono::milliseconds kDeaf{2500};
constexpr std::size_t kMaxPeers = 256;  // names; more can only be garbage
constexpr std::size_t kMaxEnded = 1024;
constexpr std::size_t kMaxReported = 16;

void keep_latest(std::deque<ChainMark>& reported, ChainMark mark) {
  if (std::find(reported.begin(), reported.end(), mark) != reported.end()) return;
  reported.push_back(mark);
  if (reported.size() > kMaxReported) reported.pop_front();
}

}  // namespace

void PeerTable::heard(const Heartbeat& heartbeat, SteadyTime now) {
  if (heartbeat.node.name == options_.name) {
    heard_own(heartbeat, now);
    return;
  }
  if (has_ended(heartbeat.node.life)) return;
  const auto known = peers_.find(heartbeat.node.name);
  if (known != peers_.end() && known->second.last.node.life == heartbeat.node.life) {
    update(known->second, heartbeat, now);
    return;
  }
  if (known != peers_.end()) {
    end(known->second.last.node.life);
    peers_.erase(known);
  }
  add(heartbeat, now);
}

void PeerTable::expect(const std::string& life, SteadyTime now) {
  const std::size_t dot = life.find('.');
  if (dot == std::string::npos) return;
  const std::string name = life.substr(0, dot);
  const bool is_known = name == options_.name || peers_.contains(name) || has_ended(life);
  if (is_known || !is_node_name(name) || peers_.size() >= kMaxPeers) return;
  Peer& peer = peers_[name];
  peer.last.node.name = name;
  peer.last.node.life = life;
  peer.heard = now;
  peer.is_expected = true;
}

void PeerTable::heard_own(const Heartbeat& heartbeat, SteadyTime now) {
  if (heartbeat.node.life != options_.life) {
    twin_heard_.reset();
    if (!heartbeat.is_leaving) twin_heard_ = now;
    return;
  }
  if (!own_heard_ || now - *own_heard_ > kDeaf) restart_clocks(now);
  own_heard_ = now;
  has_started_ = true;
}

void PeerTable::add(const Heartbeat& heartbeat, SteadyTime now) {
  if (heartbeat.is_leaving || peers_.size() >= kMaxPeers) return;
  Peer& peer = peers_[heartbeat.node.name];
  peer.was_here_first = !has_started_;
  peer.first_refilled = heartbeat.refilled;
  peer.first_own_refilled = own_refilled_;
  update(peer, heartbeat, now);
}

void PeerTable::update(Peer& peer, const Heartbeat& heartbeat, SteadyTime now) {
  // Places of another log mean other entries.
  const bool is_same_log =
      peer.last.log == heartbeat.log && peer.last.generation == heartbeat.generation;
  if (!is_same_log) {
    peer.reported.clear();
    peer.agrees.reset();
  }
  peer.last = heartbeat;
  peer.heard = now;
  peer.is_expected = false;
  if (heartbeat.mark_place > 0)
    keep_latest(peer.reported, {.place = heartbeat.mark_place, .chain = heartbeat.mark_chain});
  // Nodes that have applied nothing agree, too.
  if (!heartbeat.log.empty())
    keep_latest(peer.reported, {.place = heartbeat.node.place, .chain = heartbeat.node.chain});
  if (!heartbeat.is_leaving) return;
  peer.has_left = true;
  end(heartbeat.node.life);
}

void PeerTable::end(const std::string& life) {
  ended_.push_back(life);
  if (ended_.size() > kMaxEnded) ended_.pop_front();
}

bool PeerTable::has_ended(const std::string& life) const {
  return std::find(ended_.begin(), ended_.end(), life) != ended_.end();
}

void PeerTable::restart_clocks(SteadyTime now) {
  for (auto& [name, peer] : peers_)
    peer.heard = now;
}

bool PeerTable::can_judge(SteadyTime now) const {
  return own_heard_ && now - *own_heard_ <= kOwnEcho;
}

std::vector<Node> PeerTable::tick(SteadyTime now, bool is_caught_up) {
  if (last_tick_ && now - *last_tick_ > kLateTick) {
    restart_clocks(now);
    own_heard_.reset();
  }
  last_tick_ = now;
  std::vector<Node> lost;
  if (!is_caught_up || !can_judge(now)) return lost;
  std::erase_if(peers_, [&](const auto& entry) {
    const Peer& peer = entry.second;
    if (now - peer.heard < options_.node_timeout) return false;
    lost.push_back(peer.last.node);
    return true;
  });
  return lost;
}

std::vector<Heartbeat> PeerTable::alive() const {
  std::vector<Heartbeat> found;
  for (const auto& [name, peer] : peers_) {
    if (is_alive(peer)) found.push_back(peer.last);
  }
  return found;
}

std::optional<Heartbeat> PeerTable::find(const std::string& name) const {
  const auto found = peers_.find(name);
  if (found == peers_.end() || !is_alive(found->second)) return std::nullopt;
  return found->second.last;
}

unsigned PeerTable::entry_format() const {
  unsigned format = kEntryFormat;
  for (const Heartbeat& heartbeat : alive())
    format = std::min(format, heartbeat.entry_format);
  return format;
}

void PeerTable::compare(const Heartbeat& own, const ChainReader& chain_at) {
  own_refilled_ = own.refilled;
  for (auto& [name, peer] : peers_) {
    if (peer.last.log != own.log || peer.last.generation != own.generation) continue;
    const std::optional<bool> same = is_same(peer, chain_at);
    if (!same) continue;
    peer.agrees = same;
    if (!*same) continue;
    agreements_[name] = {
        .life = peer.last.node.life, .refilled = peer.last.refilled, .own_refilled = own.refilled};
  }
}

// At the newest place that both know.
std::optional<bool> PeerTable::is_same(const Peer& peer, const ChainReader& chain_at) {
  std::optional<bool> same;
  std::uint64_t newest = 0;
  for (const ChainMark& mark : peer.reported) {
    if (mark.place < newest) continue;
    const auto own = chain_at(mark.place);
    if (!own) continue;
    same = *own == mark.chain;
    newest = mark.place;
  }
  return same;
}

ChainState PeerTable::chain() const {
  ChainState state;
  std::vector<const Peer*> differing;
  for (const auto& [name, peer] : peers_) {
    if (peer.has_left || !peer.agrees) continue;
    (*peer.agrees ? state.agreeing : state.differing).push_back(name);
    if (!*peer.agrees) differing.push_back(&peer);
  }
  if (differing.empty()) {
    if (!state.agreeing.empty()) state.verdict = ChainVerdict::kAgreed;
    return state;
  }
  const std::size_t ours = 1 + state.agreeing.size();
  const std::size_t theirs = largest_group(differing);
  if (ours == theirs) {
    const bool is_one_against_one = ours == 1 && differing.size() == 1;
    state.verdict = is_one_against_one ? break_tie(*differing.front()) : ChainVerdict::kUndecided;
  } else {
    state.verdict = ours > theirs ? ChainVerdict::kOtherWrong : ChainVerdict::kSelfWrong;
  }
  return state;
}

// Two nodes that differ from this one may also differ from each other.
std::size_t PeerTable::largest_group(const std::vector<const Peer*>& differing) const {
  std::size_t largest = 1;
  for (const Peer* one : differing) {
    const auto agrees = [&](const Peer* other) { return one == other || agree(*one, *other); };
    const auto size = std::count_if(differing.begin(), differing.end(), agrees);
    largest = std::max(largest, static_cast<std::size_t>(size));
  }
  return largest;
}

bool PeerTable::agree(const Peer& one, const Peer& other) {
  return std::any_of(one.reported.begin(), one.reported.end(), [&](const ChainMark& mark) {
    return std::find(other.reported.begin(), other.reported.end(), mark) != other.reported.end();
  });
}

// One against one: who has read the log another way than live since they agreed is wrong.
ChainVerdict PeerTable::break_tie(const Peer& peer) const {
  const auto agreed = agreements_.find(peer.last.node.name);
  const bool have_agreed = agreed != agreements_.end();
  const bool is_same_life = have_agreed && agreed->second.life == peer.last.node.life;

  // If they have not agreed in this life, the one that was not here first has restarted since.
  const std::uint64_t own_before =
      have_agreed ? agreed->second.own_refilled : peer.first_own_refilled;
  const bool is_self_newer = !have_agreed && peer.was_here_first;
  const bool may_self = is_self_newer || own_refilled_ > own_before;
  const std::uint64_t before = is_same_life ? agreed->second.refilled : peer.first_refilled;
  const bool is_other_newer = !is_same_life && (have_agreed || !peer.was_here_first);
  const bool may_other = is_other_newer || peer.last.refilled > before;
  if (may_self == may_other) return ChainVerdict::kUndecided;
  return may_self ? ChainVerdict::kSelfWrong : ChainVerdict::kOtherWrong;
}

}  // namespace oriel
