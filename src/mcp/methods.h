#pragma once
// The methods that all eras share: lists of what there is, and calls of it.

#include "mcp/call.h"
#include "mcp/catalog.h"

#include <string_view>

namespace oriel::mcp {

// Const once built, so that all shards use it.
class Methods {
 public:
  explicit Methods(const Catalog& catalog);

  bool knows(std::string_view method) const;

  // Any of the methods that it knows.
  asio::awaitable<RpcResult> run(Call& call) const;

  // None: there is no such tool.
  const Tool* tool(std::string_view name) const;

  // What the server can do, for the answer to initialize (or to server/discover).
  boost::json::object capabilities(bool is_stateless) const;
  boost::json::object server_info() const;

  const Catalog& catalog() const { return catalog_; }

 private:
  asio::awaitable<RpcResult> call_tool(Call& call) const;
  asio::awaitable<RpcResult> get_prompt(Call& call) const;
  asio::awaitable<RpcResult> list_resources(Call& call) const;
  asio::awaitable<RpcResult> read_resource(Call& call) const;

  const Catalog& catalog_;
  boost::json::object tools_;  // the answers to the lists that never change
  boost::json::object prompts_;
  boost::json::object templates_;
  boost::json::array resources_;
};

constexpr std::string_view kTasksExtension = "io.modelcontextprotocol/tasks";

// What every answer of 2026-07-28 says beside its result: its type, who answers, and how long it
// may be kept.
void stamp_stateless(boost::json::object& result, std::string_view method,
                     const boost::json::object& server_info);

}  // namespace oriel::mcp
