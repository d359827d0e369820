#include "posix/descriptors/descriptor_message.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>

namespace oriel {
namespace {

constexpr std::size_t kMaxText = 4096;

struct alignas(cmsghdr) Control {
  std::array<char, CMSG_SPACE(kMaxPassedDescriptors * sizeof(int))> bytes{};
};

Error broken(const std::string& problem) {
  return {.kind = ErrorKind::kFailed, .message = problem, .hint = {}};
}

void attach(msghdr& message, Control& control, std::span<const int> descriptors) {
  message.msg_control = control.bytes.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
}

std::vector<FileDescriptor> take_descriptors(msghdr& message) {
  std::vector<FileDescriptor> all;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header) + i * sizeof(int), sizeof number);
      all.emplace_back(number);
    }
  }
  return all;
}

// Waits until the socket is readable. False: it was not in time.
bool is_readable(int socket, std::chrono::milliseconds within) {
  const auto end = std::chrono::steady_clock::now() + within;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd entry{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&entry, 1, std::max(static_cast<int>(left.count()), 0));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace

Result<void> send_message(int socket, std::string_view text, std::span<const int> descriptors) {
  iovec part{.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  Control control;
  if (!descriptors.empty()) attach(message, control, descriptors);
  const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return broken(std::strerror(errno));
  if (static_cast<std::size_t>(sent) < text.size()) return broken("the peer does not read");
  return {};
}

Result<DescriptorMessage> receive_message(int socket, std::chrono::milliseconds within) {
  if (!is_readable(socket, within))
    return Error{.kind = ErrorKind::kRequestTimeout, .message = "no answer in time", .hint = {}};
  std::array<char, kMaxText> bytes{};
  iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
  Control control;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const ssize_t count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (count < 0) return broken(std::strerror(errno));
  return DescriptorMessage{.text = std::string(bytes.data(), static_cast<std::size_t>(count)),
                           .descriptors = take_descriptors(message)};
}

}  // namespace oriel
