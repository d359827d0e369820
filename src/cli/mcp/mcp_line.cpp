#include "cli/mcp/mcp_line.h"

#include "mcp/stateless/mirrored_headers.h"
#include "mcp/stateless/stateless_gate.h"

#include <algorithm>

namespace oriel {
namespace {

McpLineKind kind_of(const mcp::RpcRequest& request) {
  return request.method == "initialize" ? McpLineKind::kInitialize : McpLineKind::kRequest;
}

McpLineKind kind_of(const mcp::RpcNotification& notification) {
  if (notification.method == "notifications/initialized") return McpLineKind::kInitialized;
  if (notification.method == "notifications/cancelled") return McpLineKind::kCancel;
  return McpLineKind::kNotice;
}

template <class Message>
void read_call(McpLine& line, Message& message) {
  line.kind = kind_of(message);
  line.method = std::move(message.method);
  line.params = std::move(message.params);
  line.version = mcp::named_version(line.params).value_or("");
}

void read_single(McpLine& line, mcp::RpcMessage& message) {
  if (auto* const request = std::get_if<mcp::RpcRequest>(&message)) {
    line.ids.push_back(request->id);
    read_call(line, *request);
  } else if (auto* const notification = std::get_if<mcp::RpcNotification>(&message)) {
    read_call(line, *notification);
    const auto* const id = line.params.if_contains("requestId");
    if (line.kind == McpLineKind::kCancel && id != nullptr) line.cancelled = *id;
  }
}

// A body may contain any text, a header only visible ASCII.
bool fits_a_header(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

boost::system::result<McpLine, mcp::RpcFault> read_mcp_line(std::string text) {
  auto body = mcp::parse_rpc(text);
  if (!body) return body.error();
  McpLine line;
  line.text = std::move(text);
  if (!body->is_batch) {
    read_single(line, body->messages.front());
    return line;
  }
  for (const mcp::RpcMessage& message : body->messages) {
    if (const auto* const request = std::get_if<mcp::RpcRequest>(&message))
      line.ids.push_back(request->id);
  }
  if (!line.ids.empty()) line.kind = McpLineKind::kRequest;
  return line;
}

bool is_listening(const McpLine& line) {
  return line.method == "subscriptions/listen";
}

HttpHeaders stateless_headers(const McpLine& line) {
  HttpHeaders headers;
  if (fits_a_header(line.version)) headers.emplace_back("MCP-Protocol-Version", line.version);
  if (fits_a_header(line.method)) headers.emplace_back("Mcp-Method", line.method);
  if (const auto thing = mcp::named_thing(line.method, line.params))
    headers.emplace_back("Mcp-Name", mcp::header_value(*thing));
  return headers;
}

}  // namespace oriel
