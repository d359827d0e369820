#include "agent/sandbox/connect_proxy.h"

#include "agent/sandbox/proxy_head.h"
#include "agent/sandbox/relay.h"
#include "runtime/deadline.h"

#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <netinet/in.h>
#include <spdlog/fmt/fmt.h>
#include <sys/socket.h>

#include <cstring>
#include <ifaddrs.h>
#include <utility>

namespace oriel {
namespace {

using asio::ip::tcp;

constexpr std::chrono::seconds kReplyTimeout{10};

// The present addresses of all interfaces of this machine.
std::vector<asio::ip::address> interface_addresses() {
  std::vector<asio::ip::address> addresses;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr) continue;
    if (entry->ifa_addr->sa_family == AF_INET) {
      const auto* const v4 = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
      addresses.emplace_back(asio::ip::address_v4(ntohl(v4->sin_addr.s_addr)));
    } else if (entry->ifa_addr->sa_family == AF_INET6) {
      const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr);
      asio::ip::address_v6::bytes_type bytes;
      std::memcpy(bytes.data(), &v6->sin6_addr, bytes.size());
      addresses.emplace_back(asio::ip::address_v6(bytes));
    }
  }
  ::freeifaddrs(list);
  return addresses;
}

std::string answer(std::string_view status, const std::string& text) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n{}",
      status, text.size(), text);
}

asio::awaitable<void> send(tcp::socket& to, std::string text) {
  auto write = [](tcp::socket& socket, std::string bytes) -> asio::awaitable<void> {
    co_await asio::async_write(socket, asio::buffer(bytes), kNoThrow);
  };
  auto writing = write(to, std::move(text));
  try {
    co_await with_deadline(kReplyTimeout, std::move(writing));
  } catch (const TimedOut&) {
    // The reader is gone; its connection closes soon.
  }
}

// Reads up to the empty line. Returns all bytes read, which may include bytes after the head; empty
// on failure.
asio::awaitable<std::string> read_head(tcp::socket& from, std::size_t limit) {
  std::string text;
  auto buffer = asio::dynamic_buffer(text, limit);
  const auto [ec, size] = co_await asio::async_read_until(from, buffer, "\r\n\r\n", kNoThrow);
  co_return ec ? std::string() : text;
}

}  // namespace

Result<std::unique_ptr<ConnectProxy>> ConnectProxy::open(asio::any_io_executor shard,
                                                         NetworkPolicy policy,
                                                         std::uint16_t oriel_port,
                                                         ProxyLimits limits) {
  std::unique_ptr<ConnectProxy> proxy(
      new ConnectProxy(shard, std::move(policy), oriel_port, limits));
  auto serve = [&opened = *proxy](Tcp::socket client) { return opened.serve(std::move(client)); };
  auto listener = SandboxListener::open(shard, limits.max_connections, std::move(serve));
  if (!listener) return listener.error();
  proxy->listener_ = *std::move(listener);
  return Result<std::unique_ptr<ConnectProxy>>(boost::system::in_place_value, std::move(proxy));
}

ConnectProxy::ConnectProxy(asio::any_io_executor shard, NetworkPolicy policy,
                           std::uint16_t oriel_port, ProxyLimits limits)
    : shard_(std::move(shard)),
      policy_(std::move(policy)),
      oriel_port_(oriel_port),
      limits_(limits) {}

asio::awaitable<void> ConnectProxy::serve(Tcp::socket client) {
  std::string text;
  auto reading = read_head(client, limits_.max_head_bytes);
  try {
    text = co_await with_deadline(limits_.head_timeout, std::move(reading));
  } catch (const TimedOut&) {
    co_return;
  }
  const std::size_t head_end = text.find("\r\n\r\n");
  if (head_end == text.npos) {
    std::string refusal =
        answer("400 Bad Request", "The head of the request is incomplete or too long.\n");
    co_await send(client, std::move(refusal));
    co_return;
  }
  const auto request = parse_proxy_head(std::string_view(text).substr(0, head_end + 4));
  if (!request) {
    std::string refusal = answer("400 Bad Request", request.error().message + "\n");
    co_await send(client, std::move(refusal));
    co_return;
  }
  HostPort wanted = request->destination;
  auto server = co_await reach(client, std::move(wanted));
  if (!server) co_return;
  const bool is_tunnel = request->forwarded.empty();
  std::string to_server = request->forwarded + text.substr(head_end + 4);
  if (is_tunnel) {
    std::string established = "HTTP/1.1 200 Connection established\r\n\r\n";
    co_await send(client, std::move(established));
  }
  if (!to_server.empty()) co_await send(*server, std::move(to_server));
  co_await relay(client, *server, limits_.idle_timeout);
}

// Connects to the destination, or sends the client the reason for the failure.
asio::awaitable<std::optional<tcp::socket>> ConnectProxy::reach(Tcp::socket& client,
                                                                HostPort wanted) {
  const std::string name = to_string(wanted);
  std::string refusal;
  std::optional<Tcp::socket> server;
  try {
    auto finding = find_endpoints(std::move(wanted));
    auto endpoints = co_await with_deadline(limits_.connect_timeout, std::move(finding));
    if (!endpoints) {
      refusal = answer("403 Forbidden", endpoints.error().message + "\n");
    } else {
      auto connecting = connect(*std::move(endpoints));
      server = co_await with_deadline(limits_.connect_timeout, std::move(connecting));
    }
  } catch (const TimedOut&) {
    // `server` is empty.
  }
  if (server) co_return server;
  if (refusal.empty()) refusal = answer("502 Bad Gateway", name + " cannot be reached.\n");
  co_await send(client, std::move(refusal));
  co_return std::nullopt;
}

// The allowed addresses of the destination; empty if it has no address. Error: all are forbidden.
asio::awaitable<Result<std::vector<tcp::endpoint>>> ConnectProxy::find_endpoints(HostPort wanted) {
  const Error forbidden{.kind = ErrorKind::kRefused,
                        .message = fmt::format("The sandbox does not allow {}; its network is: {}.",
                                               to_string(wanted), to_string(policy_)),
                        .hint = {}};
  // Without asking for the name: the question itself would carry data out.
  if (policy_.kind == NetworkKind::kList && !is_named(policy_, wanted)) co_return forbidden;
  tcp::resolver resolver(shard_);
  const std::string port = std::to_string(wanted.port);
  const auto [ec, found] = co_await resolver.async_resolve(wanted.host, port, kNoThrow);
  const OwnAddresses own{.interfaces = interface_addresses(), .port = oriel_port_};
  std::vector<tcp::endpoint> allowed;
  for (const auto& entry : found) {
    if (may_connect(policy_, wanted, entry.endpoint().address(), own))
      allowed.push_back(entry.endpoint());
  }
  if (allowed.empty() && !found.empty()) co_return forbidden;
  co_return allowed;
}

asio::awaitable<std::optional<tcp::socket>> ConnectProxy::connect(
    std::vector<Tcp::endpoint> endpoints) {
  for (const Tcp::endpoint& endpoint : endpoints) {
    Tcp::socket socket(shard_);
    const auto [ec] = co_await socket.async_connect(endpoint, kNoThrow);
    if (!ec) co_return socket;
  }
  co_return std::nullopt;
}

}  // namespace oriel
