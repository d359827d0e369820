#pragma once
// One call of a client, as its handler sees it: who asks for what, and how to tell and ask the
// client while it runs. The same for all eras of the protocol; the three ways in which they differ
// are behind CallChannel.

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

// Something that only the client can answer.
struct InputRequest {
  std::string key;     // names it among the call's
  std::string method;  // elicitation/create, sampling/createMessage or roots/list
  boost::json::object params;
};

// The answers by key, each the result of its request.
using InputAnswers = boost::system::result<boost::json::object, RpcError>;

// How a call reaches its client. Lives on the call's shard.
class CallChannel {
 public:
  virtual ~CallChannel() = default;

  // A message in one line, to the client on the call's own stream.
  virtual void send(SharedMessage message) = 0;

  // See Call::ask.
  virtual asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                            boost::json::object keep) = 0;

  // False if a call that has to ask ends with its questions.
  virtual bool waits_for_answers() const = 0;

  // Ends the connection, not the call: the client is to come back for the rest. Nothing where the
  // protocol has no way back.
  virtual void end_connection() = 0;
};

// What is known of a call when it begins.
struct CallFacts {
  std::string method;
  boost::json::object params;
  std::string version;  // of the protocol: "2025-11-25"
  http::Principal principal;
  boost::json::object client_info;
  boost::json::object client_capabilities;
  std::optional<LogLevel> log_level;  // the least that a client without session wants; none: no log
  boost::json::object kept;           // what ask() was given to keep, when the call comes again
  Session* session = nullptr;         // none from 2026-07-28 on
};

// Lives on its shard until its handler has returned.
class Call {
 public:
  Call(CallFacts facts, CallChannel& channel, Shard& shard)
      : facts_(std::move(facts)), channel_(channel), shard_(shard) {}

  const std::string& method() const { return facts_.method; }

  const boost::json::object& params() const { return facts_.params; }

  // "arguments" of a tool or prompt; empty if there are none.
  const boost::json::object& arguments() const;
  // The part of a resource's URI that stands for {name} in its template.
  std::string uri_part(std::string_view name) const;

  const http::Principal& principal() const { return facts_.principal; }

  const std::string& version() const { return facts_.version; }

  // 2026-07-28 and later: no session, and what concerns the call comes with it.
  bool is_stateless() const { return facts_.session == nullptr; }

  Session* session() const { return facts_.session; }

  bool client_can(std::string_view capability) const;

  Shard& shard() const { return shard_; }

  // True if the client takes log messages of that level.
  bool wants_log(LogLevel level) const;
  void log(LogLevel level, std::string_view logger, const boost::json::value& data);

  // True if the client gave a progress token; without one progress() does nothing.
  bool wants_progress() const;
  void progress(double done, std::optional<double> total, std::string_view message = {});

  void notify(std::string_view method, const boost::json::object& params);

  // It counts as the store's as long as anybody holds it.
  SharedMessage hold(Message message) const;

  // A whole message in one line, made once for many, by hold().
  void send(SharedMessage message) { channel_.send(std::move(message)); }

  // Asks the client, and returns its answers. From 2026-07-28 on a call that has to ask ends with
  // the questions and comes again with the answers: then this fails with kMustAsk the first time,
  // and the handler hands that error on. When the call comes again it finds `keep` in kept(), which
  // the client carries but can neither read nor change.
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep = {});

  // False if it may fail with kMustAsk.
  bool waits_for_answers() const { return channel_.waits_for_answers(); }

  const boost::json::object& kept() const { return facts_.kept; }

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

// Not on the wire: the call ends with its questions.
constexpr int kMustAsk = 0;

// notifications/message is a head, its data in JSON, and a tail with what is to be its _meta, if
// any.
std::string log_head(LogLevel level, std::string_view logger);
std::string log_tail(std::string_view meta_json = {});

}  // namespace oriel::mcp
