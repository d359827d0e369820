#pragma once
// A protocol session (2025-03-26 to 2025-11-25): its log level and subscriptions, its calls in
// progress, and its streams.

#include "http/request.h"
#include "mcp/catalog.h"
#include "mcp/server_state.h"
#include "mcp/sessions/session_call.h"
#include "mcp/streams/stream_tracker.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace oriel::mcp {

// The client as described in initialize.
struct ClientHello {
  std::string version;  // negotiated
  boost::json::object info;
  boost::json::object capabilities;
};

// Lives on its owner shard, held by its ShardState and its calls.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  Session(std::string id, Principal principal, ClientHello hello, Shard& shard, EventStore& store,
          const ServerState& server);
  ~Session();

  const std::string& id() const { return id_; }

  const Principal& principal() const { return principal_; }

  const ClientHello& client() const { return hello_; }

  Shard& shard() const { return shard_; }

  const ServerState& server() const { return server_; }

  StreamTracker& streams() { return streams_; }

  // The minimum level of log messages; none until logging/setLevel.
  std::optional<LogLevel> log_level() const { return log_level_; }

  void set_log_level(LogLevel level) { log_level_ = level; }

  // Sends on the standalone stream; stored until the client opens it.
  void notify(SharedMessage message);

  // Charged to the event-store budget once, however many streams share it.
  SharedMessage hold(Message message) const { return server_.budget.hold(std::move(message)); }

  // Made by Catalog::companion; null if there is none or the session has ended.
  const std::shared_ptr<SessionCompanion>& companion() const { return companion_; }

  // False at the limit of subscriptions.
  bool subscribe(std::string uri);

  void unsubscribe(const std::string& uri) { subscriptions_.erase(uri); }

  bool is_subscribed(const std::string& uri) const { return subscriptions_.contains(uri); }

  // From 2025-11-25 on, clients accept priming events and a retry hint.
  bool takes_priming() const { return hello_.version >= "2025-11-25"; }

  bool has_max_calls() const { return calls_.size() >= server_.options.max_calls_per_session; }

  // Null if a call with this id is in progress.
  std::shared_ptr<SessionCall> begin_call(RpcRequest request);
  void end_call(const SessionCall& call);
  void cancel_call(const boost::json::value& rpc_id);

  // Registers a question under a new id until it is answered.
  std::string begin_question(std::shared_ptr<ClientQuestion> question);

  void end_question(const std::string& id) { questions_.erase(id); }

  void take_answer(RpcResponse response);

  void touch() { last_activity_ = Clock::now(); }

  bool is_expired(Clock::time_point now) const;

  // Ends its calls and connections. The ShardState has removed it already.
  void end();

 private:
  std::string id_;
  Principal principal_;
  ClientHello hello_;
  Shard& shard_;
  const ServerState& server_;
  StreamTracker streams_;
  std::optional<LogLevel> log_level_;
  std::set<std::string, std::less<>> subscriptions_;
  std::map<std::string, std::shared_ptr<SessionCall>, std::less<>>
      calls_;  // by the JSON of their id
  std::map<std::string, std::shared_ptr<ClientQuestion>, std::less<>> questions_;
  std::uint64_t asked_ = 0;
  Clock::time_point last_activity_ = Clock::now();
  std::shared_ptr<SessionCompanion> companion_;
};

}  // namespace oriel::mcp
