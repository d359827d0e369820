#pragma once
// A protocol session (2025-03-26 to 2025-11-25): its log level and subscriptions, its calls in
// progress, and its streams.

#include "http/request.h"
#include "mcp/catalog.h"
#include "mcp/server_state.h"
#include "mcp/sessions/session_call.h"
#include "mcp/sessions/session_state.h"
#include "mcp/state_saver.h"
#include "mcp/streams/stream_tracker.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace oriel::mcp {

// Lives on its owner shard, held by its ShardState and its calls. Saves its state when it changes.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Clock = std::chrono::steady_clock;

  // `before` has the state of a new session, or of one that a restart has ended.
  Session(SessionState before, Shard& shard, EventStore& store, const ServerState& server,
          StateSaver& saver);
  ~Session();

  const std::string& id() const { return id_; }

  const Principal& principal() const { return principal_; }

  const ClientHello& client() const { return hello_; }

  Shard& shard() const { return shard_; }

  const ServerState& server() const { return server_; }

  StreamTracker& streams() { return streams_; }

  // The minimum level of log messages; none until logging/setLevel.
  std::optional<LogLevel> log_level() const { return log_level_; }

  void set_log_level(LogLevel level);

  // Sends on the standalone stream; stored until the client opens it.
  void notify(SharedMessage message);

  // Charged to the event-store budget once, however many streams share it.
  SharedMessage hold(Message message) const { return server_.budget.hold(std::move(message)); }

  // Made by Catalog::companion; null if there is none or the session has ended.
  std::shared_ptr<SessionCompanion> companion() const;

  // False at the limit of subscriptions.
  bool subscribe(std::string uri);

  void unsubscribe(const std::string& uri);

  bool is_subscribed(const std::string& uri) const { return active().subscriptions.contains(uri); }

  // From 2025-11-25 on, clients accept priming events and a retry hint.
  bool takes_priming() const { return hello_.version >= "2025-11-25"; }

  bool has_max_calls() const {
    return active().calls.size() >= server_.options.max_calls_per_session;
  }

  // Null if a call with this id is in progress.
  std::shared_ptr<SessionCall> begin_call(RpcRequest request);

  void end_call(const SessionCall& call);

  // Calls that a restart has ended, as they were saved, by the id of their stream.
  using EndedCalls = std::map<std::string, std::string, std::less<>>;

  void remember_ended(EndedCalls calls);

  // Begins to run again the call whose stream this id names. Null: there is none.
  std::shared_ptr<SessionCall> continue_call(const EventId& id);

  // Has its state saved soon, or that of a call until its stream is removed.
  void changed();
  void save_call(const CallState& call);

  // Removes everything that was saved.
  void forget();

  // Waits until all changes so far are saved.
  asio::awaitable<void> saved() { return saver_.saved(last_change_); }

  void cancel_call(const boost::json::value& rpc_id);

  // Registers a question under a new id until it is answered.
  std::string begin_question(std::shared_ptr<ClientQuestion> question);

  void end_question(const std::string& id) { activate().questions.erase(id); }

  void take_answer(RpcResponse response);

  void touch() { last_used_ = Clock::now(); }

  // Call about once a second. A session that has a call or a connection is in use.
  void tick(Clock::time_point now);

  bool is_expired(Clock::time_point now) const;

  // Ends its calls and connections. The ShardState has removed it already.
  void end();

 private:
  // What an idle session does not have.
  struct Active {
    std::set<std::string, std::less<>> subscriptions;
    std::map<std::string, std::shared_ptr<SessionCall>, std::less<>>
        calls;  // by the JSON of their id
    std::map<std::string, std::shared_ptr<ClientQuestion>, std::less<>> questions;
    EndedCalls ended_calls;
    std::set<std::string> saved_calls;

    bool is_empty() const;
  };

  const Active& active() const;
  Active& activate();
  void free_unused();
  SessionState state() const;
  SharedMessage missed_message(std::optional<std::uint64_t> missed) const;
  void report_lost_place();
  void forget_call(const std::string& call);

  std::string id_;
  Principal principal_;
  ClientHello hello_;
  Shard& shard_;
  const ServerState& server_;
  StateSaver& saver_;
  std::shared_ptr<SessionCompanion> companion_;
  StreamTracker streams_;
  bool is_over_ = false;
  std::optional<LogLevel> log_level_;
  std::unique_ptr<Active> active_;  // null: it is empty
  std::uint64_t last_change_ = 0;   // number in the saver
  Clock::time_point last_used_ = Clock::now();
  Clock::time_point saved_use_ = last_used_;  // as last saved
};

}  // namespace oriel::mcp
