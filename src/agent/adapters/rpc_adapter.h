#pragma once
// Protocols based on JSON-RPC requests, responses and notifications. Both sides use the same id
// space, so Oriel's calls are tracked here and the agent's questions in LineAdapter.

#include "agent/adapters/line_adapter.h"

#include <cstdint>
#include <functional>
#include <map>

namespace oriel {

class RpcAdapter : public LineAdapter {
 protected:
  static constexpr std::int64_t kMethodNotFound = -32601;

  // The agent's response: a result or an error object.
  struct Response {
    const boost::json::value& result;
    const boost::json::value& error;

    bool is_error() const { return !error.is_null(); }

    std::int64_t code() const;
    std::string message() const;  // human-readable
  };

  using OnResponse = std::function<void(const Response&)>;

  enum class Envelope { kRequest, kResponse, kNotification };

  // Members that every message of the protocol carries.
  virtual boost::json::object envelope(Envelope kind) const = 0;

  virtual boost::json::value request_id(std::int64_t number) const { return number; }

  // Incoming requests and notifications. on_request returns false for an unknown method, which is
  // answered with an error.
  virtual bool on_request(std::string_view method, const boost::json::value& request) = 0;
  virtual void on_notification(std::string_view method, const boost::json::value& params) = 0;

  void call(std::string_view method, boost::json::object params, OnResponse on_response);
  void notify(std::string_view method, boost::json::object params);
  void respond(const boost::json::value& request, boost::json::value result);

  // Reports that the conversation cannot start.
  void refuse(ErrorKind kind, std::string message, std::string_view hint);

  // A question identified by the agent's request id.
  static OpenQuestion question_of(const boost::json::value& request);

  static boost::json::object client_info();  // name and version of Oriel

 private:
  void handle(const boost::json::value& message) final;

  std::int64_t last_number_ = 0;
  std::map<std::string, OnResponse> calls_;  // by the serialized id
};

}  // namespace oriel
