#pragma once
// JSON-RPC messages, one a line, over two file descriptors.

#include <boost/json/object.hpp>

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kMaxInputLine = 16 << 20;

// Reads only when asked, writes at once, and waits while the other side does not read.
class RpcChannel {
 public:
  RpcChannel(int in, int out) : in_(in), out_(out) {}

  RpcChannel(const RpcChannel&) = delete;
  RpcChannel& operator=(const RpcChannel&) = delete;

  void send(const boost::json::object& message);

  // Bytes that need not be a message, for the faults.
  void send_raw(std::string_view bytes);

  void respond(const boost::json::value& id, boost::json::object result);
  void respond_error(const boost::json::value& id, int code, std::string_view message);
  void notify(std::string_view method, boost::json::object params);

  // Waits for input at most that long, and reads what there is.
  void wait(std::chrono::milliseconds at_most);

  // What was read and not taken yet, oldest first. Lines that are no objects have been answered
  // with an error.
  std::deque<boost::json::object>& inbox() { return inbox_; }

  // The other side has gone: nothing more comes, and what is sent is lost.
  bool is_closed() const { return is_closed_; }

 private:
  void take_lines();
  void take_line(std::string_view line);

  int in_;
  int out_;
  std::string unread_;  // the beginning of a line
  std::deque<boost::json::object> inbox_;
  bool is_closed_ = false;
};

}  // namespace oriel
