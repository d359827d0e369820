// Any bytes, in any cut, give the same parts and the same refusal; and no part breaks its promises.

#include "base/text/utf8.h"
#include "check.h"
#include "http/multipart.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <string>

namespace oriel {
namespace {

constexpr http::MultipartLimits kLimits{.max_head_bytes = 200, .max_parts = 8};

void check_begin(const http::PartBegins& part) {
  ORIEL_CHECK(!part.name.empty() && is_utf8(part.name));
  if (!part.filename) return;
  ORIEL_CHECK(part.filename->find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  ORIEL_CHECK(is_utf8(*part.filename));
}

// What is read up to the first refusal, in one text.
std::string read(const std::string& boundary, std::string_view body, std::size_t step) {
  http::MultipartParser parser(boundary, kLimits);
  std::string seen;
  bool is_in_part = false;
  for (std::size_t i = 0; i < body.size(); i += step) {
    const auto events = parser.feed(body.substr(i, step));
    if (!events) return "refused: " + events.error().message;
    for (const http::MultipartEvent& event : *events) {
      const auto* begins = std::get_if<http::PartBegins>(&event);
      ORIEL_CHECK(is_in_part == (begins == nullptr));
      if (begins != nullptr) {
        check_begin(*begins);
        seen +=
            "\n[" + begins->name + "|" + begins->filename.value_or("-") + "|" + begins->type + "]";
        is_in_part = true;
      } else if (const auto* bytes = std::get_if<http::PartBytes>(&event)) {
        ORIEL_CHECK(!bytes->bytes.empty());
        seen += bytes->bytes;
      } else {
        is_in_part = false;
      }
    }
  }
  const auto end = parser.finish();
  return end ? seen : "refused: " + end.error().message;
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  FuzzedDataProvider input(data, size);
  const auto step = input.ConsumeIntegralInRange<std::size_t>(1, 32);
  const std::string type = input.ConsumeRandomLengthString(80);
  const std::string boundary = http::multipart_boundary(type).value_or("xyz");
  ORIEL_CHECK(!boundary.empty() && boundary.size() <= 70);
  const std::string body = input.ConsumeRemainingBytesAsString();
  ORIEL_CHECK(read(boundary, body, body.size() + 1) == read(boundary, body, step));
  return 0;
}
