// Any bytes, in any cut, give the same requests and the same refusal; and no request breaks its own
// promises.

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "check.h"
#include "http/request_reader.h"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <string>
#include <vector>

namespace oriel {
namespace {

constexpr http::RequestLimits kLimits{.max_header_bytes = 256, .max_body_bytes = 64};

void check_request(const http::Request& request) {
  ORIEL_CHECK(!request.method.empty());
  ORIEL_CHECK(request.path.starts_with('/'));
  ORIEL_CHECK(request.path.find('\0') == std::string::npos);
  ORIEL_CHECK((request.path + "/").find("/../") == std::string::npos);
  ORIEL_CHECK(request.body.size() <= kLimits.max_body_bytes);
  for (const auto& [name, value] : request.headers) {
    ORIEL_CHECK(!name.empty() && name == lower_case(name));
    ORIEL_CHECK(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
  }
}

std::string describe(const http::Request& request) {
  std::string text = request.method + " " + request.target + " -> " + request.path;
  for (const auto& [name, value] : request.query)
    text += "\n?" + name + "=" + value;
  for (const auto& [name, value] : request.headers)
    text += "\n" + name + ": " + value;
  return text + (request.keep_alive ? "\nkeep\n" : "\nclose\n") + request.body;
}

// Takes what is complete; a refusal stands last.
void drain(http::RequestReader& reader, std::vector<std::string>& seen) {
  reader.wants_continue();
  while (reader.state() == http::ReadState::kDone) {
    const http::Request request = reader.take_request();
    check_request(request);
    seen.push_back(describe(request));
  }
}

void finish(http::RequestReader& reader, std::vector<std::string>& seen) {
  if (reader.state() == http::ReadState::kFailed) {
    const http::Response refusal = reader.take_refusal();
    ORIEL_CHECK(refusal.status >= 400 && refusal.status < 600 && refusal.body);
    seen.push_back(std::to_string(refusal.status) + *refusal.body);
  } else {
    seen.push_back("state " + std::to_string(static_cast<int>(reader.state())));
  }
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  FuzzedDataProvider input(data, size);
  const auto step = input.ConsumeIntegralInRange<std::size_t>(1, 32);
  const std::string bytes = input.ConsumeRemainingBytesAsString();

  std::vector<std::string> whole;
  http::RequestReader at_once(kLimits);
  at_once.feed(bytes);
  drain(at_once, whole);
  finish(at_once, whole);

  std::vector<std::string> pieces;
  http::RequestReader in_pieces(kLimits);
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    in_pieces.feed(std::string_view(bytes).substr(i, step));
    drain(in_pieces, pieces);
  }
  finish(in_pieces, pieces);
  ORIEL_CHECK(whole == pieces);
  return 0;
}
