#pragma once
// Finds the end of a request head and rejects what other servers may parse differently: bare line
// breaks, folded lines and NUL bytes enable request smuggling.

#include "http/response.h"

#include <boost/system/result.hpp>

#include <optional>
#include <string_view>

namespace oriel::http {

// Position of the head in the scanned bytes.
struct HeadSpan {
  std::size_t begin = 0;  // after an empty line that some clients send between requests
  std::size_t end = 0;
};

// Scans one head. The result does not depend on how the bytes are split.
class HeadScanner {
 public:
  explicit HeadScanner(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // `bytes` holds everything since the first byte of the head; bytes seen before are not rescanned.
  // Returns none until the head is complete; a rejection is 400, 431 or 505.
  boost::system::result<std::optional<HeadSpan>, Response> scan(std::string_view bytes);

 private:
  std::optional<Response> refuse_byte(std::string_view bytes) const;

  std::size_t max_bytes_;
  std::size_t seen_ = 0;
  std::size_t begin_ = 0;
  std::size_t line_ = 0;  // start of the current line
};

}  // namespace oriel::http
