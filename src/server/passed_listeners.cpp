#include "server/passed_listeners.h"

#include "http/transport/transport.h"
#include "posix/descriptors/listening_socket.h"
#include "server/usage_error.h"

#include <fcntl.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using asio::ip::tcp;

UsageError unusable(const PassedSocket& socket, const std::string& problem) {
  return UsageError("socket '" + socket.name + "' of the service manager " + problem);
}

// Who may connect, and which host and port requests may name, follow from --listen.
void check_address(const PassedSocket& socket, const tcp::endpoint& at,
                   const ServeOptions& options) {
  const tcp::endpoint wanted(asio::ip::make_address(options.listen_host), options.listen_port);
  const bool has_port = wanted.port() == 0 || wanted.port() == at.port();
  if (at.address() == wanted.address() && has_port) return;
  throw unusable(socket, "listens on " + http::to_string(at) + ", and --listen is " +
                             http::to_string(wanted) + "; set both to the same address");
}

void check_socket_path(const PassedSocket& socket, const fs::path& at,
                       const ServeOptions& options) {
  const fs::path wanted = options.socket.value_or(fs::path());
  if (!is_same_file(at, wanted)) {
    const std::string shown = wanted.empty() ? "none" : wanted.string();
    throw unusable(socket, "is at " + at.string() + ", and --socket is " + shown +
                               "; set both to the same path");
  }
  constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;
  if ((fs::status(at).permissions() & kOthers) != fs::perms::none)
    throw unusable(socket,
                   "is open to other users; set SocketMode=0600 and SocketUser= to the "
                   "user of the server");
}

void take(FileDescriptor& place, FileDescriptor taken, const PassedSocket& socket,
          const std::string& kind) {
  if (place) throw unusable(socket, "is a second " + kind + " socket; pass one");
  place = std::move(taken);
}

}  // namespace

http::Listeners take_listeners(const std::vector<PassedSocket>& sockets,
                               const ServeOptions& options) {
  http::Listeners all;
  for (const PassedSocket& socket : sockets) {
    FileDescriptor descriptor(socket.number);
    const auto at = listening_at(descriptor.get());
    if (!at)
      throw unusable(socket, "is " + at.error().message + "; pass one that ListenStream= makes");
    ::fcntl(descriptor.get(), F_SETFD, FD_CLOEXEC);
    if (at->tcp) {
      check_address(socket, *at->tcp, options);
      take(all.tcp, std::move(descriptor), socket, "TCP");
    } else {
      check_socket_path(socket, at->path, options);
      take(all.unix_socket, std::move(descriptor), socket, "Unix");
    }
  }
  return all;
}

http::Listeners take_passed_listeners(const ServeOptions& options, const Environment& environment,
                                      pid_t process) {
  const auto sockets = announced_sockets(environment, process);
  if (!sockets) throw UsageError(describe(sockets.error()));
  return take_listeners(*sockets, options);
}

}  // namespace oriel
