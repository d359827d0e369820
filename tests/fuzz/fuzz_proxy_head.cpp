// Any bytes are a request for one destination, or refused; what is passed on is one request.

#include "agent/sandbox/proxy_head.h"
#include "check.h"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const std::string head =
      std::string(reinterpret_cast<const char*>(data), size).substr(0, 4096) + "\r\n\r\n";
  const auto request = parse_proxy_head(head.substr(0, head.find("\r\n\r\n") + 4));
  if (!request) {
    ORIEL_CHECK(!request.error().message.empty());
    return 0;
  }
  const HostPort& wanted = request->destination;
  ORIEL_CHECK(wanted.port != 0 && !wanted.host.empty() && wanted.host.size() <= 253);
  ORIEL_CHECK(parse_host_port(to_string(wanted)).value() == wanted);
  if (request->forwarded.empty()) return 0;
  const std::string& passed_on = request->forwarded;
  ORIEL_CHECK(passed_on.find("\r\n\r\n") + 4 == passed_on.size());
  ORIEL_CHECK(passed_on.ends_with("Connection: close\r\n\r\n"));
  ORIEL_CHECK(passed_on.find(" /") != std::string::npos);
  return 0;
}
