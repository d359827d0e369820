// oriel-sandbox-init: the first program in a sandbox. It opens the ways to Oriel's proxy and to
// Oriel itself, sets the limits, and becomes the agent.
//
//   oriel-sandbox-init [--workspace DEVICE:INODE] [--proxy SOCKET]
//                      [--oriel-http SOCKET | --oriel-https SOCKET]
//                      [--max-processes N] -- PROGRAM [ARGUMENT...]
//
// It is linked statically and uses nothing of Oriel's, so that it runs in any container image.

#include "sandbox_init/confinement.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace {

constexpr int kCannotStart = 125;  // as other launchers use it
constexpr int kProgramMissing = 127;

[[noreturn]] void fail(const std::string& what, int code = kCannotStart) {
  std::fprintf(stderr, "oriel-sandbox-init: %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(code);
}

// Oriel names the directory that it has checked; its path may lead elsewhere since then.
void expect_workspace(const std::string& identity) {
  struct stat here {};

  if (::stat(".", &here) != 0) fail("cannot read the workspace");
  if (std::to_string(here.st_dev) + ":" + std::to_string(here.st_ino) == identity) return;
  std::fputs("oriel-sandbox-init: another directory has taken the place of the workspace\n",
             stderr);
  std::exit(kCannotStart);
}

// Listens on a free port of the sandbox's own loopback.
int listen_on_loopback() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listener < 0 ||
      ::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, SOMAXCONN) != 0)
    fail("cannot listen on loopback");
  return listener;
}

int port_of(int listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    fail("cannot read its own address");
  return ntohs(address.sin_port);
}

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail(path);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int oriel = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (oriel < 0 || ::connect(oriel, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    fail("cannot reach Oriel");
  return oriel;
}

void pass_descriptor(int socket, int descriptor) {
  char byte = 0;
  iovec data{.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (::sendmsg(socket, &message, MSG_NOSIGNAL) != 1) fail("cannot pass its socket to Oriel");
}

// Listens, and passes the socket to Oriel, which accepts on it; here it is closed when the agent
// starts. Returns "127.0.0.1:PORT".
std::string pass_listener(const std::string& handover) {
  const int listener = listen_on_loopback();
  pass_descriptor(connect_to(handover), listener);
  return "127.0.0.1:" + std::to_string(port_of(listener));
}

void open_proxy(const std::string& handover) {
  const std::string url = "http://" + pass_listener(handover);
  for (const char* name : {"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"})
    ::setenv(name, url.c_str(), 1);
  // What the agent itself serves in the sandbox.
  for (const char* name : {"NO_PROXY", "no_proxy"})
    ::setenv(name, "localhost,127.0.0.1,::1", 1);
  ::setenv("NODE_USE_ENV_PROXY", "1", 1);  // without it Node's fetch() ignores the variables
}

void open_oriel(const std::string& scheme, const std::string& handover) {
  ::setenv("ORIEL_URL", (scheme + "://" + pass_listener(handover)).c_str(), 1);
}

void limit_processes(const std::string& text) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NPROC, &limit) != 0) fail("cannot read the limit of processes");
  const rlim_t most = std::min<rlim_t>(std::strtoull(text.c_str(), nullptr, 10), limit.rlim_max);
  limit = {.rlim_cur = most, .rlim_max = most};
  if (::setrlimit(RLIMIT_NPROC, &limit) != 0) fail("cannot limit the number of processes");
}

}  // namespace

int main(int argc, char** argv) {
  int next = 1;
  for (; next + 1 < argc && std::strcmp(argv[next], "--") != 0; next += 2) {
    if (std::strcmp(argv[next], "--workspace") == 0) {
      expect_workspace(argv[next + 1]);
    } else if (std::strcmp(argv[next], "--proxy") == 0) {
      open_proxy(argv[next + 1]);
    } else if (std::strcmp(argv[next], "--oriel-http") == 0) {
      open_oriel("http", argv[next + 1]);
    } else if (std::strcmp(argv[next], "--oriel-https") == 0) {
      open_oriel("https", argv[next + 1]);
    } else if (std::strcmp(argv[next], "--max-processes") == 0) {
      limit_processes(argv[next + 1]);
    } else {
      break;
    }
  }
  if (next + 1 >= argc || std::strcmp(argv[next], "--") != 0) {
    std::fputs(
        "Usage: oriel-sandbox-init [--workspace DEVICE:INODE] [--proxy SOCKET] "
        "[--oriel-http SOCKET | --oriel-https SOCKET] [--max-processes N] -- PROGRAM "
        "[ARGUMENT...]\n",
        stderr);
    return 2;
  }
  if (!give_up_calls()) fail("cannot filter system calls");
  char** const command = argv + next + 1;
  ::execvp(command[0], command);
  fail(command[0], kProgramMissing);
}
