#pragma once
// Serves the web page and the client module, which are embedded in the program.

#include "http/router.h"
#include "http/static_files.h"

#include <map>
#include <string>

namespace oriel {

// Must outlive the HTTP server.
class PageEndpoint {
 public:
  PageEndpoint();

  void add_routes(http::Router& router) const;

 private:
  std::map<std::string, http::StaticFile> files_;  // by path
};

}  // namespace oriel
