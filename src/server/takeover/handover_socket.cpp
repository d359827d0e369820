#include "server/takeover/handover_socket.h"

#include "base/log.h"
#include "posix/descriptors/descriptor_message.h"
#include "posix/socket_owner.h"
#include "runtime/deadline.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>

#include <unistd.h>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kHandoutLimit{30'000};  // the new process checks its options
constexpr std::chrono::milliseconds kHandoverRetry{100};    // after a failure to accept
constexpr std::size_t kMaxLine = 4096;

asio::awaitable<std::string> read_line(asio::local::stream_protocol::socket& socket) {
  std::string line;
  auto buffer = asio::dynamic_buffer(line, kMaxLine);
  co_await asio::async_read_until(socket, buffer, '\n', asio::use_awaitable);
  co_return line;
}

Error foreign_user() {
  return {.kind = ErrorKind::kNotAllowed,
          .message = "the server runs as user " + std::to_string(::geteuid()),
          .hint = "start the new one as the same user"};
}

// A failure is noticed when the peer's next line is read.
void answer(asio::local::stream_protocol::socket& socket, const std::string& line,
            const std::vector<int>& listeners = {}) {
  const auto sent = send_message(socket.native_handle(), line, listeners);
  if (!sent) log()->debug("takeover: {}", sent.error().message);
}

}  // namespace

HandoverSocket::HandoverSocket(asio::any_io_executor shard, const std::filesystem::path& file,
                               std::function<Handout()> handout)
    : acceptor_(shard), file_(file), handout_(std::move(handout)) {
  acceptor_.assign({}, file_.take_listener().release());
}

asio::awaitable<Successor> HandoverSocket::next() {
  while (true) {
    auto [ec, socket] = co_await acceptor_.async_accept(kNoThrow);
    if (ec) {
      asio::steady_timer pause(acceptor_.get_executor(), kHandoverRetry);
      co_await pause.async_wait(asio::use_awaitable);
      continue;
    }
    auto negotiating = outcome_of(negotiate(std::move(socket)));
    auto outcome = co_await std::move(negotiating);
    if (outcome.failure) {
      log()->info("a new process asked to take over, and went away");
      continue;
    }
    if (*outcome.result) co_return **std::move(outcome.result);
  }
}

// None: the process was refused. Throws if it exits or does not ask to drain.
asio::awaitable<std::optional<Successor>> HandoverSocket::negotiate(Socket socket) {
  const auto user = user_of_unix_peer(socket.native_handle());
  if (user != ::geteuid()) {
    log()->warn("takeover refused: user {} is not the server's own",
                user ? std::to_string(*user) : "unknown");
    answer(socket, refusal_line(foreign_user()));
    co_return std::nullopt;
  }
  auto asking = with_deadline(kHandoutLimit, read_line(socket));
  const std::string asked = co_await std::move(asking);
  const auto request = parse_takeover_request(asked);
  if (!request) {
    answer(socket, refusal_line(request.error()));
    co_return std::nullopt;
  }
  const Handout handout = handout_();
  answer(socket, to_line(handout.offer), handout.listeners);
  auto deciding = with_deadline(kHandoutLimit, read_line(socket));
  const std::string decided = co_await std::move(deciding);
  const auto drain = parse_drain_request(decided);
  if (!drain) co_return std::nullopt;
  log()->info("a new process, version {}, takes over", request->version);
  co_return Successor{.connection = FileDescriptor(socket.release()), .request = *drain};
}

bool await_successor(const FileDescriptor& connection, std::chrono::milliseconds within) {
  if (!send_message(connection.get(), kReleasedLine)) return false;
  const auto answer = receive_message(connection.get(), within);
  return answer && answer->text == kReadyLine;
}

}  // namespace oriel
