#pragma once
// What changed in an MCP server, for the clients that want to know.

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace oriel::mcp {

struct Change {
  enum class What { kTools, kPrompts, kResources, kResource, kTask } what = What::kResource;
  std::string uri;           // of kResource; the id of kTask
  boost::json::object task;  // of kTask: what tasks/get would answer
};

// "notifications/tools/list_changed", ...
std::string_view notification_of(Change::What what);

// Its params, without what is the client's own.
boost::json::object params_of(const Change& change);

}  // namespace oriel::mcp
