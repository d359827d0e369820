#pragma once
// The session of a client of the era of sessions (2025-03-26 to 2025-11-25): what it may be told,
// the calls it has under way, and its streams.

#include "http/request.h"
#include "mcp/server_state.h"
#include "mcp/sessions/session_call.h"
#include "mcp/streams/stream_tracker.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace oriel::mcp {

// What a client says of itself in initialize.
struct ClientHello {
  std::string version;  // agreed on
  boost::json::object info;
  boost::json::object capabilities;
};

// Lives on its shard, held by its ShardState and by its calls.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  Session(std::string id, http::Principal principal, ClientHello hello, Shard& shard,
          EventStore& store, const ServerState& site);
  ~Session();

  const std::string& id() const { return id_; }

  const http::Principal& principal() const { return principal_; }

  const ClientHello& client() const { return hello_; }

  Shard& shard() const { return shard_; }

  const ServerState& site() const { return site_; }

  StreamTracker& streams() { return streams_; }

  // The least that the client wants to be told; none until it has said so.
  std::optional<LogLevel> log_level() const { return log_level_; }

  void set_log_level(LogLevel level) { log_level_ = level; }

  // To the client, on the stream that belongs to no request; waits there until it has one open.
  void notify(SharedMessage message);

  // Bytes that the store counts once, however many streams share them.
  SharedMessage hold(Message message) const { return site_.budget.hold(std::move(message)); }

  // What Catalog::companion made.
  const std::shared_ptr<void>& companion() const { return companion_; }

  void subscribe(std::string uri) { subscriptions_.insert(std::move(uri)); }

  void unsubscribe(const std::string& uri) { subscriptions_.erase(uri); }

  bool is_subscribed(const std::string& uri) const { return subscriptions_.contains(uri); }

  // 2025-11-25 and later: a client takes events without data, and a hint when to come back.
  bool takes_priming() const { return hello_.version >= "2025-11-25"; }

  // Null if a call of this id is under way.
  std::shared_ptr<SessionCall> begin_call(RpcRequest request);
  void end_call(const SessionCall& call);
  void cancel_call(const boost::json::value& rpc_id);

  // A question to the client waits for its answer under a new id.
  std::string begin_question(std::shared_ptr<ClientQuestion> question);

  void end_question(const std::string& id) { questions_.erase(id); }

  void take_answer(RpcResponse response);

  void touch() { last_activity_ = Clock::now(); }

  bool is_expired(Clock::time_point now) const;

  // Ends its calls and connections; it is forgotten already.
  void end();

 private:
  std::string id_;
  http::Principal principal_;
  ClientHello hello_;
  Shard& shard_;
  const ServerState& site_;
  StreamTracker streams_;
  std::optional<LogLevel> log_level_;
  std::set<std::string, std::less<>> subscriptions_;
  std::map<std::string, std::shared_ptr<SessionCall>, std::less<>> calls_;  // by JSON of their id
  std::map<std::string, std::shared_ptr<ClientQuestion>, std::less<>> questions_;
  std::uint64_t asked_ = 0;
  Clock::time_point last_activity_ = Clock::now();
  std::shared_ptr<void> companion_;
};

}  // namespace oriel::mcp
