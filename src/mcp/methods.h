#pragma once
// The methods that all protocol eras share: lists and calls of what the catalog offers.

#include "mcp/call.h"
#include "mcp/catalog.h"

#include <string_view>

namespace oriel::mcp {

// Immutable after construction, shared by all shards.
class Methods {
 public:
  explicit Methods(const Catalog& catalog);

  bool knows(std::string_view method) const;

  // Requires knows(call.method()).
  asio::awaitable<RpcResult> run(Call& call) const;

  // Null for an unknown tool.
  const Tool* tool(std::string_view name) const;

  // Capabilities for the result of initialize or server/discover.
  boost::json::object capabilities(bool is_stateless) const;
  boost::json::object server_info() const;

  const Catalog& catalog() const { return catalog_; }

 private:
  asio::awaitable<RpcResult> call_tool(Call& call) const;
  asio::awaitable<RpcResult> get_prompt(Call& call) const;
  asio::awaitable<RpcResult> list_resources(Call& call) const;
  asio::awaitable<RpcResult> read_resource(Call& call) const;

  const Catalog& catalog_;
  boost::json::object tools_;  // precomputed results of the list methods
  boost::json::object prompts_;
  boost::json::object templates_;
  boost::json::array resources_;
};

constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

// Adds the common fields of 2026-07-28 results: type, server and time to live.
void stamp_stateless(boost::json::object& result, std::string_view method,
                     const boost::json::object& server_info);

}  // namespace oriel::mcp
