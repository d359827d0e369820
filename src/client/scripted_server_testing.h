#pragma once
// For tests: a server on loopback that answers each connection with its next script.

#include <boost/asio/completion_condition.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace oriel {

// A response with this JSON.
inline std::string json_answer(std::string_view body, std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> scripts)
      : acceptor_(io_, {boost::asio::ip::make_address("127.0.0.1"), 0}),
        port_(acceptor_.local_endpoint().port()),
        thread_([this, scripts = std::move(scripts)] { serve(scripts); }) {}

  ~ScriptedServer() {
    if (thread_.joinable()) thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // The request of each connection, with its body. Waits until all scripts are done.
  const std::vector<std::string>& requests() {
    if (thread_.joinable()) thread_.join();
    return requests_;
  }

 private:
  // Bytes of the body that did not arrive with the head.
  static std::size_t body_missing(const std::string& request) {
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    const std::size_t header = request.find(kLength);
    if (header == std::string::npos) return 0;
    const std::size_t length = std::stoul(request.substr(header + kLength.size()));
    return request.find("\r\n\r\n") + 4 + length - request.size();
  }

  void serve(const std::vector<std::string>& scripts) {
    for (const std::string& script : scripts) {
      auto socket = acceptor_.accept();
      std::string request;
      boost::system::error_code ec;
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(request), "\r\n\r\n", ec);
      const std::size_t missing = body_missing(request);
      boost::asio::read(socket, boost::asio::dynamic_buffer(request),
                        boost::asio::transfer_exactly(missing), ec);
      requests_.push_back(request);
      boost::asio::write(socket, boost::asio::buffer(script), ec);
      socket.shutdown(socket.shutdown_send, ec);
      char byte = 0;
      while (!ec)
        socket.read_some(boost::asio::buffer(&byte, 1), ec);  // until the client closes
    }
  }

  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  unsigned short port_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace oriel
