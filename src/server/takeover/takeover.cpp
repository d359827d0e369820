#include "server/takeover/takeover.h"

#include "base/log.h"
#include "journal/sqlite/sqlite_schema.h"
#include "posix/descriptors/descriptor_message.h"
#include "posix/descriptors/listening_socket.h"
#include "posix/file_lock.h"
#include "posix/socket_owner.h"
#include "server/takeover/handover_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kOfferLimit{10'000};
constexpr milliseconds kDrainReserve{30'000};  // beyond the server's own limit, for its journal
constexpr milliseconds kUnlockLimit{5'000};    // of the journal, after the server's end

std::runtime_error failure(const std::filesystem::path& data_dir, const std::string& reason) {
  return std::runtime_error("cannot take over from the server in " + data_dir.string() + ": " +
                            reason);
}

// Closed if nobody listens there.
FileDescriptor connect_to(const std::filesystem::path& data_dir) {
  const std::string path = (data_dir / kTakeoverSocket).string();
  sockaddr_un address{};
  if (path.size() > kMaxSocketPath) return {};  // a server has none there either
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  FileDescriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  if (::connect(client.get(), generic, sizeof address) == 0) return client;
  if (errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR) return {};
  throw failure(data_dir, std::string(std::strerror(errno)) + "; start this one as the same user");
}

bool is_at(const std::optional<asio::ip::tcp::endpoint>& actual,
           const asio::ip::tcp::endpoint& wanted) {
  if (!actual || actual->address() != wanted.address()) return false;
  return wanted.port() == 0 || wanted.port() == actual->port();
}

}  // namespace

Takeover::Takeover(std::filesystem::path data_dir, FileDescriptor connection)
    : data_dir_(std::move(data_dir)), connection_(std::move(connection)) {}

std::optional<Takeover> Takeover::begin(std::filesystem::path data_dir) {
  FileDescriptor connection = connect_to(data_dir);
  if (!connection) return std::nullopt;
  Takeover takeover(std::move(data_dir), std::move(connection));
  takeover.ask();
  return takeover;
}

void Takeover::ask() {
  const auto user = user_of_unix_peer(connection_.get());
  if (user != ::geteuid())
    throw failure(data_dir_, "it runs as another user; start this one as the same user");
  const auto asked =
      send_message(connection_.get(), to_line(TakeoverRequest{.version = ORIEL_VERSION}));
  if (!asked) throw failure(data_dir_, describe(asked.error()));
  auto answer = receive_message(connection_.get(), kOfferLimit);
  if (!answer) throw failure(data_dir_, describe(answer.error()));
  if (answer->text.empty()) throw failure(data_dir_, "it has just ended; start this one again");
  auto offer = parse_takeover_offer(answer->text);
  if (!offer) throw failure(data_dir_, describe(offer.error()));
  offer_ = *std::move(offer);
  if (offer_.schema > kSchemaVersion)
    throw failure(data_dir_, "its journal has version " + std::to_string(offer_.schema) +
                                 ", this Oriel reads up to " + std::to_string(kSchemaVersion) +
                                 "; start a newer Oriel");
  for (FileDescriptor& descriptor : answer->descriptors) {
    const auto at = listening_at(descriptor.get());
    if (!at) throw failure(data_dir_, "it has passed " + at.error().message);
    (at->tcp ? tcp_ : unix_socket_) = std::move(descriptor);
  }
}

http::Listeners Takeover::take_listeners(const asio::ip::tcp::endpoint& address,
                                         const std::filesystem::path& socket) {
  http::Listeners taken;
  if (tcp_ && is_at(listening_at(tcp_.get())->tcp, address)) taken.tcp = std::move(tcp_);
  const bool is_same = is_same_file(socket, offer_.socket);
  if (!unix_socket_ || !is_same) return taken;
  if (offer_.owns_socket_file) {
    taken.socket_file = std::make_unique<SocketFile>(socket, std::move(unix_socket_));
    taken.unix_socket = taken.socket_file->take_listener();
  } else {
    taken.unix_socket = std::move(unix_socket_);
  }
  takes_socket_file_ = offer_.owns_socket_file;
  return taken;
}

void Takeover::drain() {
  const auto asked = send_message(connection_.get(),
                                  to_line(DrainRequest{.takes_socket_file = takes_socket_file_}));
  if (!asked) throw failure(data_dir_, describe(asked.error()));
  const milliseconds limit = offer_.stops_within + kDrainReserve;
  const auto answer = receive_message(connection_.get(), limit);
  const bool is_late = !answer && answer.error().kind == ErrorKind::kRequestTimeout;
  const bool has_released = answer && answer->text == kReleasedLine;
  if (is_late)
    throw failure(data_dir_, "it has not ended its work within " +
                                 std::to_string(limit.count() / 1000) + " s, and goes on");
  if (!has_released)
    log()->warn("the server that runs here has ended without handing over; going on");
  if (!wait_until_unlocked(data_dir_ / "journal.db.lock", kUnlockLimit))
    throw failure(data_dir_, "its journal is still locked");
}

void Takeover::ready() {
  // Of the listeners that were not taken: nobody would accept from them.
  tcp_ = {};
  unix_socket_ = {};
  const auto sent = send_message(connection_.get(), kReadyLine);
  if (!sent) log()->warn("the server before this one has gone: {}", describe(sent.error()));
  connection_ = FileDescriptor();
}

}  // namespace oriel
