#pragma once
// A 2026-07-28 call. Its response is JSON, or a stream if it sends messages first or takes long. A
// disconnection cancels it, because the protocol has no way to resume it. Clients resume streams
// all the same, and would wait for ever: see lost_call.h.

#include "mcp/server_state.h"
#include "mcp/stateless/input_rounds.h"
#include "mcp/stateless/lost_call.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/streams/stream_connection.h"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel::mcp {

// Lives on its connection's shard.
class StatelessCall : public CallChannel, public std::enable_shared_from_this<StatelessCall> {
 public:
  StatelessCall(RpcRequest request, RequestMeta meta, Principal principal, InputRounds rounds,
                std::string purpose, Shard& shard, const ServerState& server);

  // Runs the method to its end.
  asio::awaitable<void> run();

  // Waits until it is answered or has become a stream.
  asio::awaitable<void> settled();

  bool is_answered() const { return is_over_ && !is_stream_; }

  int status() const { return status_; }

  const std::string& answer() const { return answer_; }

  // Answers on a stream, however soon.
  void become_stream() { is_stream_ = true; }

  // Attaches the response's connection once it has become a stream; buffered messages leave first.
  void attach(const std::shared_ptr<StreamConnection>& connection,
              std::unique_ptr<http::Transport> transport, std::string head);

  void cancel() { stop_.emit(asio::cancellation_type::terminal); }

  // The server stops: ends the call with an error that says so, because its client would wait on.
  void stop();

  void send(SharedMessage message, std::uint64_t position) override;
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return false; }

  void end_connection() override {}

  void keep(boost::json::object state) override;

 private:
  void finish(RpcResult result);
  void prime();
  void push(Chunk chunk);

  RpcRequest request_;
  RequestMeta meta_;
  Principal principal_;
  InputRounds rounds_;
  std::string purpose_;
  Shard& shard_;
  const ServerState& server_;
  std::shared_ptr<StreamConnection> connection_;
  std::vector<SharedBytes> waiting_;  // for the connection
  std::size_t unsent_ = 0;            // bytes not yet written to the connection
  int status_ = 200;
  std::string answer_;
  bool is_stream_ = false;
  LostCall lost_;  // what it needs to go on after a disconnection
  std::string credential_id_;
  bool is_primed_ = false;
  bool is_over_ = false;
  bool is_stopped_ = false;
  asio::steady_timer changed_;
  asio::steady_timer prime_;
  asio::cancellation_signal stop_;
};

// Binds sealed state to the method, the token and the tool, prompt or resource, but not to the
// other arguments: a repeated call may change them.
std::string purpose_of(const RpcRequest& request, const Principal& principal);

// The HTTP status of an error that is answered as JSON.
int status_of(const RpcError& error);

}  // namespace oriel::mcp
