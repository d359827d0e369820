#pragma once
// What the fixture's tools, resources and prompts are made of.

#include "mcp/call.h"
#include "mcp/catalog.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The smallest PNG and WAV files, in Base64.
extern const std::string_view kPixelPng;
extern const std::string_view kSilentWav;

// The schema of a form that asks for a name.
inline constexpr std::string_view kNameForm =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";

boost::json::object json_object(std::string_view text);

// A tool whose arguments are these properties, as JSON, all of them optional.
mcp::Tool make_tool(std::string name, std::string description, mcp::Handler handler,
                    std::string_view properties = "{}");

mcp::Handler always(boost::json::object result);

// The argument of that name; empty if it is not there or no text.
std::string text_argument(const mcp::Call& call, std::string_view name);

asio::awaitable<void> pause(mcp::Call& call, std::chrono::milliseconds time);

// `schema` is a form's, as JSON.
mcp::InputRequest elicitation(std::string key, std::string_view message, std::string_view schema);
mcp::InputRequest sampling(std::string key, std::string_view prompt);
mcp::InputRequest roots(std::string key);

using Questions = std::function<std::vector<mcp::InputRequest>(const mcp::Call& call)>;
using AnswerHandler =
    std::function<mcp::RpcResult(const mcp::Call& call, const boost::json::object& answers)>;

// Asks its client, and makes its result of the answers.
mcp::Handler asks(Questions questions, AnswerHandler handler, boost::json::object keep = {});

// What a form's field was filled in with, or why there is nothing: the client declined, or its
// answer is none.
boost::system::result<std::string, mcp::RpcError> field_of(const boost::json::object& answers,
                                                           std::string_view key,
                                                           std::string_view field);

// Greets by the "name" that the form with the key "user_name" was filled in with.
mcp::RpcResult greet_user(const mcp::Call& call, const boost::json::object& answers);

}  // namespace oriel
