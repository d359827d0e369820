// Any request target gives a clean path and query or an error; any of its values gives names or an
// error.

#include "base/event/event_filter.h"
#include "base/id.h"
#include "check.h"
#include "http/query.h"

#include <cstdint>
#include <string>
#include <vector>

namespace oriel {
namespace {

void check_error(const Error& error, ErrorKind kind) {
  ORIEL_CHECK(error.kind == kind);
  ORIEL_CHECK(!error.message.empty() && !error.hint.empty());
}

void check_path(const std::string& path) {
  ORIEL_CHECK(path.starts_with('/'));
  ORIEL_CHECK(path.find('\0') == std::string::npos);
  ORIEL_CHECK((path + "/").find("/../") == std::string::npos);
  ORIEL_CHECK((path + "/").find("/./") == std::string::npos);
}

void check_names(const std::string& value) {
  std::vector<std::string> names;
  const auto added = add_names(names, "types", value);
  ORIEL_CHECK(names.size() <= kMaxFilterNames);
  std::string joined;
  for (const std::string& name : names) {
    ORIEL_CHECK(is_name(name));
    joined += (joined.empty() ? "" : ",") + name;
  }
  if (!added) return check_error(added.error(), ErrorKind::kInvalidFilter);
  ORIEL_CHECK(joined == value);
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto target = http::parse_target(text);
  if (!target) {
    check_error(target.error(), ErrorKind::kBadTarget);
    return 0;
  }
  check_path(target->path);
  for (const auto& [key, value] : target->query)
    check_names(value);
  return 0;
}
