#include "http/listeners.h"

#include "http/transport/transport.h"

#include <stdexcept>

namespace oriel::http {
namespace {

FileDescriptor listen_at(const asio::ip::tcp::endpoint& address) {
  asio::io_context io;
  try {
    asio::ip::tcp::acceptor acceptor(io, address, true);
    return FileDescriptor(acceptor.release());
  } catch (const boost::system::system_error& failure) {
    throw std::runtime_error("cannot listen on " + to_string(address) + ": " +
                             failure.code().message() +
                             "; stop what listens there or choose another --listen");
  }
}

std::unique_ptr<SocketFile> listen_at(const std::filesystem::path& path) {
  try {
    return std::make_unique<SocketFile>(path);
  } catch (const std::runtime_error& failure) {
    throw std::runtime_error("cannot listen on " + path.string() + ": " + failure.what() +
                             "; choose another --socket, or none");
  }
}

}  // namespace

Listeners listen(Listeners given, const asio::ip::tcp::endpoint& address,
                 const std::filesystem::path& socket) {
  if (!given.tcp) given.tcp = listen_at(address);
  if (!given.unix_socket && !socket.empty()) {
    given.socket_file = listen_at(socket);
    given.unix_socket = given.socket_file->take_listener();
  }
  return given;
}

}  // namespace oriel::http
