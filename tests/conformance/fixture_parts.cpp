#include "fixture_parts.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <utility>

namespace oriel {

const std::string_view kPixelPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
const std::string_view kSilentWav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

namespace {

asio::awaitable<mcp::RpcResult> give(boost::json::object result) {
  co_return std::move(result);
}

asio::awaitable<mcp::RpcResult> ask_and_answer(mcp::Call& call, Questions questions,
                                               AnswerHandler handler, boost::json::object keep) {
  auto asking = call.ask(questions(call), std::move(keep));
  const mcp::InputAnswers answers = co_await std::move(asking);
  if (!answers) co_return answers.error();
  co_return handler(call, *answers);
}

}  // namespace

boost::json::object json_object(std::string_view text) {
  return boost::json::parse(text).as_object();
}

mcp::Tool make_tool(std::string name, std::string description, mcp::Handler handler,
                    std::string_view properties) {
  mcp::Tool tool;
  tool.name = std::move(name);
  tool.description = std::move(description);
  tool.input_schema["type"] = "object";
  tool.input_schema["properties"] = json_object(properties);
  tool.handler = std::move(handler);
  return tool;
}

mcp::Handler always(boost::json::object result) {
  return [result = std::move(result)](mcp::Call&) { return give(result); };
}

std::string text_argument(const mcp::Call& call, std::string_view name) {
  const auto* value = call.arguments().if_contains(name);
  const auto* text = value ? value->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

asio::awaitable<void> pause(mcp::Call& call, std::chrono::milliseconds time) {
  asio::steady_timer timer(call.shard().executor(), time);
  co_await timer.async_wait(asio::use_awaitable);
}

mcp::InputRequest elicitation(std::string key, std::string_view message, std::string_view schema) {
  boost::json::object params;
  params["message"] = message;
  params["requestedSchema"] = json_object(schema);
  return {std::move(key), "elicitation/create", std::move(params)};
}

mcp::InputRequest sampling(std::string key, std::string_view prompt) {
  auto params = json_object(
      R"({"messages":[{"role":"user","content":{"type":"text","text":""}}],"maxTokens":100})");
  params["messages"].at(0).at("content").as_object()["text"] = prompt;
  return {std::move(key), "sampling/createMessage", std::move(params)};
}

mcp::InputRequest roots(std::string key) {
  return {std::move(key), "roots/list", {}};
}

mcp::Handler asks(Questions questions, AnswerHandler handler, boost::json::object keep) {
  return [=](mcp::Call& call) { return ask_and_answer(call, questions, handler, keep); };
}

boost::system::result<std::string, mcp::RpcError> field_of(const boost::json::object& answers,
                                                           std::string_view key,
                                                           std::string_view field) {
  const auto refusal = [&](std::string why) {
    return mcp::RpcError{
        mcp::kInvalidParams, "the answer to '" + std::string(key) + "' " + std::move(why), {}};
  };
  const auto* answer = answers.if_contains(key);
  if (!answer || !answer->is_object()) return refusal("is no object; answer as to any elicitation");
  const auto* content = answer->get_object().if_contains("content");
  if (!content || !content->is_object())
    return refusal("has no content; accept it, and fill it in");
  const auto* value = content->get_object().if_contains(field);
  if (!value) return refusal("has no '" + std::string(field) + "'; fill it in");
  if (const auto* text = value->if_string()) return {boost::system::in_place_value, *text};
  return {boost::system::in_place_value, boost::json::serialize(*value)};
}

mcp::RpcResult greet_user(const mcp::Call&, const boost::json::object& answers) {
  const auto name = field_of(answers, "user_name", "name");
  if (!name) return name.error();
  return mcp::text_result("Hello, " + *name + "!");
}

}  // namespace oriel
