#pragma once
// What an MCP server offers: its tools, resources and prompts. Filled before the server runs, and
// never changed afterwards.

#include "mcp/rpc.h"
#include "runtime/asio.h"

#include <boost/json/array.hpp>

#include <functional>
#include <string>
#include <vector>

namespace oriel::mcp {

class Call;
class Session;

// Runs on the shard of its call, which outlives it. What it answers is the method's result; what
// it cannot do for the model to read is a result too (tool_error), an RpcError is for the program.
// An exception is logged and becomes an internal error.
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
  // Of kOptional: which calls become tasks, by their arguments; none: all of a client that can.
  std::function<bool(const boost::json::object& arguments)> wants_task = {};
  bool asks_first = false;  // its call asks the client before it becomes a task, not in it
  Handler handler;          // answers a CallToolResult
  bool is_listed = true;
};

struct Resource {
  std::string uri;  // of a template: with {name} for each part that varies, a whole path segment
  std::string name;
  std::string title;
  std::string description;
  std::string mime_type;
  Handler handler;  // answers a ReadResourceResult; Call::uri_part gives a template's parts
};

struct Prompt {
  std::string name;
  std::string title;
  std::string description;
  boost::json::array arguments;
  Handler handler;  // answers a GetPromptResult
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

  // Where else a client finds what a stream no longer holds, for its error; empty: nowhere.
  std::string purge_hint;
  // More resources, which come and go: answers {"resources":[...]}. None: there are only those
  // above.
  Handler more_resources;
  // completion/complete; none: the server does not declare it.
  Handler complete;
  // Called when a client's session begins, on its shard; what it returns lives as long as the
  // session and is found by Session::companion(). None: nothing.
  std::function<std::shared_ptr<void>(Session& session)> companion;
};

// CallToolResults.
boost::json::object text_result(std::string_view text);
boost::json::object structured_result(boost::json::object content);  // and its text
boost::json::object tool_error(std::string_view text);               // isError: for the model

}  // namespace oriel::mcp
