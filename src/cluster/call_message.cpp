#include "cluster/call_message.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"

#include <algorithm>

namespace oriel {
namespace {

// The JSON object of a message, and what follows it.
struct SplitMessage {
  boost::json::object head;
  std::string_view body;
};

std::optional<SplitMessage> split_message(std::string_view message) {
  const std::size_t end = message.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  SplitMessage split{.head = parse_object(message.substr(0, end)), .body = message.substr(end + 1)};
  if (split.head.empty()) return std::nullopt;
  return split;
}

std::string join_message(const boost::json::object& head, std::string_view body) {
  std::string message = json_text(head);
  message += '\n';
  message += body;
  return message;
}

std::int64_t natural_at(const boost::json::object& from, std::string_view key) {
  return std::max<std::int64_t>(number_of(member(from, key)).value_or(0), 0);
}

}  // namespace

std::string to_message(const CallRequest& request) {
  boost::json::object head;
  head["method"] = request.method;
  head["place"] = request.place;
  head["deadline"] = request.deadline.count();
  return join_message(head, request.body);
}

std::string to_message(const CallAnswer& answer) {
  boost::json::object head;
  head["place"] = answer.place;
  if (answer.result) return join_message(head, *answer.result);
  const Error& error = answer.result.error();
  boost::json::object failure;
  failure["code"] = code_of(error.kind);
  failure["message"] = error.message;
  failure["hint"] = error.hint;
  head["error"] = std::move(failure);
  return join_message(head, {});
}

std::optional<CallRequest> parse_call_request(std::string_view message) {
  const auto split = split_message(message);
  if (!split) return std::nullopt;
  CallRequest request;
  request.method = text_at(split->head, "method");
  if (request.method.empty()) return std::nullopt;
  request.body = split->body;
  request.place = static_cast<std::uint64_t>(natural_at(split->head, "place"));
  request.deadline = std::chrono::milliseconds(natural_at(split->head, "deadline"));
  return request;
}

std::optional<CallAnswer> parse_call_answer(std::string_view message) {
  const auto split = split_message(message);
  if (!split || !split->head.contains("place")) return std::nullopt;
  CallAnswer answer;
  answer.place = static_cast<std::uint64_t>(natural_at(split->head, "place"));
  if (!split->head.contains("error")) {
    answer.result = std::string(split->body);
    return answer;
  }
  const auto& failure = member(split->head, "error");
  answer.result = Error{.kind = parse_error_code(text_of(member(failure, "code"))),
                        .message = text_at(failure, "message"),
                        .hint = text_at(failure, "hint")};
  return answer;
}

}  // namespace oriel
