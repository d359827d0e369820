#pragma once
// A call in a session. Its response is JSON, or a stream of its own if it sends messages first or
// takes long. A disconnection does not cancel it: the response waits in the event store.

#include "mcp/call.h"
#include "mcp/sessions/session_state.h"
#include "mcp/streams/stream_tracker.h"
#include "runtime/condition.h"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::mcp {

// A question to the client and its answer.
struct ClientQuestion {
  std::optional<RpcResult> answer;
  Condition* asker = nullptr;  // notified of the answer
};

// Lives on its session's shard.
class SessionCall : public CallChannel, public std::enable_shared_from_this<SessionCall> {
 public:
  SessionCall(std::shared_ptr<Session> session, RpcRequest request);

  // Runs again what a restart has ended, on the same stream. Withdraws what it had asked.
  SessionCall(std::shared_ptr<Session> session, CallState before);

  const boost::json::value& id() const { return request_.id; }

  std::string key() const;  // id as JSON

  // For a call in a batch, whose responses leave together: its messages go to the standalone
  // stream.
  void keep_off_streams() { takes_stream_ = false; }

  // Runs the method to its end.
  asio::awaitable<void> run();

  // Waits until it is answered or has become a stream.
  asio::awaitable<void> settled();

  // The JSON response if it has not become a stream; empty if it was cancelled.
  const std::string& answer() const { return answer_; }

  Stream* stream() const { return stream_; }

  void cancel() { stop_.emit(asio::cancellation_type::terminal); }

  void send(SharedMessage message, std::uint64_t position) override;
  asio::awaitable<InputAnswers> ask(std::vector<InputRequest> inputs,
                                    boost::json::object keep) override;

  bool waits_for_answers() const override { return true; }

  void end_connection() override;

  // A question of this call that the client may show to a person, until it has ended.
  void question_begun(const std::string& id);
  void question_ended(const std::string& id);

  // Cancels a question, so that the client can close its prompt.
  void withdraw(const std::string& question, std::string_view reason);

 private:
  CallFacts facts();
  bool can_run_again() const;
  void become_stream();
  void save();
  void finish(const RpcResult& result);

  std::shared_ptr<Session> session_;
  const std::string stable_id_;  // of its stream, too
  RpcRequest request_;
  std::vector<std::string> questions_;               // open ones
  const std::vector<std::string> questions_before_;  // of the process before
  Stream* stream_ = nullptr;                         // null: the response is JSON
  std::string answer_;
  bool is_over_ = false;
  bool takes_stream_ = true;
  asio::steady_timer changed_;
  asio::cancellation_signal stop_;
};

}  // namespace oriel::mcp
