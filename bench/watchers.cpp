#include "watchers.h"

#include "clock.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace oriel {
namespace {

constexpr std::size_t kBatch = 64;
constexpr std::uint32_t kMaxConnecting = 64;  // below the length of every server's accept queue
constexpr std::int64_t kBeginLimitNs = 20'000'000'000;
constexpr std::uint64_t kOther = ~std::uint64_t{0};

}  // namespace

Watchers::Watchers(const WatchOptions& options)
    : epoll_(make_epoll()),
      publishers_(options.publishers),
      watchers_(options.connections),
      next_(std::size_t{options.connections} * options.publishers) {
  const std::string request = "GET " + options.path +
                              " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(options.port) +
                              "\r\nAccept: text/event-stream\r\n\r\n";
  const std::int64_t limit = now_ns() + kBeginLimitNs;
  for (std::uint32_t i = 0; i < options.connections; ++i) {
    Watcher& watcher = watchers_[i];
    watcher.socket = connect_to(options.port);
    watch(epoll_, watcher.socket.get(), EPOLLIN | EPOLLRDHUP | EPOLLET, i);
    if (send(watcher.socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
      fail("request a stream");
    const std::uint32_t wanted =
        i + 1 == options.connections ? i + 1 : i + 1 - std::min(i + 1, kMaxConnecting);
    while (begun_ < wanted) {
      if (now_ns() > limit)
        throw std::runtime_error("only " + std::to_string(begun_) + " streams started within 20 s");
      poll(100);
    }
  }
}

void Watchers::wake_on(const Descriptor& other) {
  watch(epoll_, other.get(), EPOLLIN, kOther);
}

void Watchers::poll(int timeout_ms) {
  std::array<epoll_event, kBatch> ready{};
  const int count = epoll_wait(epoll_.get(), ready.data(), ready.size(), timeout_ms);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = ready[static_cast<std::size_t>(i)];
    if (event.data.u64 == kOther) continue;
    read_ready(static_cast<std::uint32_t>(event.data.u64), (event.events & ~EPOLLIN) != 0);
  }
}

// Edge-triggered: a read that does not fill the buffer has emptied the socket, unless the peer has
// closed it.
void Watchers::read_ready(std::uint32_t index, bool to_the_end) {
  Watcher& watcher = watchers_[index];
  while (watcher.socket.is_open()) {
    const ssize_t size = recv(watcher.socket.get(), buffer_.data(), buffer_.size(), 0);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) return disconnect(watcher);
    read_at_ = now_ns();
    std::string_view bytes(buffer_.data(), static_cast<std::size_t>(size));
    ++readings_.reads;
    readings_.bytes += bytes.size();
    if (!watcher.has_begun) bytes = skip_head(watcher, bytes);
    find_stamps(index, bytes);
    if (static_cast<std::size_t>(size) < buffer_.size() && !to_the_end) return;
  }
}

// Returns the bytes after the response's head.
std::string_view Watchers::skip_head(Watcher& watcher, std::string_view bytes) {
  watcher.rest += bytes;
  const std::size_t end = watcher.rest.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  if (watcher.rest.compare(8, 5, " 200 ") != 0)
    throw std::runtime_error("the server rejected a stream: " + watcher.rest);
  const std::size_t after = watcher.rest.size() - (end + 4);
  watcher.rest.clear();
  watcher.has_begun = true;
  ++begun_;
  return bytes.substr(bytes.size() - after);
}

void Watchers::find_stamps(std::uint32_t index, std::string_view bytes) {
  if (!watchers_[index].has_begun) return;
  if (!watchers_[index].rest.empty()) bytes = finish_stamp(index, bytes);
  while (!bytes.empty()) {
    const void* mark = std::memchr(bytes.data(), kStampMark, bytes.size());
    if (mark == nullptr) return;
    bytes.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(mark) - bytes.data()));
    if (bytes.size() < 1 + kStampDigits) {
      watchers_[index].rest = bytes;
      return;
    }
    take(index, read_stamp(bytes.data() + 1));
    bytes.remove_prefix(1 + kStampDigits);
  }
}

std::string_view Watchers::finish_stamp(std::uint32_t index, std::string_view bytes) {
  std::string& rest = watchers_[index].rest;
  const std::size_t missing = std::min(1 + kStampDigits - rest.size(), bytes.size());
  rest += bytes.substr(0, missing);
  if (rest.size() == 1 + kStampDigits) {
    take(index, read_stamp(rest.data() + 1));
    rest.clear();
  }
  return bytes.substr(missing);
}

void Watchers::take(std::uint32_t index, const Stamp& stamp) {
  if (stamp.publisher >= publishers_)
    throw std::runtime_error("a stream contains a malformed stamp");
  ++readings_.deliveries;
  readings_.latency.add(read_at_ - stamp.sent_ns);
  std::uint32_t& next = next_[std::size_t{index} * publishers_ + stamp.publisher];
  if (stamp.serial != next) return take_out_of_turn(watchers_[index], stamp, next);
  ++next;
  ++received_;
}

void Watchers::take_out_of_turn(Watcher& watcher, const Stamp& stamp, std::uint32_t& next) {
  if (stamp.serial > next) {
    watcher.gaps.push_back({.publisher = stamp.publisher, .from = next, .to = stamp.serial});
    next = stamp.serial + 1;
    ++received_;
    return;
  }
  for (Gap& gap : watcher.gaps) {
    if (gap.publisher != stamp.publisher || stamp.serial < gap.from || stamp.serial >= gap.to)
      continue;
    const Gap above{.publisher = gap.publisher, .from = stamp.serial + 1, .to = gap.to};
    gap.to = stamp.serial;
    if (above.from < above.to) watcher.gaps.push_back(above);
    ++faults_.disorder;
    ++received_;
    return;
  }
  ++faults_.duplicates;
}

std::uint64_t Watchers::missing() const {
  std::uint64_t count = 0;
  for (const Watcher& watcher : watchers_)
    for (const Gap& gap : watcher.gaps)
      count += gap.to - gap.from;
  return count;
}

void Watchers::disconnect(Watcher& watcher) {
  if (!watcher.has_begun)
    throw std::runtime_error("the server closed a connection before its stream started");
  watcher.socket.reset();
  ++faults_.disconnected;
}

}  // namespace oriel
