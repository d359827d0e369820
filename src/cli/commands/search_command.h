#pragma once
// `oriel search`: words in all sessions.

#include "base/time.h"
#include "cli/render/terminal.h"
#include "client/server_access.h"

#include <boost/json/object.hpp>

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

struct SearchCommandOptions {
  ServerAccess server;
  std::vector<std::pair<std::string, std::string>> parameters;  // of GET /api/search
  bool is_json = false;
  bool is_colored = true;
};

// The time of --since and --until for the server: as it is, or that long before now.
Result<std::string> search_time(const std::string& text, WallTime now);

// One result for people, on three lines; `page` is the address of the page.
std::string search_result_text(const boost::json::object& result, const std::string& page,
                               const Screen& screen, WallTime now);

// Prints the results, newest first: for people, or as JSON lines. Returns the exit code.
int search_command(const SearchCommandOptions& options, const Screen& screen, std::ostream& out,
                   std::ostream& err);

}  // namespace oriel
