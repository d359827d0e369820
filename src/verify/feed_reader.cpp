#include "verify/feed_reader.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kPause{30};
constexpr std::chrono::seconds kFeedSilence{5};  // more than a heartbeat and a stall of the proxy

}  // namespace

asio::awaitable<void> pause_client() {
  asio::steady_timer timer(co_await asio::this_coro::executor, kPause);
  co_await timer.async_wait(asio::use_awaitable);
}

FeedReader::FeedReader(ServerAccess server, std::string cursor,
                       std::function<void(const SseEvent&)> on_event)
    : server_(std::move(server)), cursor_(std::move(cursor)), on_event_(std::move(on_event)) {}

asio::awaitable<void> FeedReader::run() {
  while (!is_stopping_) {
    co_await read_once();
    if (!is_stopping_) co_await pause_client();
  }
}

void FeedReader::stop() {
  is_stopping_ = true;
  if (stream_ != nullptr) stream_->close();
}

asio::awaitable<void> FeedReader::read_once() {
  HttpRequest request = make_request(server_, "GET", "/api/events");
  request.headers.emplace_back("Accept", "text/event-stream");
  request.headers.emplace_back("Last-Event-ID", cursor_);
  HttpStream stream;
  stream_ = &stream;
  auto opening = stream.open(std::move(request), kVerifyDeadlines);
  const auto head = co_await std::move(opening);
  SseParser parser;
  bool is_open = head && head->status == 200;
  while (is_open && !is_stopping_) {
    auto reading = stream.read(kFeedSilence);
    const auto bytes = co_await std::move(reading);
    is_open = bytes && !bytes->empty();
    if (is_open) parser.feed(*bytes, on_event_);
    if (!parser.last_id().empty()) cursor_ = parser.last_id();
  }
  stream_ = nullptr;
}

}  // namespace oriel
