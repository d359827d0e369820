#pragma once
// A call of 2026-07-28. It is answered as JSON, or on the response's own stream if it has something
// to say before or takes long. When its client goes, it is cancelled: nobody could come back for
// it.

#include "mcp/server_state.h"
#include "mcp/stateless/input_rounds.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/streams/stream_connection.h"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

// Lives on its connection's shard.
class StatelessCall : public CallChannel, public std::enable_shared_from_this<StatelessCall> {
 public:
  StatelessCall(RpcRequest request, RequestMeta meta, http::Principal principal, InputRounds rounds,
                std::string purpose, Shard& shard, const ServerState& site);

  // Runs its method to the end.
  asio::awaitable<void> run();

  // Until it is answered, or has become a stream.
  asio::awaitable<void> settled();

  bool is_answered() const { return is_over_ && !is_stream_; }

  int status() const { return status_; }

  const std::string& answer() const { return answer_; }

  // The response's connection, once it has become a stream; what was said meanwhile leaves first.
  void attach(const std::shared_ptr<StreamConnection>& connection,
              std::unique_ptr<http::Transport> transport, std::string head);

  void cancel() { stop_.emit(asio::cancellation_type::terminal); }

  void send(SharedMessage message) override;
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return false; }

  void end_connection() override {}

 private:
  void finish(RpcResult result);
  void push(Chunk chunk);

  RpcRequest request_;
  RequestMeta meta_;
  http::Principal principal_;
  InputRounds rounds_;
  std::string purpose_;
  Shard& shard_;
  const ServerState& site_;
  std::shared_ptr<StreamConnection> connection_;
  std::vector<SharedBytes> waiting_;  // for the connection
  std::size_t unsent_ = 0;            // bytes that the connection has not taken
  int status_ = 200;
  std::string answer_;
  bool is_stream_ = false;
  bool is_over_ = false;
  asio::steady_timer changed_;
  asio::cancellation_signal stop_;
};

// The HTTP status under which an error of a method leaves, where it is answered as JSON.
int status_of(const RpcError& error);

}  // namespace oriel::mcp
