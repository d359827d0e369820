#pragma once
// A call in a session. It is answered at once as JSON, or on a stream of its own if it has
// something to say before or takes long. It goes on when its client's connection is cut: the answer
// waits.

#include "mcp/call.h"
#include "mcp/streams/stream_tracker.h"
#include "runtime/condition.h"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <string>

namespace oriel::mcp {

// Asked of the client, and what it answered.
struct ClientQuestion {
  std::optional<RpcResult> answer;
  Condition* asker = nullptr;  // to be told of the answer
};

// Lives on its session's shard.
class SessionCall : public CallChannel, public std::enable_shared_from_this<SessionCall> {
 public:
  // `has_stream`: false in a batch, whose answers leave together; what the call says meanwhile goes
  // to the session's own stream.
  SessionCall(std::shared_ptr<Session> session, RpcRequest request);

  const boost::json::value& id() const { return request_.id; }

  std::string key() const;  // its id as JSON

  void keep_off_streams() { takes_stream_ = false; }

  // Runs its method to the end.
  asio::awaitable<void> run();

  // Until it is answered, or has become a stream.
  asio::awaitable<void> settled();

  // The answer as JSON, if it has not become a stream; empty if it was cancelled.
  const std::string& answer() const { return answer_; }

  Stream* stream() const { return stream_; }

  void cancel() { stop_.emit(asio::cancellation_type::terminal); }

  void send(SharedMessage message) override;
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return true; }

  void end_connection() override;

 private:
  CallFacts facts();
  void become_stream();
  void finish(const RpcResult& result);

  std::shared_ptr<Session> session_;
  RpcRequest request_;
  Stream* stream_ = nullptr;  // none: the answer is JSON
  std::string answer_;
  bool is_over_ = false;
  bool takes_stream_ = true;
  asio::steady_timer changed_;
  asio::cancellation_signal stop_;
};

}  // namespace oriel::mcp
