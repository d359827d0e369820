#pragma once
// One tool call of an ACP agent, assembled from tool_call, tool_call_update and permission
// requests, which arrive in any order.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace oriel {

struct AcpTool {
  std::string known_name;   // by an extension of the protocol, or Gemini's id
  std::string first_title;  // some agents begin with the name
  std::string title;        // latest
  boost::json::value input;
  bool has_raw_input = false;   // even an incomplete one
  boost::json::object details;  // all other fields: content, locations, kind, ...
  std::string output;           // latest

  void learn(const boost::json::value& call);

  // Only updates carry output.
  void learn_output(const boost::json::value& update);

  bool has_input() const;

  // The kind if no title is a name: some are the description or the whole command.
  std::string name() const;

  // Of an agent that reports a command only in its title, that command.
  boost::json::value full_input() const;

  // What a shell would run; empty for other tools.
  std::string command() const;

 private:
  bool is_kind(std::string_view kind) const;
};

}  // namespace oriel
