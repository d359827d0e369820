#pragma once
// The files that web/build.mjs builds, embedded in the program.

#include <array>
#include <string_view>

namespace oriel {

struct WebFile {
  std::string_view path;  // of the request
  std::string_view content_type;
  std::string_view content;
};

std::array<WebFile, 6> web_files();

}  // namespace oriel
