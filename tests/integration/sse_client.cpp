#include "sse_client.h"

#include <boost/json/parse.hpp>

#include <stdexcept>

namespace oriel {
namespace {

std::string text_after(std::string_view line, std::string_view prefix) {
  return std::string(line.substr(prefix.size()));
}

void take_line(SseFrame& frame, std::string_view line) {
  if (line.starts_with(": ")) {
    frame.comment = text_after(line, ": ");
  } else if (line.starts_with("id: ")) {
    frame.id = text_after(line, "id: ");
  } else if (line.starts_with("event: ")) {
    frame.event = text_after(line, "event: ");
  } else if (line.starts_with("data: ") && frame.data.empty()) {
    frame.data = text_after(line, "data: ");
  } else if (line.starts_with("retry: ")) {
    frame.retry = std::stoi(text_after(line, "retry: "));
  } else {
    throw std::runtime_error("unknown line in a frame: " + std::string(line));
  }
}

}  // namespace

std::uint64_t SseFrame::sequence() const {
  return std::stoull(id.substr(0, id.find('-')));
}

std::string SseFrame::epoch() const {
  return id.substr(id.find('-') + 1);
}

boost::json::object SseFrame::json() const {
  return boost::json::parse(data).as_object();
}

std::string SseFrame::text(std::string_view key) const {
  return std::string(json().at(key).as_string());
}

SseFrame parse_frame(std::string raw) {
  SseFrame frame;
  std::string_view rest = raw;
  while (rest != "\n") {
    const std::size_t end = rest.find('\n');
    take_line(frame, rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  frame.raw = std::move(raw);
  return frame;
}

SseClient::SseClient(const ServerProcess& server, SseRequest request)
    : SseClient(std::make_unique<RawClient>(server.port(), request.socket), request) {}

SseClient::SseClient(std::unique_ptr<Connection> connection, const SseRequest& request)
    : connection_(std::move(connection)) {
  const HttpRequest get{.target = request.target, .headers = request.headers};
  connection_->send(get.bytes());
}

const HttpResponse& SseClient::head() {
  if (!head_) {
    head_ = parse_head(connection_->read_until("\r\n\r\n"));
    if (head_->status != 200) throw std::runtime_error("not a stream: " + head_->head);
  }
  return *head_;
}

const SseFrame& SseClient::hello() {
  if (!hello_) {
    head();
    hello_ = parse_frame(connection_->read_until("\n\n"));
    if (hello_->event != "hello") throw std::runtime_error("not a hello: " + hello_->raw);
  }
  return *hello_;
}

SseFrame SseClient::next_frame(Milliseconds within) {
  hello();
  return parse_frame(connection_->read_until("\n\n", within));
}

SseFrame SseClient::next_event(Milliseconds within) {
  const Deadline deadline(within);
  while (true) {
    SseFrame frame = next_frame(deadline.left());
    if (!frame.event.empty()) return frame;
  }
}

std::vector<SseFrame> SseClient::next_events(std::size_t count) {
  std::vector<SseFrame> frames;
  while (frames.size() < count)
    frames.push_back(next_event());
  return frames;
}

std::vector<SseFrame> SseClient::frames_to_end(Milliseconds within) {
  const Deadline deadline(within);
  std::vector<SseFrame> frames;
  try {
    while (true)
      frames.push_back(next_frame(deadline.left()));
  } catch (const Closed&) {
    return frames;
  }
}

bool SseClient::is_silent_for(Milliseconds time) {
  hello();
  return connection_->is_silent_for(time);
}

RawClient& SseClient::socket() {
  return dynamic_cast<RawClient&>(*connection_);
}

SseRequest resume_after(std::string cursor, std::string target) {
  return {.target = std::move(target), .headers = {{"Last-Event-ID", std::move(cursor)}}};
}

SseRequest stalled(std::string target) {
  return {.target = std::move(target), .socket = {.receive_buffer = 4096}};
}

}  // namespace oriel
