#pragma once
// A strict incremental parser for multipart/form-data (RFC 7578). Pure; buffers at most one part
// head.

#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel::http {

struct MultipartLimits {
  std::size_t max_head_bytes = 8 << 10;  // of one part
  std::size_t max_parts = 64;
};

struct PartBegins {
  std::string name;
  std::optional<std::string> filename;  // as sent, without NUL and line breaks; none: not a file
  std::string type;                     // as sent; default "text/plain"

  bool operator==(const PartBegins&) const = default;
};

struct PartBytes {
  std::string bytes;  // never empty

  bool operator==(const PartBytes&) const = default;
};

struct PartEnds {
  bool operator==(const PartEnds&) const = default;
};

using MultipartEvent = std::variant<PartBegins, PartBytes, PartEnds>;

// The boundary that a Content-Type of multipart/form-data names; none for any other type.
std::optional<std::string> multipart_boundary(std::string_view content_type);

// Whether a Content-Type is multipart/form-data, with a boundary or without.
bool is_multipart(std::string_view content_type);

// Rejects (invalid_multipart) what the RFC forbids and what it leaves open: text around the parts,
// bare line feeds, folded headers, filename*, transfer encodings.
class MultipartParser {
 public:
  explicit MultipartParser(std::string_view boundary, MultipartLimits limits = {});

  // Parses the next bytes. Must not be called again after an error.
  Result<std::vector<MultipartEvent>> feed(std::string_view bytes);

  // Call at the end of the input: fails if the final boundary is missing.
  Result<void> finish() const;

 private:
  enum class State { kBegin, kDelimited, kHead, kData, kEnd };

  Result<bool> step(std::vector<MultipartEvent>& events);
  Result<bool> take_delimiter();
  Result<bool> take_head(std::vector<MultipartEvent>& events);
  bool take_data(std::vector<MultipartEvent>& events);
  Result<bool> take_end();
  Error refusal(const std::string& problem) const;

  std::string delimiter_;  // CRLF, two dashes and the boundary
  MultipartLimits limits_;
  State state_ = State::kBegin;
  std::size_t parts_ = 0;
  std::string pending_;  // not parsed yet
};

}  // namespace oriel::http
