#include "mcp/stateless/task_request.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "mcp/sessions/session_state.h"

#include <utility>

namespace oriel::mcp {

namespace json = boost::json;

std::string to_text(const TaskRequest& request) {
  return json_text(json::object{{"method", request.method},
                                {"task", request.task_id},
                                {"params", request.params},
                                {"principal", to_json(request.principal)}});
}

std::optional<TaskRequest> parse_task_request(std::string_view text) {
  const json::object from = parse_object(text);
  TaskRequest request{.method = text_at(from, "method"),
                      .task_id = text_at(from, "task"),
                      .params = object_of(member(from, "params")),
                      .principal = read_principal(object_of(member(from, "principal")))};
  if (request.method.empty() || request.task_id.empty()) return std::nullopt;
  return request;
}

std::string to_text(const RpcResult& result) {
  if (result) return json_text(json::object{{"result", *result}});
  const RpcError& error = result.error();
  return json_text(json::object{
      {"error", {{"code", error.code}, {"message", error.message}, {"data", error.data}}}});
}

RpcResult parse_result(std::string_view text) {
  json::object from = parse_object(text);
  const auto result = from.find("result");
  if (result != from.end() && result->value().is_object()) return result->value().as_object();
  const json::value& error = member(from, "error");
  const std::string message = text_at(error, "message");
  if (message.empty())
    return RpcError{.message = "another server has answered with something else", .data = {}};
  const auto code = number_of(member(error, "code")).value_or(kInternalError);
  return RpcError{
      .code = static_cast<int>(code), .message = message, .data = member(error, "data")};
}

}  // namespace oriel::mcp
