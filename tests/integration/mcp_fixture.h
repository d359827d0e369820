#pragma once
// A server with the demo agent, as MCP's tests need it: a directory to work in, and a home of the
// agent's own.

#include "server_process.h"
#include "temp_dir.h"

#include <boost/json/object.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

class McpFixture {
 public:
  McpFixture();

  std::vector<std::string> flags(std::vector<std::string> more = {}) const;

  // The arguments of session_message for a new session.
  boost::json::object message(std::string_view text, boost::json::object more = {}) const;

  std::filesystem::path data() const { return dir_.path() / "data"; }

 private:
  TempDir dir_;
};

}  // namespace oriel
