#pragma once
// The demo agent: an ACP agent that works without a model.

#include "demo/conversations.h"
#include "demo/demo_task.h"
#include "demo/rpc_channel.h"

#include <chrono>
#include <map>
#include <string>

namespace oriel {

struct DemoOptions {
  std::filesystem::path state_directory;
  std::chrono::milliseconds pace{15};  // between two words
};

// One per process; one task at a time. Requests that come during a task wait for its end.
class DemoAgent {
 public:
  DemoAgent(RpcChannel& channel, DemoOptions options);

  // Until the client closes the channel.
  void run();

 private:
  // What it knows of a conversation while it runs.
  struct Live {
    DemoConversation conversation;
    bool is_resumed = false;  // and nothing was asked since
  };

  void handle(const boost::json::object& message);
  void initialize(const boost::json::value& id);
  void new_session(const boost::json::value& id, const boost::json::object& params);
  void load_session(const boost::json::value& id, const boost::json::object& params);
  void prompt(const boost::json::value& id, const boost::json::object& params);
  void carry_out(const boost::json::value& id, const std::string& text, Live& live);
  void replay(const DemoConversation& conversation);
  void save(const DemoConversation& conversation);

  RpcChannel& channel_;
  DemoOptions options_;
  Conversations conversations_;
  std::map<std::string, Live> live_;
};

}  // namespace oriel
