#pragma once
// Reports the state of this process to its service manager: the protocol of sd_notify.

#include <chrono>
#include <string>
#include <string_view>

namespace oriel {

// Without a socket, reports go nowhere. Usable on any thread. Never blocks: a report that cannot be
// sent is logged and dropped.
class ServiceManager {
 public:
  // The value of NOTIFY_SOCKET: a path, or @ and the name of an abstract socket. Empty: none.
  explicit ServiceManager(std::string socket) : socket_(std::move(socket)) {}

  void ready() const { report("READY=1"); }

  void stopping() const { report("STOPPING=1"); }

  // Followed by ready().
  void reloading(std::chrono::microseconds monotonic_time) const;

 private:
  void report(std::string_view state) const;

  std::string socket_;
};

}  // namespace oriel
