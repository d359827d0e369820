// Any bytes give an event id that is written as it came, or none; and any fields give an id that
// reads back, unless it is too long.

#include "check.h"
#include "mcp/streams/event_id.h"

#include <algorithm>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = mcp::parse_event_id(text);
  ORIEL_CHECK(!parsed || to_string(*parsed) == text);

  const std::size_t half = size / 2;
  const mcp::EventId id{.session = std::string(text.substr(0, half)),
                        .stream = std::string(text.substr(half)),
                        .node = std::string(text.substr(half / 2, half)),
                        .rpc = std::string(text),
                        .counter = size * 0x9E3779B97F4A7C15u};
  const std::string written = to_string(id);
  ORIEL_CHECK(std::count(written.begin(), written.end(), '-') == 4);
  ORIEL_CHECK(written.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  const auto again = mcp::parse_event_id(written);
  ORIEL_CHECK(written.size() > 1024 ? !again : again == id);
  return 0;
}
