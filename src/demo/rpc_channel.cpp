#include "demo/rpc_channel.h"

#include "base/text/json_text.h"

#include <boost/json/parse.hpp>

#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace oriel {

namespace json = boost::json;

namespace {

constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;

}  // namespace

void RpcChannel::send(const json::object& message) {
  send_raw(json_text(message) + '\n');
}

void RpcChannel::send_raw(std::string_view bytes) {
  while (!bytes.empty() && !is_closed_) {
    const ssize_t written = write(out_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      is_closed_ = true;
    }
  }
}

void RpcChannel::respond(const json::value& id, json::object result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void RpcChannel::respond_error(const json::value& id, int code, std::string_view message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void RpcChannel::notify(std::string_view method, json::object params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void RpcChannel::wait(std::chrono::milliseconds at_most) {
  if (is_closed_) return;
  pollfd readable{.fd = in_, .events = POLLIN, .revents = 0};
  if (poll(&readable, 1, static_cast<int>(at_most.count())) <= 0) return;
  std::array<char, 64 << 10> buffer;
  const ssize_t got = read(in_, buffer.data(), buffer.size());
  if (got > 0) {
    unread_.append(buffer.data(), static_cast<std::size_t>(got));
    take_lines();
  } else if (got == 0 || errno != EINTR) {
    is_closed_ = true;
  }
}

void RpcChannel::take_lines() {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = unread_.find('\n', begin)) != unread_.npos; begin = end + 1)
    take_line(std::string_view(unread_).substr(begin, end - begin));
  unread_.erase(0, begin);
  if (unread_.size() > kMaxInputLine) is_closed_ = true;
}

void RpcChannel::take_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == line.npos) return;
  boost::system::error_code problem;
  json::value message = json::parse(line, problem);
  if (problem) {
    respond_error(nullptr, kParseError, "this line is not JSON: " + problem.message());
  } else if (!message.is_object()) {
    respond_error(nullptr, kInvalidRequest, "a message is a JSON object");
  } else {
    inbox_.push_back(std::move(message.as_object()));
  }
}

}  // namespace oriel
