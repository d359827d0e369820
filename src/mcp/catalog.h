#pragma once
// What an MCP server offers: tools, resources and prompts. Fixed before the server runs.

#include "mcp/rpc.h"
#include "runtime/asio.h"

#include <boost/json/array.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace oriel::mcp {

class Call;
class Session;
class StreamSource;

// State that the server's owner keeps with each client's session. Lives on the session's shard.
class SessionCompanion {
 public:
  virtual ~SessionCompanion() = default;

  // What the session's standalone stream sends besides the server's own messages. Null: nothing.
  // Lives as long as the companion.
  virtual StreamSource* source() { return nullptr; }

  // What a restart must keep. Call Session::changed() when it has changed.
  virtual boost::json::object state() const { return {}; }

  // The client has set its first level: from now on it receives log messages.
  virtual void level_set() {}
};

// Runs on the shard of its call, which outlives it. Failures for the model to read are results
// (tool_error); an RpcError is for the client program. An exception is logged and becomes an
// internal error.
using Handler = std::function<asio::awaitable<RpcResult>(Call& call)>;

// Whether a call may become a task (the extension io.modelcontextprotocol/tasks).
enum class TaskSupport { kForbidden, kOptional, kRequired };

struct Tool {
  std::string name;
  std::string title;
  std::string description;
  boost::json::object input_schema;
  boost::json::object output_schema;  // empty: none
  boost::json::object annotations;    // empty: none
  TaskSupport tasks = TaskSupport::kForbidden;
  // For kOptional: whether a call becomes a task; unset: every call of a client with task support.
  std::function<bool(const boost::json::object& arguments)> wants_task = {};
  bool asks_first = false;  // asks the client before it becomes a task, not during it
  // Whether such a call may be run again after a restart, under the same Call::stable_id(). Unset:
  // no call.
  std::function<bool(const boost::json::object& arguments)> can_run_again = {};
  Handler handler;  // returns a CallToolResult
  bool is_listed = true;
};

struct Resource {
  std::string uri;  // a template has {name} for each variable path segment
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  Handler handler;  // returns a ReadResourceResult; Call::uri_part returns a template's parts
};

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  boost::json::array arguments;
  Handler handler;  // returns a GetPromptResult
};

struct Catalog {
  std::string name;  // of the server
  std::string title;
  std::string version;
  std::string instructions;
  std::vector<Tool> tools;
  std::vector<Resource> resources;
  std::vector<Resource> templates;
  std::vector<Prompt> prompts;

  // Hint in the error for purged events: where to read them instead. Empty: none.
  std::string purge_hint;
  // What a client does about a call that ended because the server stopped.
  std::string stop_hint = "call it again";
  // Returns dynamic resources, {"resources":[...]}. None: only the resources above.
  Handler more_resources;
  // completion/complete; none: the server does not declare it.
  Handler complete;
  // Called on the session's shard when a client's session begins, or is used again after a restart:
  // then with the companion's state of before, else with an empty one. The result lives as long as
  // the session, which returns it from companion(). None: no companion.
  std::function<std::shared_ptr<SessionCompanion>(Session& session,
                                                  const boost::json::object& before)>
      companion;
};

// CallToolResults.
boost::json::object text_result(std::string_view text);
boost::json::object structured_result(boost::json::object content);  // with its text
boost::json::object tool_error(std::string_view text);               // isError: for the model

}  // namespace oriel::mcp
