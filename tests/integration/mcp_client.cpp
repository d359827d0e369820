#include "mcp_client.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kMeta = "io.modelcontextprotocol/";

json::object content_of(const json::object& result) {
  if (result.contains("isError")) throw std::runtime_error("refused: " + json::serialize(result));
  return result.at("structuredContent").as_object();
}

json::object result_of(const Message& message) {
  if (!message.contains("result"))
    throw std::runtime_error("not a result: " + json::serialize(message));
  return message.at("result").as_object();
}

}  // namespace

McpStream::McpStream(const ServerProcess& server, const HttpRequest& request)
    : socket_(server.port()) {
  socket_.send(request.bytes());
}

const HttpResponse& McpStream::head() {
  if (!head_) head_ = parse_head(socket_.read_until("\r\n\r\n", kMcpPatience));
  return *head_;
}

Message McpStream::next(Milliseconds within) {
  if (is_over_) throw Closed("nothing more to read");
  if (head().header("content-type") == "text/event-stream") {
    while (true) {
      if (auto message = next_in_stream(within)) return *std::move(message);
    }
  }
  is_over_ = true;
  const std::string length = head().header("content-length");
  return json::parse(socket_.read_exactly(std::stoul(length))).as_object();
}

// None for a block without data.
std::optional<Message> McpStream::next_in_stream(Milliseconds within) {
  const std::string block = socket_.read_until("\n\n", within);
  std::string data;
  std::size_t start = 0;
  while (start < block.size()) {
    const std::size_t end = block.find('\n', start);
    const std::string line = block.substr(start, end - start);
    if (line.starts_with("data: ")) data += line.substr(6);
    if (line.starts_with("id: ")) last_id_ = line.substr(4);
    start = end + 1;
  }
  if (data.empty()) return std::nullopt;
  return json::parse(data).as_object();
}

std::vector<Message> McpStream::until_answer() {
  std::vector<Message> messages;
  while (true) {
    messages.push_back(next());
    if (messages.back().contains("result") || messages.back().contains("error")) return messages;
  }
}

Message McpStream::next_with(std::string_view method) {
  while (true) {
    Message message = next();
    const json::value* const name = message.if_contains("method");
    if (name != nullptr && name->as_string() == method) return message;
  }
}

std::vector<Message> McpStream::until_completion() {
  std::vector<Message> messages;
  while (true) {
    messages.push_back(next_with("notifications/message"));
    if (event_in(messages.back()).at("type").as_string() == "completion") return messages;
  }
}

bool McpStream::pushes_nothing_for(Milliseconds time) {
  const Deadline deadline(time);
  try {
    while (!is_push(next(deadline.left()))) {
    }
    return false;
  } catch (const TimedOut&) {
    return true;
  }
}

McpClient::McpClient(const ServerProcess& server, McpClientOptions options)
    : server_(server), headers_(std::move(options.headers)) {
  const json::object params{{"protocolVersion", options.version},
                            {"capabilities", options.capabilities},
                            {"clientInfo", {{"name", "test"}, {"version", "1"}}}};
  const json::object hello{
      {"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", params}};
  const HttpResponse answer = call(server_, post(hello));
  if (answer.status != 200) throw std::runtime_error("not initialized: " + answer.body);
  headers_.emplace_back("Mcp-Session-Id", answer.header("mcp-session-id"));
  headers_.emplace_back("MCP-Protocol-Version", options.version);
  call(server_, post({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}));
}

HttpRequest McpClient::post(const json::object& message) const {
  HttpRequest request{
      .method = "POST", .target = "/mcp", .headers = headers_, .body = json::serialize(message)};
  request.headers.emplace_back("Content-Type", "application/json");
  request.headers.emplace_back("Accept", "application/json, text/event-stream");
  return request;
}

std::unique_ptr<McpStream> McpClient::begin(std::string_view method, json::object params) {
  const json::object message{
      {"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
  return std::make_unique<McpStream>(server_, post(message));
}

json::object McpClient::request(std::string_view method, json::object params) {
  return result_of(begin(method, std::move(params))->until_answer().back());
}

std::unique_ptr<McpStream> McpClient::begin_tool(std::string_view name, json::object arguments) {
  return begin("tools/call", {{"name", name}, {"arguments", std::move(arguments)}});
}

json::object McpClient::tool_result(std::string_view name, json::object arguments) {
  return result_of(begin_tool(name, std::move(arguments))->until_answer().back());
}

json::object McpClient::tool(std::string_view name, json::object arguments) {
  return content_of(tool_result(name, std::move(arguments)));
}

void McpClient::answer(const json::value& id, json::object result) {
  const json::object message{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
  const HttpResponse taken = call(server_, post(message));
  if (taken.status != 202) throw std::runtime_error("an answer was not taken: " + taken.body);
}

std::unique_ptr<McpStream> McpClient::listen(const std::string& last_id) {
  HttpRequest request{.target = "/mcp", .headers = headers_};
  request.headers.emplace_back("Accept", "text/event-stream");
  if (!last_id.empty()) request.headers.emplace_back("Last-Event-ID", last_id);
  auto stream = std::make_unique<McpStream>(server_, request);
  if (stream->head().status != 200) throw std::runtime_error("no stream: " + stream->head().head);
  return stream;
}

HttpResponse McpClient::end() const {
  return call(server_, {.method = "DELETE", .target = "/mcp", .headers = headers_});
}

std::unique_ptr<McpStream> StatelessClient::begin(const std::string& method, json::object params,
                                                  const std::string& name, json::object meta) {
  meta[std::string(kMeta) + "protocolVersion"] = "2026-07-28";
  meta[std::string(kMeta) + "clientInfo"] = json::object{{"name", "test"}, {"version", "1"}};
  meta[std::string(kMeta) + "clientCapabilities"] = capabilities_;
  params["_meta"] = std::move(meta);
  const json::object message{
      {"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}};
  HttpRequest request{.method = "POST",
                      .target = "/mcp",
                      .headers = {{"Content-Type", "application/json"},
                                  {"Accept", "application/json, text/event-stream"},
                                  {"MCP-Protocol-Version", "2026-07-28"},
                                  {"Mcp-Method", method}},
                      .body = json::serialize(message)};
  if (!name.empty()) request.headers.emplace_back("Mcp-Name", name);
  return std::make_unique<McpStream>(server_, request);
}

std::unique_ptr<McpStream> StatelessClient::begin_tool(std::string_view name,
                                                       json::object arguments, json::object meta,
                                                       json::object more) {
  more["name"] = name;
  more["arguments"] = std::move(arguments);
  return begin("tools/call", std::move(more), std::string(name), std::move(meta));
}

json::object StatelessClient::tool(std::string_view name, json::object arguments) {
  return content_of(result_of(begin_tool(name, std::move(arguments))->until_answer().back()));
}

json::object event_in(const Message& message) {
  return message.at("params").at("data").as_object();
}

std::int64_t index_in(const Message& message) {
  return message.at("params").at("_meta").at("oriel/index").to_number<std::int64_t>();
}

bool is_push(const Message& message) {
  const json::value* const method = message.if_contains("method");
  return method != nullptr && method->as_string() == "notifications/message";
}

}  // namespace oriel
