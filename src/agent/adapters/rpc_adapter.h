#pragma once
// Languages made of requests, responses and notifications, as JSON-RPC has them. Both sides number
// their requests from the same numbers, so there are two tables: our calls here, and the agent's
// questions in LineAdapter.

#include "agent/adapters/line_adapter.h"

#include <cstdint>
#include <functional>
#include <map>

namespace oriel {

class RpcAdapter : public LineAdapter {
 protected:
  // An agent's answer to a request of ours: a result, or an error that is an object.
  struct Response {
    const boost::json::value& result;
    const boost::json::value& error;

    bool is_error() const { return !error.is_null(); }

    std::int64_t code() const;
    std::string message() const;  // for people
  };

  using OnResponse = std::function<void(const Response&)>;

  enum class Envelope { kRequest, kResponse, kNotification };

  // What each message of this language carries beside its own members.
  virtual boost::json::object envelope(Envelope kind) const = 0;

  virtual boost::json::value request_id(std::int64_t number) const { return number; }

  // What the agent asks and says. True when a request is known; the others are answered so.
  virtual bool on_request(std::string_view method, const boost::json::value& request) = 0;
  virtual void on_notification(std::string_view method, const boost::json::value& params) = 0;

  void call(std::string_view method, boost::json::object params, OnResponse on_response);
  void notify(std::string_view method, boost::json::object params);
  void respond(const boost::json::value& request, boost::json::value result);

  // Says that no conversation can be had.
  void refuse(ErrorKind kind, std::string message, std::string_view hint);

  // A question that is named after the agent's request.
  static OpenQuestion question_of(const boost::json::value& request);

  static boost::json::object client_info();  // who we are, for languages that want to know

 private:
  void handle(const boost::json::value& message) final;

  std::int64_t last_number_ = 0;
  std::map<std::string, OnResponse> calls_;  // by the serialized id
};

}  // namespace oriel
