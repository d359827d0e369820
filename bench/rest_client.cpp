#include "rest_client.h"

#include "http_exchange.h"

namespace oriel {

RestClient::RestClient(std::uint16_t port)
    : host_("127.0.0.1:" + std::to_string(port)), socket_(connect_to(port)) {}

std::string RestClient::get(const std::string& path) {
  return ask("GET " + path, "");
}

std::string RestClient::post(const std::string& path, std::string_view body) {
  return ask("POST " + path, body);
}

std::string RestClient::ask(const std::string& line, std::string_view body) {
  std::string request = line + " HTTP/1.1\r\nHost: " + host_;
  if (!body.empty())
    request +=
        "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size());
  request.append("\r\n\r\n").append(body);
  return http_exchange(socket_, request).body;
}

}  // namespace oriel
