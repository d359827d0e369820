#pragma once
// A prompt in progress: sends the agent's text, tool calls and questions to the client.

#include "base/error.h"
#include "demo/rpc_channel.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct DemoTool {
  std::string name;   // "read_file"
  std::string kind;   // one of ACP's: read, search, edit
  std::string title;  // for people: "Read README.md"
  boost::json::object input;
};

struct ToolOutput {
  std::string text;
};

using ToolWork = std::function<Result<ToolOutput>()>;

struct DemoChoice {
  std::string id;
  std::string label;
  std::string kind;  // one of ACP's: allow_once, reject_once
};

// The client may end it at any moment (session/cancel, or by closing the channel). From then on all
// functions return at once and send nothing. Messages of other kinds stay in the channel.
class DemoTask {
 public:
  DemoTask(RpcChannel& channel, std::string session_id, std::chrono::milliseconds pace);

  // Sends the text word by word at the task's pace.
  void say(std::string_view text);

  // Sends the text in one piece.
  void say_at_once(std::string_view text);
  void think(std::string_view text);

  // Announces the call, does the work, and reports its output or its error.
  Result<ToolOutput> use(const DemoTool& tool, const ToolWork& work);

  // Asks for permission first.
  Result<ToolOutput> use_if_allowed(const DemoTool& tool, const ToolWork& work);

  // The id of the chosen option; empty if the client chose none.
  std::string ask(std::string_view question, const std::vector<DemoChoice>& choices);

  void pause(std::chrono::milliseconds time);

  // Checks whether the client has cancelled the task.
  bool is_over();

  RpcChannel& channel() { return channel_; }

  // The text sent so far; of a flood, only the beginning.
  const std::string& answer() const { return answer_; }

 private:
  void update(boost::json::object update);
  std::string announce(const DemoTool& tool);
  Result<ToolOutput> finish(const std::string& call_id, Result<ToolOutput> result);
  std::string request_permission(boost::json::object tool_call,
                                 const std::vector<DemoChoice>& choices);
  void take_cancel();

  RpcChannel& channel_;
  std::string session_id_;
  std::chrono::milliseconds pace_;
  std::string answer_;
  bool is_cancelled_ = false;
};

}  // namespace oriel
