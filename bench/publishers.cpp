#include "publishers.h"

#include "clock.h"
#include "stamp.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <array>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::uint64_t kTicks =
    kMaxPublishers;  // epoll tag of the timer; a publisher's tag is its index
constexpr std::uint64_t kWithoutEnd = std::numeric_limits<std::uint64_t>::max();

std::string to_request(const Post& post, std::uint16_t port) {
  return "POST " + post.path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
         "\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(post.body.size()) + "\r\n\r\n" + post.body;
}

}  // namespace

std::string stamp_room() {
  return kStampMark + std::string(kStampDigits, '.');
}

Publishers::Publishers(const PublishOptions& options)
    : epoll_(make_epoll()),
      ticks_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
      publishers_(options.connections) {
  if (!ticks_.is_open()) fail("create a timer");
  watch(epoll_, ticks_.get(), EPOLLIN, kTicks);
  for (std::uint32_t i = 0; i < options.connections; ++i) {
    Publisher& publisher = publishers_[i];
    publisher.socket = connect_to(options.port);
    for (const Post& post : options.posts(i))
      publisher.requests.push_back(to_request(post, options.port));
    watch(epoll_, publisher.socket.get(), EPOLLIN, i);
    idle_.push_back(i);
  }
}

void Publishers::publish_at(double events_per_second) {
  const auto period = static_cast<long>(1e9 / events_per_second);
  const timespec time{.tv_sec = period / 1'000'000'000, .tv_nsec = period % 1'000'000'000};
  const itimerspec timer{.it_interval = time, .it_value = time};
  if (timerfd_settime(ticks_.get(), 0, &timer, nullptr) != 0) fail("set the timer");
}

void Publishers::publish_as_fast_as_possible() {
  due_ = kWithoutEnd;
  send_due();
}

void Publishers::publish_some(std::uint64_t events) {
  due_ = events;
  send_due();
}

void Publishers::stop() {
  const itimerspec never{};
  timerfd_settime(ticks_.get(), 0, &never, nullptr);
  due_ = 0;
}

void Publishers::poll() {
  std::array<epoll_event, 32> ready{};
  const int count = epoll_wait(epoll_.get(), ready.data(), ready.size(), 0);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = ready[static_cast<std::size_t>(i)].data.u64;
    if (tag == kTicks)
      count_ticks();
    else
      read_answer(static_cast<std::uint32_t>(tag));
  }
  send_due();
}

void Publishers::count_ticks() {
  std::uint64_t ticks = 0;
  if (read(ticks_.get(), &ticks, sizeof ticks) == sizeof ticks) due_ += ticks;
}

void Publishers::read_answer(std::uint32_t index) {
  Publisher& publisher = publishers_[index];
  std::array<char, 4096> buffer{};
  const ssize_t size = recv(publisher.socket.get(), buffer.data(), buffer.size(), 0);
  if (size < 0 && errno == EAGAIN) return;
  if (size < 0) fail("read the answer to a publisher");
  if (size == 0) throw std::runtime_error("the server closed a publisher's connection");
  std::string& answer = publisher.answer;
  answer.append(buffer.data(), static_cast<std::size_t>(size));

  const std::size_t head = answer.find("\r\n\r\n");
  if (head == std::string::npos) return;
  if (answer.size() < head + 4 + content_length(std::string_view(answer).substr(0, head))) return;
  // The next event reuses the serial of a rejected one, so that rejection does not count as loss.
  if (answer.compare(8, 2, " 2") == 0) {
    ++publisher.serial;
    ++accepted_;
  } else {
    ++rejected_;
    last_rejection_ = answer;
  }
  answer.clear();
  idle_.push_back(index);
}

void Publishers::send_due() {
  while (due_ > 0 && !idle_.empty()) {
    const std::uint32_t index = idle_.front();
    idle_.pop_front();
    if (due_ != kWithoutEnd) --due_;
    send_event(index);
  }
}

void Publishers::send_event(std::uint32_t index) {
  Publisher& publisher = publishers_[index];
  std::string& request = publisher.requests[publisher.serial % publisher.requests.size()];
  write_stamp(request.data() + request.find(kStampMark) + 1,
              {.publisher = index, .serial = publisher.serial, .sent_ns = now_ns()});
  const ssize_t sent = send(publisher.socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(request.size())) fail("publish an event");
}

}  // namespace oriel
