#pragma once
// What is known of one tool that an ACP agent uses. Agents tell it in pieces, in any order: in
// tool_call, in tool_call_update, and in a request for permission.

#include <boost/json/value.hpp>

#include <string>

namespace oriel {

struct AcpTool {
  std::string name;  // the first title, unless an extension of the agent tells the name itself
  std::string title;
  boost::json::value input;
  std::string output;  // the newest

  void learn(const boost::json::value& call);

  // A call says what the tool will do; an update, what it has done.
  void learn_output(const boost::json::value& update);

  bool has_input() const;
};

}  // namespace oriel
