#pragma once
// A prompt that is being carried out: what the agent says, does and asks, told to the client as it
// happens.

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

// The client may end it at any moment (session/cancel, or by closing the channel); from then on
// everything here returns at once and tells nothing. Messages of other kinds stay in the channel.
class DemoTask {
 public:
  DemoTask(RpcChannel& channel, std::string session_id, std::chrono::milliseconds pace);

  // In pieces of a word each, at the task's pace.
  void say(std::string_view text);

  // In one piece, as it is.
  void say_at_once(std::string_view text);
  void think(std::string_view text);

  // Announces the call, does the work, and reports its output or its error.
  Result<ToolOutput> use(const DemoTool& tool, const ToolWork& work);

  // The same, if the client allows it.
  Result<ToolOutput> use_if_allowed(const DemoTool& tool, const ToolWork& work);

  // The id of what the client chose; empty if it chose nothing.
  std::string ask(std::string_view question, const std::vector<DemoChoice>& choices);

  void pause(std::chrono::milliseconds time);

  // Looks for a cancel that has arrived.
  bool is_over();

  RpcChannel& channel() { return channel_; }

  // What it has said so far; of a flood, the beginning.
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
