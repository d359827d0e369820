#include "mcp_client.h"

#include "http_exchange.h"

#include <boost/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string header(const std::string& head, const std::string& name) {
  const std::size_t found = lower(head).find("\r\n" + name + ": ");
  if (found == std::string::npos) return {};
  const std::size_t begin = found + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

std::string common_head(std::uint16_t port, const std::string& session) {
  std::string head = " /mcp HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                     "\r\nMCP-Protocol-Version: 2025-11-25\r\n";
  if (!session.empty()) head += "Mcp-Session-Id: " + session + "\r\n";
  return head;
}

}  // namespace

std::string mcp_post(std::uint16_t port, const std::string& session, std::string_view body) {
  std::string request = "POST" + common_head(port, session) +
                        "Accept: application/json, text/event-stream\r\nContent-Type: "
                        "application/json\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n";
  return request.append(body);
}

std::string mcp_get(std::uint16_t port, const std::string& session, const std::string& after) {
  std::string request = "GET" + common_head(port, session) + "Accept: text/event-stream\r\n";
  if (!after.empty()) request += "Last-Event-ID: " + after + "\r\n";
  return request + "\r\n";
}

std::string rpc_message(std::string_view method, const json::object& params) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}});
}

McpClient::McpClient(std::uint16_t port) : port_(port), socket_(connect_to(port)) {}

std::string McpClient::begin() {
  const json::object hello{{"protocolVersion", "2025-11-25"},
                           {"capabilities", json::object()},
                           {"clientInfo", {{"name", "bench"}, {"version", "1"}}}};
  const std::string session = ask("", rpc_message("initialize", hello)).session;
  ask(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  return session;
}

json::object McpClient::call(const std::string& session, std::string_view method,
                             const json::object& params) {
  const std::string body = ask(session, rpc_message(method, params)).body;
  const json::object answer = json::parse(body).as_object();
  if (!answer.contains("result")) throw std::runtime_error(body);
  return answer.at("result").as_object();
}

McpAnswer McpClient::ask(const std::string& session, std::string_view body) {
  const std::string request = mcp_post(port_, session, body);
  HttpAnswer answer = http_exchange(socket_, request);
  return {.session = header(answer.head, "mcp-session-id"), .body = std::move(answer.body)};
}

}  // namespace oriel
