#pragma once
// A change that subscribed clients are notified of.

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace oriel::mcp {

struct Change {
  enum class What { kTools, kPrompts, kResources, kResource, kTask } what = What::kResource;
  std::string uri;           // kResource: its URI; kTask: the task id
  boost::json::object task;  // kTask: the result of tasks/get
};

// "notifications/tools/list_changed", ...
std::string_view notification_of(Change::What what);

// Its params, without fields that differ between clients.
boost::json::object params_of(const Change& change);

}  // namespace oriel::mcp
