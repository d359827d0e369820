// Any stream, in any cut, gives the same events; and none holds what ends a line.

#include "check.h"
#include "client/sse_parser.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <string>
#include <vector>

namespace oriel {
namespace {

std::vector<std::string> read(std::string_view bytes, std::size_t step) {
  std::vector<std::string> seen;
  SseParser parser;
  const auto note = [&seen](const SseEvent& event) {
    ORIEL_CHECK(event.id.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    ORIEL_CHECK(!event.event.empty());
    ORIEL_CHECK(event.event.find_first_of("\r\n") == std::string::npos);
    ORIEL_CHECK(event.data.find('\r') == std::string::npos);
    seen.push_back(event.id + "\n" + event.event + "\n" + event.data);
  };
  for (std::size_t i = 0; i < bytes.size(); i += step)
    parser.feed(bytes.substr(i, step), note);
  ORIEL_CHECK(parser.retry_ms() >= 0);
  seen.push_back(parser.last_id() + "\n" + std::to_string(parser.retry_ms()));
  return seen;
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const auto step = input.ConsumeIntegralInRange<std::size_t>(1, 16);
  const std::string bytes = input.ConsumeRemainingBytesAsString();
  ORIEL_CHECK(oriel::read(bytes, bytes.size() + 1) == oriel::read(bytes, step));
  return 0;
}
