#pragma once
// An MCP client over raw HTTP: one of the era of sessions, and one of 2026-07-28.

#include "http_call.h"
#include "raw_client.h"

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

using Message = boost::json::object;

// For what an agent does on a crowded machine.
constexpr Milliseconds kMcpPatience{60'000};

// Messages of one HTTP answer, JSON or a stream, one after another.
class McpStream {
 public:
  McpStream(const ServerProcess& server, const HttpRequest& request);

  // Read on first use.
  const HttpResponse& head();

  // The next message; throws Closed at the end, TimedOut if none comes.
  Message next(Milliseconds within = kMcpPatience);

  // Those up to the one that answers a request.
  std::vector<Message> until_answer();

  // The next notification or request with this method; others are passed by.
  Message next_with(std::string_view method);

  // Pushed events up to the completion of a task.
  std::vector<Message> until_completion();

  // True if no event is pushed for that long; whatever else comes is passed by.
  bool pushes_nothing_for(Milliseconds time);

  // The id of the last event.
  const std::string& last_id() const { return last_id_; }

  void close() { socket_.close(); }

 private:
  std::optional<Message> next_in_stream(Milliseconds within);

  RawClient socket_;
  std::optional<HttpResponse> head_;
  bool is_over_ = false;
  std::string last_id_;
};

struct McpClientOptions {
  std::string version = "2025-11-25";
  boost::json::object capabilities = {};
  Headers headers = {};
};

// Initialized once constructed.
class McpClient {
 public:
  explicit McpClient(const ServerProcess& server, McpClientOptions options = {});

  // Sends a request; read its messages afterwards.
  std::unique_ptr<McpStream> begin(std::string_view method, boost::json::object params);

  // The result; throws if it is an error.
  boost::json::object request(std::string_view method, boost::json::object params);

  // The whole result of a tool, and what it says in structuredContent; that throws on isError.
  boost::json::object tool_result(std::string_view name, boost::json::object arguments);
  boost::json::object tool(std::string_view name, boost::json::object arguments);
  std::unique_ptr<McpStream> begin_tool(std::string_view name, boost::json::object arguments);

  void set_level(std::string_view level) { request("logging/setLevel", {{"level", level}}); }

  // The answer to a request of the server.
  void answer(const boost::json::value& id, boost::json::object result);

  // The stream that belongs to no request; `last_id` to resume after an event.
  std::unique_ptr<McpStream> listen(const std::string& last_id = {});

  HttpResponse end() const;

  // A message as it would be sent, for tests that spoil it.
  HttpRequest post(const boost::json::object& message) const;

 private:
  const ServerProcess& server_;
  Headers headers_;
  int last_id_ = 0;
};

// A client of 2026-07-28: each request stands alone.
class StatelessClient {
 public:
  explicit StatelessClient(const ServerProcess& server, boost::json::object capabilities = {})
      : server_(server), capabilities_(std::move(capabilities)) {}

  // `meta` is added to params._meta, `more` to params.
  std::unique_ptr<McpStream> begin_tool(std::string_view name, boost::json::object arguments,
                                        boost::json::object meta = {},
                                        boost::json::object more = {});
  boost::json::object tool(std::string_view name, boost::json::object arguments);

  // Any other method; `name` is what Mcp-Name has to say, if anything.
  std::unique_ptr<McpStream> begin(const std::string& method, boost::json::object params,
                                   const std::string& name = {}, boost::json::object meta = {});

 private:
  const ServerProcess& server_;
  boost::json::object capabilities_;
  int last_id_ = 0;
};

// The event in a pushed message, and its index in the session.
boost::json::object event_in(const Message& message);
std::int64_t index_in(const Message& message);

bool is_push(const Message& message);

}  // namespace oriel
