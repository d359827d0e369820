#pragma once
// One tool call of an ACP agent, assembled from tool_call, tool_call_update and permission
// requests, which arrive in any order.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace oriel {

struct AcpTool {
  std::string name;  // the first title, unless an extension reports the name
  std::string title;
  boost::json::value input;
  boost::json::object details;  // all other fields: content, locations, kind, ...
  std::string output;           // latest

  void learn(const boost::json::value& call);

  // Only updates carry output.
  void learn_output(const boost::json::value& update);

  bool has_input() const;
};

}  // namespace oriel
