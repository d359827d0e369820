#include "http/static_files.h"

#include "base/text/ascii.h"
#include "http/digest.h"

namespace oriel::http {
namespace {

constexpr std::size_t kEtagDigits = 32;  // 128 bits distinguish any two files

// RFC 9110, 13.1.2: the comparison is weak, so a proxy's W/ before our tag does not matter.
bool names_etag(std::string_view if_none_match, std::string_view etag) {
  if (stripped(if_none_match) == "*") return true;
  while (!if_none_match.empty()) {
    const std::string_view item = if_none_match.substr(0, if_none_match.find(','));
    if_none_match.remove_prefix(std::min(item.size() + 1, if_none_match.size()));
    std::string_view tag = stripped(item);
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag) return true;
  }
  return false;
}

}  // namespace

StaticFile::StaticFile(std::string content_type, std::string content)
    : content_type_(std::move(content_type)),
      content_(std::make_shared<const std::string>(std::move(content))),
      etag_('"' + sha256_hex(*content_).substr(0, kEtagDigits) + '"') {}

Response StaticFile::respond(const Request& request) const {
  Response response;
  response.headers.emplace_back("ETag", etag_);
  response.headers.emplace_back("Cache-Control", "no-cache");  // revalidate on every use
  const auto known = request.header("if-none-match");
  if (known && names_etag(*known, etag_)) {
    response.status = 304;
    return response;
  }
  response.headers.emplace_back("Content-Type", content_type_);
  response.body = content_;
  return response;
}

}  // namespace oriel::http
