// Any headers and any body pass the gate for stateless MCP requests or are refused with a reason;
// and what passes says the same in both.

#include "base/text/ascii.h"
#include "base/text/json_access.h"
#include "check.h"
#include "mcp/accept.h"
#include "mcp/stateless/mirrored_headers.h"
#include "mcp/stateless/sealed_state.h"
#include "mcp/stateless/stateless_gate.h"
#include "mcp/uri_template.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace oriel {
namespace {

namespace json = boost::json;

// Lines "name: value" up to an empty one, then {"method","params","schema"}.
http::Request read_input(std::string_view input) {
  http::Request http;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view line = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    if (line.empty()) break;
    const std::size_t colon = std::min(line.find(':'), line.size());
    http.headers.emplace_back(lower_case(line.substr(0, colon)),
                              line.substr(std::min(colon + 1, line.size())));
  }
  http.body = input;
  return http;
}

void check_refusal(const mcp::Refusal& refusal) {
  const int code = refusal.error.code;
  ORIEL_CHECK(refusal.status == 400 && !refusal.error.message.empty());
  ORIEL_CHECK(code == mcp::kInvalidParams || code == mcp::kHeaderMismatch ||
              code == mcp::kUnsupportedVersion);
  boost::system::error_code error;
  json::parse(json::serialize(refusal.error.data), error);  // refuses what is not UTF-8
  ORIEL_CHECK(!error);
}

void check_values(const http::Request& http) {
  static const mcp::StateSealer sealer;
  for (const auto& [name, value] : http.headers) {
    const auto words = mcp::header_words(value);
    const bool is_coded = value.find("=?base64?") != std::string::npos;
    ORIEL_CHECK(!words || is_coded || *words == stripped(value));
    ORIEL_CHECK(!sealer.open(value, name, WallTime{}, std::chrono::hours(1)));
    const auto parts = mcp::match_uri(name, value);
    ORIEL_CHECK(!parts || !parts->empty() || name == value);
  }
  mcp::accepts(http, "application/json");
  mcp::accepts(http, "text/event-stream");
}

void check_gate(const http::Request& http, const json::object& body) {
  const std::string method = text_at(body, "method");
  const json::object params = object_of(member(body, "params"));
  const auto meta = mcp::check_request(http, method, params);
  if (meta) {
    ORIEL_CHECK(mcp::is_stateless(http, params) && meta->version == mcp::kStatelessVersion);
    ORIEL_CHECK(stripped(*http.header("mcp-protocol-version")) == meta->version);
    ORIEL_CHECK(stripped(*http.header("mcp-method")) == method);
    ORIEL_CHECK(!mcp::check_notification(http, method, params));
  } else {
    check_refusal(meta.error());
  }
  if (const auto refusal = mcp::check_notification(http, method, params)) check_refusal(*refusal);
  const auto refusal = mcp::check_param_headers(http, object_of(member(body, "schema")),
                                                object_of(member(params, "arguments")));
  if (refusal) ORIEL_CHECK(refusal->error.code == mcp::kHeaderMismatch);
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace oriel;
  const http::Request http = read_input({reinterpret_cast<const char*>(data), size});
  check_values(http);
  boost::system::error_code error;
  const boost::json::value body = boost::json::parse(http.body, error);
  if (!error && body.is_object()) check_gate(http, body.get_object());
  return 0;
}
