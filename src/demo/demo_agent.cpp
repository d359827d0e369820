#include "demo/demo_agent.h"

#include "base/id.h"
#include "base/text/json_access.h"
#include "base/text/quote.h"
#include "demo/faults.h"
#include "demo/work.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <cstdio>
#include <optional>
#include <utility>

namespace oriel {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kInternalError = -32603;
constexpr int kNotFound = -32002;
constexpr std::string_view kNoWorkspace = "cwd has to be the absolute path of a directory";
constexpr std::size_t kMaxLive = 64;
constexpr std::chrono::milliseconds kSlowPace{200};
constexpr std::chrono::milliseconds kIdle{60'000};

// The prompt's text blocks, one after the other.
std::string prompt_text(const json::object& params) {
  std::string text;
  const json::value* prompt = params.if_contains("prompt");
  if (!prompt || !prompt->is_array()) return text;
  for (const json::value& block : prompt->as_array()) {
    if (block.is_object()) text += text_at(block.as_object(), "text");
  }
  return text;
}

std::optional<fs::path> workspace_of(const json::object& params) {
  const fs::path given = text_at(params, "cwd");
  std::error_code problem;
  if (!given.is_absolute() || !fs::is_directory(given, problem)) return std::nullopt;
  return fs::canonical(given);
}

}  // namespace

DemoAgent::DemoAgent(RpcChannel& channel, DemoOptions options)
    : channel_(channel), options_(std::move(options)), conversations_(options_.state_directory) {}

void DemoAgent::run() {
  while (!channel_.is_closed() || !channel_.inbox().empty()) {
    if (channel_.inbox().empty()) {
      channel_.wait(kIdle);
      continue;
    }
    const json::object message = std::move(channel_.inbox().front());
    channel_.inbox().pop_front();
    handle(message);
  }
}

void DemoAgent::handle(const json::object& message) {
  const std::string method = text_at(message, "method");
  const json::value* given_id = message.if_contains("id");
  if (method.empty() || !given_id) return;
  const json::value id = *given_id;
  const json::value* given_params = message.if_contains("params");
  const json::object params =
      given_params && given_params->is_object() ? given_params->as_object() : json::object{};
  if (method == "initialize") return initialize(id);
  if (method == "session/new") return new_session(id, params);
  if (method == "session/load") return load_session(id, params);
  if (method == "session/prompt") return prompt(id, params);
  channel_.respond_error(id, kMethodNotFound, "unknown method " + quote(method));
}

void DemoAgent::initialize(const json::value& id) {
  const json::object prompts{{"image", false}, {"audio", false}, {"embeddedContext", false}};
  const json::object info{
      {"name", "oriel-demo-agent"}, {"title", "Oriel demo agent"}, {"version", ORIEL_VERSION}};
  channel_.respond(id,
                   {{"protocolVersion", 1},
                    {"agentCapabilities", {{"loadSession", true}, {"promptCapabilities", prompts}}},
                    {"agentInfo", info},
                    {"authMethods", json::array()}});
}

void DemoAgent::new_session(const json::value& id, const json::object& params) {
  const auto workspace = workspace_of(params);
  if (!workspace) return channel_.respond_error(id, kInvalidParams, kNoWorkspace);
  if (live_.size() == kMaxLive) live_.erase(live_.begin());
  DemoConversation conversation{.id = random_id(), .workspace = *workspace, .exchanges = {}};
  save(conversation);
  channel_.respond(id, {{"sessionId", conversation.id}});
  const std::string name = conversation.id;
  live_[name] = {.conversation = std::move(conversation), .is_resumed = false};
}

void DemoAgent::load_session(const json::value& id, const json::object& params) {
  const auto workspace = workspace_of(params);
  if (!workspace) return channel_.respond_error(id, kInvalidParams, kNoWorkspace);
  auto conversation = conversations_.load(text_at(params, "sessionId"));
  if (!conversation) return channel_.respond_error(id, kNotFound, conversation.error().message);
  conversation->workspace = *workspace;
  replay(*conversation);
  channel_.respond(id, {});
  const std::string name = conversation->id;
  live_[name] = {.conversation = std::move(*conversation), .is_resumed = true};
}

void DemoAgent::replay(const DemoConversation& conversation) {
  const auto show = [&](std::string_view kind, const std::string& text) {
    const json::object content{{"type", "text"}, {"text", text}};
    channel_.notify("session/update",
                    {{"sessionId", conversation.id},
                     {"update", {{"sessionUpdate", kind}, {"content", content}}}});
  };
  for (const Exchange& exchange : conversation.exchanges) {
    show("user_message_chunk", exchange.prompt);
    show("agent_message_chunk", exchange.answer);
  }
}

void DemoAgent::prompt(const json::value& id, const json::object& params) {
  const auto live = live_.find(text_at(params, "sessionId"));
  if (live == live_.end()) {
    return channel_.respond_error(id, kInvalidParams,
                                  "unknown session " + quote(text_at(params, "sessionId")));
  }
  carry_out(id, prompt_text(params), live->second);
}

void DemoAgent::carry_out(const json::value& id, const std::string& text, Live& live) {
  const DemoRequest request = understand(text);
  if (request.action == DemoAction::kFail) {
    return channel_.respond_error(id, kInternalError, "the demo agent failed on request");
  }
  DemoConversation& conversation = live.conversation;
  DemoTask task(channel_, conversation.id, request.is_slow ? kSlowPace : options_.pace);
  if (std::exchange(live.is_resumed, false) && !conversation.exchanges.empty()) {
    task.say(fmt::format("We go on after {}. ", quote(conversation.exchanges.back().prompt)));
  }
  if (request.wait_first.count() > 0) {
    task.say(fmt::format("I wait for {} ms first.\n", request.wait_first.count()));
    task.pause(request.wait_first);
  }
  if (is_fault(request.action)) {
    cause_fault(request, task);
  } else {
    do_work(request, conversation.workspace, task);
  }
  const bool was_cancelled = task.is_over();
  conversation.exchanges.push_back({.prompt = text, .answer = task.answer()});
  if (conversation.exchanges.size() > kMaxKeptExchanges) {
    conversation.exchanges.erase(conversation.exchanges.begin());
  }
  save(conversation);
  channel_.respond(id, {{"stopReason", was_cancelled ? "cancelled" : "end_turn"}});
}

void DemoAgent::save(const DemoConversation& conversation) {
  const auto saved = conversations_.save(conversation);
  if (!saved) {
    std::fprintf(stderr, "oriel-demo-agent: %s\n", describe(saved.error()).c_str());
  }
}

}  // namespace oriel
