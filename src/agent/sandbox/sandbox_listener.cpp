#include "agent/sandbox/sandbox_listener.h"

#include "base/log.h"
#include "posix/descriptors/descriptor_message.h"
#include "runtime/keep_running.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using asio::ip::tcp;

constexpr std::chrono::milliseconds kAcceptAgain{100};
constexpr std::chrono::milliseconds kNoWait{0};

}  // namespace

Result<std::unique_ptr<SandboxListener>> SandboxListener::open(asio::any_io_executor shard,
                                                               std::size_t max_connections,
                                                               Serve serve) {
  const auto failed = [](const std::string& problem) {
    return Error{.kind = ErrorKind::kCannotStart,
                 .message = "cannot open the proxy of the sandbox: " + problem,
                 .hint = "make the directory for temporary files writable"};
  };
  std::error_code ec;
  std::string directory = (fs::temp_directory_path(ec) / "oriel-proxy-XXXXXX").string();
  if (ec) return failed(ec.message());
  if (::mkdtemp(directory.data()) == nullptr) return failed(std::strerror(errno));
  try {
    std::unique_ptr<SandboxListener> listener(new SandboxListener(
        std::move(shard), max_connections, std::move(serve), fs::path(directory)));
    return Result<std::unique_ptr<SandboxListener>>(boost::system::in_place_value,
                                                    std::move(listener));
  } catch (const std::exception& problem) {
    fs::remove_all(directory, ec);
    return failed(problem.what());
  }
}

SandboxListener::SandboxListener(asio::any_io_executor shard, std::size_t max_connections,
                                 Serve serve, fs::path directory)
    : shard_(shard),
      max_connections_(max_connections),
      serve_(std::move(serve)),
      directory_(std::move(directory)),
      handover_(directory_ / "handover"),
      acceptor_(shard, asio::local::stream_protocol::endpoint(handover_.string())),
      tasks_(shard) {
  // Other users cannot get here, but a container's user may be one.
  fs::permissions(handover_, fs::perms::all & ~(fs::perms::owner_exec | fs::perms::group_exec |
                                                fs::perms::others_exec));
  tasks_.spawn("sandbox listener", run());
}

SandboxListener::~SandboxListener() {
  std::error_code ignored;
  fs::remove_all(directory_, ignored);
}

asio::awaitable<void> SandboxListener::stop() {
  tasks_.cancel();
  co_await tasks_.joined();
}

asio::awaitable<void> SandboxListener::run() {
  FileDescriptor descriptor = co_await take_listener();
  if (!descriptor) {
    log()->error("a sandbox did not pass its listening socket");
    co_return;
  }
  tcp::acceptor listener(shard_, tcp::v4(), descriptor.get());
  descriptor.release();
  auto accepting = keep_running(
      "sandbox listener", [this, &listener] { return accept(listener); }, kAcceptAgain);
  co_await std::move(accepting);
}

asio::awaitable<void> SandboxListener::accept(tcp::acceptor& listener) {
  for (;;) {
    auto [ec, client] = co_await listener.async_accept(kNoThrow);
    if (ec == asio::error::operation_aborted) co_return;
    if (ec) {  // out of descriptors
      asio::steady_timer timer(shard_, kAcceptAgain);
      co_await timer.async_wait(asio::use_awaitable);
    } else if (tasks_.size() <= max_connections_) {  // this task is one of them
      tasks_.spawn("sandbox connection", serve_(std::move(client)));
    }
  }
}

// Before the agent runs, oriel-sandbox-init is alone in the sandbox: the first to connect is it.
asio::awaitable<FileDescriptor> SandboxListener::take_listener() {
  auto peer = co_await acceptor_.async_accept(asio::use_awaitable);
  acceptor_.close();
  std::error_code ignored;
  fs::remove(handover_, ignored);
  co_await peer.async_wait(asio::socket_base::wait_read, asio::use_awaitable);
  Result<DescriptorMessage> message = receive_message(peer.native_handle(), kNoWait);
  if (!message || message->descriptors.empty()) co_return FileDescriptor();
  co_return std::move(message->descriptors.front());
}

}  // namespace oriel
