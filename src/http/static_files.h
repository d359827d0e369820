#pragma once
// Files embedded in the program, served with a strong ETag.

#include "http/request.h"
#include "http/response.h"

#include <string>
#include <string_view>

namespace oriel::http {

class StaticFile {
 public:
  StaticFile(std::string content_type, std::string content);

  // 200 with the content, or 304 when If-None-Match has its ETag (or "*").
  Response respond(const Request& request) const;

 private:
  std::string content_type_;
  SharedBytes content_;
  std::string etag_;
};

}  // namespace oriel::http
