#pragma once
// The page that Oriel serves of itself, and the client module that it and other pages use. Their
// files are part of the program.

#include "http/router.h"
#include "http/static_files.h"

#include <map>
#include <string>

namespace oriel {

// Owned by the app.
class PageEndpoint {
 public:
  PageEndpoint();

  void add_routes(http::Router& router) const;

 private:
  std::map<std::string, http::StaticFile> files_;  // by path
};

}  // namespace oriel
