#pragma once
// One client call as its handler sees it: the request, and how to notify and ask the client while
// the call runs. The same for all protocol eras; CallChannel hides where they differ.

#include "http/request.h"
#include "mcp/log_level.h"
#include "mcp/message.h"
#include "mcp/rpc.h"
#include "runtime/shards.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oriel::mcp {

class Session;

// A question to the client.
struct InputRequest {
  std::string key;     // unique within the call
  std::string method;  // elicitation/create, sampling/createMessage or roots/list
  boost::json::object params;
};

// Answers by key, each the result of its request.
using InputAnswers = boost::system::result<boost::json::object, RpcError>;

// Connects a call with its client. Lives on the call's shard.
class CallChannel {
 public:
  virtual ~CallChannel() = default;

  // Sends a message on the call's own stream. See Call::send.
  virtual void send(SharedMessage message, std::uint64_t position) = 0;

  // See Call::ask.
  virtual asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                            boost::json::object keep) = 0;

  // False if a call that asks must end and be called again with the answers.
  virtual bool waits_for_answers() const = 0;

  // Closes the connection but not the call: the client resumes. No effect where the protocol has no
  // resumption.
  virtual void end_connection() = 0;

  // See Call::keep. No effect where a call is run again as a whole.
  virtual void keep(boost::json::object /*state*/) {}
};

// Facts about a call, fixed when it begins.
struct CallFacts {
  std::string method;
  boost::json::object params;
  std::string version;  // protocol version, "2025-11-25"
  Principal principal;
  boost::json::object client_info;
  boost::json::object client_capabilities;
  std::optional<LogLevel>
      log_level;               // minimum level for a client without session; none: no log messages
  boost::json::object kept;    // state passed to ask() in the previous round, or to keep()
  Session* session = nullptr;  // null from 2026-07-28 on
  std::string stable_id = {};  // see Call::stable_id
};

// Lives on one shard until its handler has returned.
class Call {
 public:
  Call(CallFacts facts, CallChannel& channel, Shard& shard)
      : facts_(std::move(facts)), channel_(channel), shard_(shard) {}

  const std::string& method() const { return facts_.method; }

  const boost::json::object& params() const { return facts_.params; }

  // "arguments" of a tool or prompt.
  const boost::json::object& arguments() const;
  // The value of {name} in the resource's URI template.
  std::string uri_part(std::string_view name) const;

  const Principal& principal() const { return facts_.principal; }

  const std::string& version() const { return facts_.version; }

  // True from 2026-07-28 on: no session, the request carries all context.
  bool is_stateless() const { return facts_.session == nullptr; }

  // Names the call, also when it runs again after a restart. Empty for a stateless call that is not
  // a task: it cannot run again.
  const std::string& stable_id() const { return facts_.stable_id; }

  Session* session() const { return facts_.session; }

  bool client_can(std::string_view capability) const;

  Shard& shard() const { return shard_; }

  // True if the client wants log messages of that level.
  bool wants_log(LogLevel level) const;
  void log(LogLevel level, std::string_view logger, const boost::json::value& data);

  // True if the client sent a progress token; without one progress() has no effect.
  bool wants_progress() const;
  // `position` is as in send().
  void progress(double done, std::optional<double> total, std::string_view message = {},
                std::uint64_t position = 0);

  void notify(std::string_view method, const boost::json::object& params,
              std::uint64_t position = 0);

  // Charged to the event-store budget until the last reference is dropped.
  SharedMessage hold(Message message) const;

  // Sends a message made by hold(), which many calls can share. `position` is that of the event
  // that it reports, rising: a call that runs again after a restart does not repeat it.
  void send(SharedMessage message, std::uint64_t position = 0) {
    channel_.send(std::move(message), position);
  }

  // Asks the client and returns its answers. From 2026-07-28 on, a call that asks ends with the
  // questions and is called again with the answers: the first time this fails with kMustAsk, which
  // the handler must return. The repeated call finds `keep` in kept(); the client carries it,
  // sealed against changes.
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep = {});

  // False if ask() may fail with kMustAsk.
  bool waits_for_answers() const { return channel_.waits_for_answers(); }

  const boost::json::object& kept() const { return facts_.kept; }

  // A stateless call whose connection is cut, also by a restart, goes on from this state if its
  // client resumes its stream: the tool is called again and finds it in kept(). The client carries
  // it, sealed against changes.
  void keep(boost::json::object state) { channel_.keep(std::move(state)); }

  void end_connection() { channel_.end_connection(); }

  void set_uri_parts(std::vector<std::pair<std::string, std::string>> parts) {
    uri_parts_ = std::move(parts);
  }

 private:
  CallFacts facts_;
  CallChannel& channel_;
  Shard& shard_;
  std::vector<std::pair<std::string, std::string>> uri_parts_;
};

// Internal, never sent: the call must end with its questions.
constexpr int kMustAsk = 0;

// notifications/message consists of a head, the data as JSON, and a tail with an optional _meta.
std::string log_head(LogLevel level, std::string_view logger);
std::string log_tail(std::string_view meta_json = {});

}  // namespace oriel::mcp
