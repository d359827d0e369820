#pragma once
// A change that subscribed clients are notified of.

#include "base/principal.h"

#include <boost/json/object.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace oriel::mcp {

struct Change {
  enum class What { kTools, kPrompts, kResources, kResource, kTask } what = What::kResource;
  std::string uri;           // kResource: its URI; kTask: the task id
  boost::json::object task;  // kTask: the result of tasks/get
  // Projects affected. Only principals that see one of them are notified. None: notify all.
  std::optional<std::set<std::string>> projects = {};
  // The session that changed. Principals of one session are notified of that one only. Empty: none.
  std::string session_id = {};

  bool is_visible_to(const Principal& principal) const;
};

// "notifications/tools/list_changed", ...
std::string_view notification_of(Change::What what);

// Its params, without fields that differ between clients.
boost::json::object params_of(const Change& change);

}  // namespace oriel::mcp
