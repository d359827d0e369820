#include "http_call.h"

#include "raw_client.h"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace oriel {
namespace {

std::string to_lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string read_chunks(Connection& connection) {
  std::string body;
  while (true) {
    const std::size_t size = std::stoul(connection.read_until("\r\n"), nullptr, 16);
    body += connection.read_exactly(size);
    connection.read_exactly(2);
    if (size == 0) return body;
  }
}

}  // namespace

std::string HttpRequest::bytes() const {
  std::string bytes = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  for (const auto& [name, value] : headers)
    bytes += name + ": " + value + "\r\n";
  if (!body.empty()) bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return bytes + "\r\n" + body;
}

std::string HttpResponse::header(std::string_view name) const {
  const auto has_name = [name](const auto& entry) { return entry.first == name; };
  const auto found = std::find_if(headers.begin(), headers.end(), has_name);
  if (found == headers.end()) return {};
  if (std::find_if(found + 1, headers.end(), has_name) != headers.end()) {
    throw std::runtime_error("more than one header " + std::string(name));
  }
  return found->second;
}

boost::json::object HttpResponse::json() const {
  if (header("content-type") != "application/json") {
    throw std::runtime_error("not JSON: " + head + body);
  }
  return boost::json::parse(body).as_object();
}

std::string HttpResponse::error() const {
  const boost::json::object error = json().at("error").as_object();
  return std::string(error.at("code").as_string()) + ": " +
         std::string(error.at("message").as_string());
}

std::string HttpResponse::error_code() const {
  return std::string(json().at("error").as_object().at("code").as_string());
}

HttpResponse parse_head(std::string head) {
  HttpResponse response;
  if (!head.starts_with("HTTP/1.1 ") || head.size() < 14) {
    throw std::runtime_error("not a response: " + head);
  }
  response.status = std::stoi(head.substr(9, 3));
  std::size_t start = head.find("\r\n") + 2;
  while (true) {
    const std::size_t end = head.find("\r\n", start);
    const std::string line = head.substr(start, end - start);
    if (line.empty()) break;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) throw std::runtime_error("not a header: " + line);
    response.headers.emplace_back(to_lower(line.substr(0, colon)), line.substr(colon + 2));
    start = end + 2;
  }
  response.head = std::move(head);
  return response;
}

HttpResponse read_response(Connection& connection, ExpectBody body) {
  HttpResponse response = parse_head(connection.read_until("\r\n\r\n"));
  const bool has_none = response.status == 304 || response.status == 204 || response.status < 200;
  if (body == ExpectBody::kNo || has_none) return response;
  if (response.header("transfer-encoding") == "chunked") {
    response.body = read_chunks(connection);
  } else if (const std::string length = response.header("content-length"); !length.empty()) {
    response.body = connection.read_exactly(std::stoul(length));
  } else {
    response.body = connection.read_to_end();
  }
  return response;
}

HttpResponse call(Connection& connection, const HttpRequest& request) {
  connection.send(request.bytes());
  return read_response(connection, request.method == "HEAD" ? ExpectBody::kNo : ExpectBody::kYes);
}

HttpResponse call(const ServerProcess& server, const HttpRequest& request) {
  RawClient client(server.port());
  return call(client, request);
}

HttpResponse get(const ServerProcess& server, std::string target, Headers headers) {
  const HttpRequest request{.target = std::move(target), .headers = std::move(headers)};
  return call(server, request);
}

HttpResponse post_event(const ServerProcess& server, std::string body, std::string content_type) {
  HttpRequest request{.method = "POST", .target = "/api/events", .body = std::move(body)};
  if (!content_type.empty()) request.headers.emplace_back("Content-Type", content_type);
  if (request.body.empty()) request.headers.emplace_back("Content-Length", "0");
  return call(server, request);
}

std::int64_t active_streams(const ServerProcess& server) {
  return get(server, "/health").json().at("sse").at("active_connections").as_int64();
}

}  // namespace oriel
