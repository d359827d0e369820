#pragma once
// An MCP server without sockets, and the requests of its clients.

#include "base/eventually_testing.h"
#include "mcp/rpc.h"
#include "mcp/server.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/streams/fake_connection_testing.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>

namespace oriel::mcp {

// A server on two shards, asked without sockets.
class TestServer {
 public:
  explicit TestServer(Catalog catalog, Options options = {})
      : shards_(2), catalog_(std::move(catalog)), mcp_(shards_, catalog_, std::move(options)) {
    mcp_.add_routes(router_, "/mcp");
    shards_.start();
    asio::co_spawn(shards_[0].executor(), mcp_.start(), asio::use_future).get();
  }

  ~TestServer() {
    asio::co_spawn(shards_[0].executor(), mcp_.stop(std::chrono::milliseconds(100)),
                   asio::use_future)
        .get();
    shards_.join();
  }

  http::Response ask(http::Request request, std::size_t shard = 0) {
    const auto match = router_.find(request.method, "/mcp");
    request.path = "/mcp";
    return asio::co_spawn(shards_[shard].executor(),
                          match->route->handler(std::move(request), shards_[shard]),
                          asio::use_future)
        .get();
  }

  // Gives the stream its connection, and waits until the client has received `text`.
  bool shows(http::Response& response, FakeClient& client, std::string_view text,
             std::size_t shard = 0) {
    if (response.take_over) {
      run(shard, [&] { response.take_over(std::make_unique<FakeTransport>(client), ""); });
      response.take_over = nullptr;
    }
    return eventually([&] {
      bool is_there = false;
      run(shard, [&] { is_there = client.received.find(text) != std::string::npos; });
      return is_there;
    });
  }

  bool is_closed(const FakeClient& client, std::size_t shard = 0) {
    bool is_closed = false;
    run(shard, [&] { is_closed = client.is_closed; });
    return is_closed;
  }

  void run(std::size_t shard, const std::function<void()>& work) {
    auto call = [](std::function<void()> inner) -> asio::awaitable<void> {
      inner();
      co_return;
    };
    asio::co_spawn(shards_[shard].executor(), call(work), asio::use_future).get();
  }

  Server& mcp() { return mcp_; }

 private:
  Shards shards_;
  Catalog catalog_;
  http::Router router_;
  Server mcp_;
};

inline http::Request post(std::string body, const std::string& session = {}) {
  http::Request request;
  request.method = "POST";
  request.headers = {{"content-type", "application/json"},
                     {"accept", "application/json, text/event-stream"}};
  if (!session.empty()) request.headers.emplace_back("mcp-session-id", session);
  request.body = std::move(body);
  request.principal = {
      .name = "ada", .credential_id = "1", .scopes = ScopeSet::all(), .projects = {}};
  return request;
}

inline http::Request get(const std::string& session, const std::string& last_event_id = {}) {
  http::Request request = post("", session);
  request.method = "GET";
  if (!last_event_id.empty()) request.headers.emplace_back("last-event-id", last_event_id);
  return request;
}

inline std::string rpc(int id, const std::string& method, const boost::json::object& params = {}) {
  return rpc_request(id, method, params);
}

inline std::string call_tool(int id, const std::string& name) {
  return rpc(id, "tools/call", {{"name", name}});
}

inline boost::json::object body_of(const http::Response& response) {
  return boost::json::parse(*response.body).as_object();
}

inline std::string header_of(const http::Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return {};
}

inline std::string begin_session(TestServer& server, const std::string& version = "2025-11-25",
                                 const boost::json::object& capabilities = {}) {
  const http::Response response = server.ask(
      post(rpc(0, "initialize", {{"protocolVersion", version}, {"capabilities", capabilities}})));
  EXPECT_EQ(response.status, 200);
  return header_of(response, "Mcp-Session-Id");
}

inline http::Request modern(int id, const std::string& method, boost::json::object params = {},
                            boost::json::object capabilities = {}) {
  boost::json::object meta;
  meta["io.modelcontextprotocol/protocolVersion"] = kStatelessVersion;
  meta["io.modelcontextprotocol/clientCapabilities"] = std::move(capabilities);
  params["_meta"] = std::move(meta);
  http::Request request = post(rpc(id, method, params));
  request.headers.emplace_back("mcp-protocol-version", kStatelessVersion);
  request.headers.emplace_back("mcp-method", method);
  for (const std::string_view key : {"name", "taskId"}) {
    if (const auto* const name = params.if_contains(key))
      request.headers.emplace_back("mcp-name", name->as_string());
  }
  return request;
}

}  // namespace oriel::mcp
