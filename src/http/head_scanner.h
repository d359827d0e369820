#pragma once
// Finds where a request's head ends, and refuses on the way what other servers may read
// differently: bare line breaks, folded lines and NUL bytes can hide one request inside another.

#include "http/response.h"

#include <boost/system/result.hpp>

#include <optional>
#include <string_view>

namespace oriel::http {

// The head's bytes, as a part of those scanned.
struct HeadSpan {
  std::size_t begin = 0;  // beyond 0 when an empty line came first, as after some clients' bodies
  std::size_t end = 0;
};

// For one head. Whatever the cut of the bytes, the first thing wrong is what is refused.
class HeadScanner {
 public:
  explicit HeadScanner(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // `bytes` are all since the head's first one; those seen before are not looked at again. None
  // while the end has not come; a refusal is 400, 431 or 505.
  boost::system::result<std::optional<HeadSpan>, Response> scan(std::string_view bytes);

 private:
  std::optional<Response> refuse_byte(std::string_view bytes) const;

  std::size_t max_bytes_;
  std::size_t seen_ = 0;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;  // where the line under way begins
};

}  // namespace oriel::http
