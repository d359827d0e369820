#include "fixture.h"
#include "fixture_parts.h"

namespace oriel {
namespace {

constexpr std::string_view kContextForm =
    R"({"type":"object","properties":{"context":{"type":"string"}},"required":["context"]})";

boost::json::value user_message(boost::json::object content) {
  boost::json::object message;
  message["role"] = "user";
  message["content"] = std::move(content);
  return message;
}

boost::json::value user_text(std::string_view text) {
  boost::json::object content;
  content["type"] = "text";
  content["text"] = text;
  return user_message(std::move(content));
}

boost::json::object one_message(boost::json::value message) {
  boost::json::object result;
  result["messages"].emplace_array().push_back(std::move(message));
  return result;
}

asio::awaitable<mcp::RpcResult> repeat_arguments(mcp::Call& call) {
  co_return one_message(user_text("Prompt with arguments: arg1='" + text_argument(call, "arg1") +
                                  "', arg2='" + text_argument(call, "arg2") + "'"));
}

asio::awaitable<mcp::RpcResult> embed_resource(mcp::Call& call) {
  auto content = json_object(R"({"type":"resource","resource":{
    "uri":"","mimeType":"text/plain","text":"Embedded resource content for testing."}})");
  content["resource"].as_object()["uri"] = text_argument(call, "resourceUri");
  auto result = one_message(user_message(std::move(content)));
  result["messages"].as_array().push_back(user_text("Please process the embedded resource above."));
  co_return std::move(result);
}

boost::json::object image_message() {
  boost::json::object content;
  content["type"] = "image";
  content["data"] = kPixelPng;
  content["mimeType"] = "image/png";
  auto result = one_message(user_message(std::move(content)));
  result["messages"].as_array().push_back(user_text("Please analyze the image above."));
  return result;
}

std::vector<mcp::InputRequest> ask_context(const mcp::Call&) {
  return {elicitation("user_context", "What context should the prompt use?", kContextForm)};
}

mcp::RpcResult use_context(const mcp::Call&, const boost::json::object& answers) {
  const auto context = field_of(answers, "user_context", "context");
  if (!context) return context.error();
  return one_message(user_text("Use this context: " + *context));
}

asio::awaitable<mcp::RpcResult> complete_nothing(mcp::Call&) {
  co_return json_object(R"({"completion":{"values":[],"total":0,"hasMore":false}})");
}

mcp::Prompt make_prompt(std::string name, std::string description, mcp::Handler handler,
                        std::initializer_list<std::string_view> arguments = {}) {
  mcp::Prompt prompt;
  prompt.name = std::move(name);
  prompt.description = std::move(description);
  prompt.handler = std::move(handler);
  for (const auto argument : arguments) {
    boost::json::object described;
    described["name"] = argument;
    described["description"] = "A test argument";
    described["required"] = true;
    prompt.arguments.push_back(std::move(described));
  }
  return prompt;
}

}  // namespace

void add_prompts(mcp::Catalog& catalog) {
  auto& prompts = catalog.prompts;
  prompts.push_back(
      make_prompt("test_simple_prompt", "Has no arguments",
                  always(one_message(user_text("This is a simple prompt for testing.")))));
  prompts.push_back(make_prompt("test_prompt_with_arguments", "Repeats its arguments",
                                repeat_arguments, {"arg1", "arg2"}));
  prompts.push_back(make_prompt("test_prompt_with_embedded_resource", "Holds a resource",
                                embed_resource, {"resourceUri"}));
  prompts.push_back(
      make_prompt("test_prompt_with_image", "Holds an image", always(image_message())));
  prompts.push_back(make_prompt("test_input_required_result_prompt", "Asks the user first",
                                asks(ask_context, use_context)));
  catalog.complete = complete_nothing;
}

}  // namespace oriel
