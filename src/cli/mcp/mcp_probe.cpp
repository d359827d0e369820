#include "cli/mcp/mcp_probe.h"

#include "cli/mcp/mcp_line.h"

namespace oriel {
namespace {

constexpr HttpDeadlines kProbeDeadlines{.connect = std::chrono::seconds(3),
                                        .response = std::chrono::seconds(3)};

constexpr const char* kDiscover =
    R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{)"
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{}}}})";

}  // namespace

HttpRequest mcp_probe_request(const ServerAccess& server) {
  HttpRequest request = make_request(server, "POST", "/mcp");
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back("Accept", "application/json, text/event-stream");
  const auto line = read_mcp_line(kDiscover);
  for (auto& header : stateless_headers(*line))
    request.headers.push_back(std::move(header));
  request.body = kDiscover;
  return request;
}

Result<HttpResponse> probe_mcp(const ServerAccess& server) {
  return fetch_now(mcp_probe_request(server), kProbeDeadlines);
}

}  // namespace oriel
