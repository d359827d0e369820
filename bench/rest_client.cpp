#include "rest_client.h"

#include <sys/poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace oriel {
namespace {

constexpr int kLimitMs = 30'000;

}  // namespace

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
  if (send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(request.size()))
    fail("send " + line);

  std::string answer;
  std::size_t head = std::string::npos;
  std::size_t whole = 0;
  std::array<char, 64 << 10> buffer;
  while (head == std::string::npos || answer.size() < whole) {
    pollfd ready{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, kLimitMs) == 0) throw std::runtime_error("no answer in 30 s: " + line);
    const ssize_t size = recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EAGAIN) continue;
    if (size <= 0) throw std::runtime_error("the server closed the connection: " + line);
    answer.append(buffer.data(), static_cast<std::size_t>(size));
    if (head != std::string::npos) continue;
    head = answer.find("\r\n\r\n");
    if (head != std::string::npos)
      whole = head + 4 + content_length(std::string_view(answer).substr(0, head));
  }
  if (answer.compare(8, 2, " 2") != 0) throw std::runtime_error(line + ": " + answer);
  return answer.substr(head + 4);
}

}  // namespace oriel
