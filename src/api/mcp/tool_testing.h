#pragma once
// For tests: calls Oriel's MCP tools without a transport.

#include "api/api_testing.h"
#include "api/mcp/mcp_endpoint.h"
#include "mcp/call.h"
#include "mcp/uri_template.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

// Keeps what a call sends; its client answers no questions.
class FakeCallChannel : public mcp::CallChannel {
 public:
  void send(mcp::SharedMessage message, std::uint64_t) override {
    sent.push_back(std::move(message));
  }

  asio::awaitable<mcp::InputAnswers> ask(std::vector<mcp::InputRequest>,
                                         boost::json::object) override {
    mcp::RpcError error{.code = mcp::kInternalError, .message = "no answer", .data = {}};
    co_return error;
  }

  bool waits_for_answers() const override { return true; }

  void end_connection() override {}

  std::vector<mcp::SharedMessage> sent;
};

class ToolFixture : public ApiFixture {
 protected:
  // The result of a stateless tools/call.
  boost::json::object call(std::string_view tool, boost::json::object arguments = {}) {
    boost::json::object params{{"name", tool}, {"arguments", std::move(arguments)}};
    for (const mcp::Tool& known : catalog_.get().tools) {
      if (known.name == tool) return run(known.handler, "tools/call", std::move(params)).value();
    }
    throw std::runtime_error("no tool " + std::string(tool));
  }

  mcp::RpcResult prompt(std::string_view name, boost::json::object arguments) {
    boost::json::object params{{"name", name}, {"arguments", std::move(arguments)}};
    for (const mcp::Prompt& known : catalog_.get().prompts) {
      if (known.name == name) return run(known.handler, "prompts/get", std::move(params));
    }
    throw std::runtime_error("no prompt " + std::string(name));
  }

  // The result of resources/read.
  mcp::RpcResult read_resource(const std::string& uri) {
    for (const mcp::Resource& known : catalog_.get().templates) {
      if (auto parts = mcp::match_uri(known.uri, uri))
        return run(known.handler, "resources/read", {{"uri", uri}}, *std::move(parts));
    }
    throw std::runtime_error("no resource " + uri);
  }

  // The result of a method that the catalog has one handler for.
  boost::json::object ask(const mcp::Handler& handler, boost::json::object params = {}) {
    return run(handler, "", std::move(params)).value();
  }

  static bool is_error(const boost::json::object& result) { return result.contains("isError"); }

  static std::string code_in(const boost::json::object& result) {
    return std::string(result.at("_meta").at("oriel/error").at("code").as_string());
  }

  static const boost::json::object& content_of(const boost::json::object& result) {
    return result.at("structuredContent").as_object();
  }

  ScopeSet scopes_ = ScopeSet::all();
  ToolContext context_{.sessions = sessions_,
                       .journal = journal_,
                       .hub = hub_,
                       .reader = reader_,
                       .search = search_,
                       .messages = std::vector<EventMessageCache>(1)};
  OrielCatalog catalog_{context_, "1.0"};

 private:
  mcp::RpcResult run(const mcp::Handler& handler, std::string method, boost::json::object params,
                     std::vector<std::pair<std::string, std::string>> uri_parts = {}) {
    mcp::CallFacts facts;
    facts.method = std::move(method);
    facts.params = std::move(params);
    facts.version = "2026-07-28";
    facts.principal = {.name = "ann", .credential_id = "", .scopes = scopes_, .projects = {}};
    FakeCallChannel channel;
    mcp::Call made(std::move(facts), channel, shards_[0]);
    made.set_uri_parts(std::move(uri_parts));
    return wait(handler(made));
  }
};

}  // namespace oriel
