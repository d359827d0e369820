// Any bytes as oriel.toml give options or an error that names a line; any bytes as a quantity are
// refused or survive being written and read again.

#include "base/text/quantity.h"
#include "server/load_options.h"

#include <cstdint>
#include <cstdlib>

namespace oriel {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_config(const std::string& text) {
  OptionSources sources{.flags = {}, .environment = {{"HOME", "/"}}, .config = {}};
  sources.config = ConfigText{.name = "oriel.toml", .text = text};
  const auto loaded = load_serve_options(sources);
  require(loaded || loaded.error().message.starts_with("oriel.toml line "));
}

void check_quantities(const std::string& text) {
  const auto duration = parse_duration(text);
  if (duration) require(parse_duration(format_duration(*duration)) == duration);
  const auto bytes = parse_bytes(text);
  if (bytes) require(parse_bytes(format_bytes(*bytes)) == bytes);
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  oriel::check_config(text);
  oriel::check_quantities(text);
  return 0;
}
