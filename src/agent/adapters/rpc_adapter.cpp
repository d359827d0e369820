#include "agent/adapters/rpc_adapter.h"

#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

}  // namespace

std::int64_t RpcAdapter::Response::code() const {
  const json::value& code = member(error, "code");
  return code.is_int64() ? code.get_int64() : 0;
}

std::string RpcAdapter::Response::message() const {
  const json::value& data = member(error, "data");
  std::string_view detail = text_of(data);
  if (detail.empty()) detail = text_of(member(data, "details"));
  if (detail.empty()) detail = text_of(member(data, "message"));
  std::string text = plain_error(text_of(member(error, "message")));
  if (!detail.empty()) text += (text.empty() ? "" : ": ") + plain_error(detail);
  return text.empty() ? "The agent answered with an error." : text;
}

void RpcAdapter::call(std::string_view method, json::object params, OnResponse on_response) {
  const json::value id = request_id(++last_number_);
  calls_[json::serialize(id)] = std::move(on_response);
  json::object message = envelope(Envelope::kRequest);
  message["id"] = id;
  message["method"] = method;
  message["params"] = std::move(params);
  send(message);
}

void RpcAdapter::notify(std::string_view method, json::object params) {
  json::object message = envelope(Envelope::kNotification);
  message["method"] = method;
  if (!params.empty()) message["params"] = std::move(params);
  send(message);
}

void RpcAdapter::respond(const json::value& request, json::value result) {
  json::object message = envelope(Envelope::kResponse);
  message["id"] = member(request, "id");
  message["result"] = std::move(result);
  send(message);
}

void RpcAdapter::refuse(ErrorKind kind, std::string message, std::string_view hint) {
  emit(AgentRefused{{kind, std::move(message), std::string(hint)}});
}

RpcAdapter::OpenQuestion RpcAdapter::question_of(const json::value& request) {
  const json::value& id = member(request, "id");
  OpenQuestion question;
  question.request = request;
  question.asked.id = id.is_string() ? std::string(text_of(id)) : json::serialize(id);
  return question;
}

json::object RpcAdapter::client_info() {
  return {{"name", "oriel"}, {"title", "Oriel"}, {"version", ORIEL_VERSION}};
}

void RpcAdapter::handle(const json::value& message) {
  const json::value& id = member(message, "id");
  const std::string_view method = text_of(member(message, "method"));
  if (method.empty()) {
    const auto found = calls_.find(json::serialize(id));
    if (found == calls_.end()) return;
    const OnResponse on_response = std::move(calls_.extract(found).mapped());
    return on_response({member(message, "result"), member(message, "error")});
  }
  if (id.is_null()) return on_notification(method, member(message, "params"));
  if (on_request(method, message)) return;
  json::object answer = envelope(Envelope::kResponse);
  answer["id"] = id;
  answer["error"] = {{"code", kMethodNotFound}, {"message", "Method not found"}};
  send(answer);
}

}  // namespace oriel
