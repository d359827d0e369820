#include "posix/socket_owner.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace oriel {
namespace {

using asio::ip::tcp;

struct Question {
  nlmsghdr header{};
  inet_diag_req_v2 request{};
};

struct alignas(nlmsghdr) Reply {
  std::array<char, 1024> bytes{};
};

void set_address(const asio::ip::address& address, __be32 (&out)[4]) {
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    std::memcpy(out, bytes.data(), bytes.size());
  } else {
    const auto bytes = address.to_v6().to_bytes();
    std::memcpy(out, bytes.data(), bytes.size());
  }
}

// The source is the peer: the question is about its socket.
Question make_question(const tcp::endpoint& peer, const tcp::endpoint& local,
                       std::uint32_t number) {
  Question question;
  question.header = {.nlmsg_len = sizeof question,
                     .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                     .nlmsg_flags = NLM_F_REQUEST,
                     .nlmsg_seq = number,
                     .nlmsg_pid = 0};
  inet_diag_req_v2& request = question.request;
  request.sdiag_family = peer.address().is_v4() ? AF_INET : AF_INET6;
  request.sdiag_protocol = IPPROTO_TCP;
  request.idiag_states = ~0U;
  request.id.idiag_sport = htons(peer.port());
  request.id.idiag_dport = htons(local.port());
  set_address(peer.address(), request.id.idiag_src);
  set_address(local.address(), request.id.idiag_dst);
  request.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

// The user that the reply names. A socket that its process has closed has no inode, and the kernel
// then reports user 0 for it.
std::optional<uid_t> user_in(const nlmsghdr& header, std::uint16_t peer_port) {
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
      header.nlmsg_len < NLMSG_LENGTH(sizeof(inet_diag_msg)))
    return std::nullopt;
  inet_diag_msg message;
  std::memcpy(&message, NLMSG_DATA(&header), sizeof message);
  if (message.id.idiag_sport != htons(peer_port) || message.idiag_inode == 0) return std::nullopt;
  return message.idiag_uid;
}

}  // namespace

SocketOwner::SocketOwner()
    : netlink_(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}

std::optional<uid_t> SocketOwner::user_of_peer(const tcp::endpoint& peer,
                                               const tcp::endpoint& local) {
  if (!netlink_) return std::nullopt;
  const Question question = make_question(peer, local, ++question_);
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  const ssize_t sent = sendto(netlink_.get(), &question, sizeof question, 0,
                              reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel);
  if (sent != sizeof question) return std::nullopt;
  while (true) {
    Reply reply;  // the kernel has queued it when sendto returns
    const ssize_t got = recv(netlink_.get(), reply.bytes.data(), reply.bytes.size(), MSG_DONTWAIT);
    if (got < static_cast<ssize_t>(sizeof(nlmsghdr))) return std::nullopt;
    nlmsghdr header;
    std::memcpy(&header, reply.bytes.data(), sizeof header);
    if (header.nlmsg_seq != question_) continue;  // of a question that was given up
    return user_in(*reinterpret_cast<const nlmsghdr*>(reply.bytes.data()), peer.port());
  }
}

std::optional<uid_t> user_of_unix_peer(int socket) {
  constexpr auto kNobody =
      static_cast<uid_t>(-1);  // what the kernel reports for a socket without such a peer
  ucred peer{.pid = 0, .uid = kNobody, .gid = 0};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid == kNobody)
    return std::nullopt;
  return peer.uid;
}

}  // namespace oriel
