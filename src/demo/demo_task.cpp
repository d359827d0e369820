#include "demo/demo_task.h"

#include "base/id.h"
#include "base/text/json_access.h"
#include "base/text/utf8.h"

#include <boost/json/array.hpp>

#include <algorithm>

namespace oriel {

namespace json = boost::json;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kUntilAnswered = std::chrono::hours(1);
constexpr std::size_t kMaxAnswer = 64 << 10;
constexpr std::string_view kBreaks = " \n";

const Error kEnded{.kind = ErrorKind::kCancelled, .message = "the task was cancelled", .hint = {}};
const Error kRefused{.kind = ErrorKind::kRefused, .message = "the request was denied", .hint = {}};

json::object text_block(std::string_view text) {
  return {{"type", "text"}, {"text", text}};
}

// A word and the space behind it.
std::string_view take_piece(std::string_view& text) {
  const std::size_t space = text.find_first_of(kBreaks);
  const std::size_t next = text.find_first_not_of(kBreaks, std::min(space, text.size()));
  const std::string_view piece = text.substr(0, next);
  text.remove_prefix(piece.size());
  return piece;
}

// Of a response to session/request_permission: what was chosen, empty if nothing was.
std::string chosen_option(const json::object& response) {
  const json::value* result = response.if_contains("result");
  if (!result || !result->is_object()) return {};
  const json::value* outcome = result->as_object().if_contains("outcome");
  if (!outcome || !outcome->is_object()) return {};
  return text_at(outcome->as_object(), "optionId");
}

}  // namespace

DemoTask::DemoTask(RpcChannel& channel, std::string session_id, std::chrono::milliseconds pace)
    : channel_(channel), session_id_(std::move(session_id)), pace_(pace) {}

void DemoTask::say(std::string_view text) {
  while (!text.empty() && !is_over()) {
    say_at_once(take_piece(text));
    pause(pace_);
  }
}

void DemoTask::say_at_once(std::string_view text) {
  if (is_over()) return;
  const std::string valid = valid_utf8(std::string(text));
  if (answer_.size() < kMaxAnswer) answer_ += valid;
  update({{"sessionUpdate", "agent_message_chunk"}, {"content", text_block(valid)}});
}

void DemoTask::think(std::string_view text) {
  if (is_over()) return;
  update({{"sessionUpdate", "agent_thought_chunk"},
          {"content", text_block(valid_utf8(std::string(text)))}});
}

std::string DemoTask::announce(const DemoTool& tool) {
  std::string call_id = "call_" + random_id();
  json::object call{{"sessionUpdate", "tool_call"},
                    {"toolCallId", call_id},
                    {"title", valid_utf8(tool.title)},
                    {"kind", tool.kind},
                    {"status", "pending"},
                    {"_meta", {{"toolName", tool.name}}}};
  if (!tool.input.empty()) call["rawInput"] = tool.input;
  update(std::move(call));
  return call_id;
}

Result<ToolOutput> DemoTask::finish(const std::string& call_id, Result<ToolOutput> result) {
  const std::string output = valid_utf8(result ? result->text : result.error().message);
  json::array content{json::object{{"type", "content"}, {"content", text_block(output)}}};
  update({{"sessionUpdate", "tool_call_update"},
          {"toolCallId", call_id},
          {"status", result ? "completed" : "failed"},
          {"content", std::move(content)},
          {"rawOutput", output}});
  return result;
}

Result<ToolOutput> DemoTask::use(const DemoTool& tool, const ToolWork& work) {
  if (is_over()) return kEnded;
  const std::string call_id = announce(tool);
  update(
      {{"sessionUpdate", "tool_call_update"}, {"toolCallId", call_id}, {"status", "in_progress"}});
  pause(pace_ * 5);
  if (is_over()) return finish(call_id, kEnded);
  return finish(call_id, work());
}

Result<ToolOutput> DemoTask::use_if_allowed(const DemoTool& tool, const ToolWork& work) {
  if (is_over()) return kEnded;
  const std::string call_id = announce(tool);
  const std::string chosen =
      request_permission({{"toolCallId", call_id},
                          {"title", valid_utf8(tool.title)},
                          {"kind", tool.kind},
                          {"status", "pending"},
                          {"rawInput", tool.input}},
                         {{.id = "allow", .label = "Allow", .kind = "allow_once"},
                          {.id = "reject", .label = "Reject", .kind = "reject_once"}});
  if (is_cancelled_) return finish(call_id, kEnded);
  return finish(call_id, chosen == "allow" ? work() : kRefused);
}

std::string DemoTask::ask(std::string_view question, const std::vector<DemoChoice>& choices) {
  if (is_over()) return {};
  const DemoTool tool{
      .name = "ask_user", .kind = "other", .title = std::string(question), .input = {}};
  const std::string call_id = announce(tool);
  std::string chosen = request_permission(
      {{"toolCallId", call_id}, {"title", question}, {"kind", tool.kind}, {"status", "pending"}},
      choices);
  // Whatever was chosen, and also if nothing was: the tool has done its work.
  if (is_cancelled_)
    finish(call_id, kEnded);
  else
    finish(call_id, ToolOutput{chosen.empty() ? "no answer" : chosen});
  return chosen;
}

std::string DemoTask::request_permission(json::object tool_call,
                                         const std::vector<DemoChoice>& choices) {
  json::array options;
  for (const DemoChoice& choice : choices) {
    options.push_back({{"optionId", choice.id}, {"name", choice.label}, {"kind", choice.kind}});
  }
  const std::string request_id = "ask_" + random_id();
  channel_.send({{"jsonrpc", "2.0"},
                 {"id", request_id},
                 {"method", "session/request_permission"},
                 {"params",
                  {{"sessionId", session_id_},
                   {"toolCall", std::move(tool_call)},
                   {"options", std::move(options)}}}});
  const auto is_answer = [&](const json::object& message) {
    return text_at(message, "id") == request_id && !message.contains("method");
  };
  const auto deadline = SteadyClock::now() + kUntilAnswered;
  while (!is_over() && SteadyClock::now() < deadline) {
    auto& inbox = channel_.inbox();
    const auto answer = std::find_if(inbox.begin(), inbox.end(), is_answer);
    if (answer != inbox.end()) {
      std::string chosen = chosen_option(*answer);
      inbox.erase(answer);
      return chosen;
    }
    channel_.wait(std::chrono::seconds(1));
  }
  return {};
}

void DemoTask::pause(std::chrono::milliseconds time) {
  const auto end = SteadyClock::now() + time;
  while (!is_over()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now());
    if (left.count() <= 0) return;
    channel_.wait(left);
  }
}

bool DemoTask::is_over() {
  if (!is_cancelled_) {
    channel_.wait(std::chrono::milliseconds(0));
    take_cancel();
  }
  return is_cancelled_;
}

void DemoTask::take_cancel() {
  auto& inbox = channel_.inbox();
  const auto is_cancel = [this](const json::object& message) {
    if (text_at(message, "method") != "session/cancel") return false;
    const json::value* params = message.if_contains("params");
    return params && params->is_object() &&
           text_at(params->as_object(), "sessionId") == session_id_;
  };
  if (std::erase_if(inbox, is_cancel) > 0 || channel_.is_closed()) is_cancelled_ = true;
}

void DemoTask::update(json::object update) {
  channel_.notify("session/update", {{"sessionId", session_id_}, {"update", std::move(update)}});
}

}  // namespace oriel
