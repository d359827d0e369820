#include "cli/commands/watch.h"

#include "cli/commands/watch_terminal.h"
#include "cli/report_error.h"
#include "client/reconnect.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <spdlog/fmt/fmt.h>

#include <optional>
#include <random>

namespace oriel {
namespace {

using std::chrono::milliseconds;

// The result of one connection.
struct Attempt {
  std::optional<int> exit_code;  // none: reconnect
  std::string reason;
  milliseconds wait_at_least{0};
};

class Watcher {
 public:
  Watcher(WatchOptions options, WatchOutput output)
      : options_(std::move(options)), output_(std::move(output)), last_id_(options_.since) {}

  asio::awaitable<int> run() {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (;;) {
      const Attempt outcome = co_await connect_once();
      if (outcome.exit_code) co_return *outcome.exit_code;
      const double random = std::uniform_real_distribution<>(0, 1)(random_);
      const milliseconds wait = backoff_.next(random, outcome.wait_at_least);
      const double seconds = std::chrono::duration<double>(wait).count();
      output_.notice(fmt::format("reconnecting in {:.1f} s: {}", seconds, outcome.reason));
      timer.expires_after(wait);
      co_await timer.async_wait(asio::use_awaitable);
    }
  }

 private:
  asio::awaitable<Attempt> connect_once() {
    HttpRequest request = make_request(options_.server, "GET", watch_target(options_.filter));
    request.headers.emplace_back("Accept", "text/event-stream");
    if (!last_id_.empty()) request.headers.emplace_back("Last-Event-ID", last_id_);
    const HttpDeadlines deadlines;
    HttpStream stream;
    auto answer = co_await stream.open(std::move(request), deadlines);
    if (!answer) co_return after_failure(answer.error());
    const AfterResponse next = after_response(*answer);
    if (next == AfterResponse::kStream) co_return co_await read_stream(stream);
    const auto body = co_await stream.read_rest(deadlines.response);
    if (body) answer->body = *body;
    if (next == AfterResponse::kGiveUp) co_return give_up(*answer);
    co_return Attempt{.exit_code = {},
                      .reason = response_error(*answer).message,
                      .wait_at_least = retry_after(*answer).value_or(milliseconds(0))};
  }

  Attempt after_failure(const Error& error) const {
    if (may_retry(error)) return {.exit_code = {}, .reason = error.message};
    output_.notice(format_error(error));
    return {.exit_code = 1, .reason = {}};
  }

  Attempt give_up(const HttpResponse& answer) const {
    Error error = response_error(answer);
    if (answer.status == 200) {
      error.message = "not an event stream: " + options_.server.url.origin();
      error.hint = "is --url (ORIEL_URL) the address of an Oriel server?";
    }
    output_.notice(format_error(error));
    return {.exit_code = 1, .reason = {}};
  }

  asio::awaitable<Attempt> read_stream(HttpStream& stream) {
    SseParser parser;
    const auto on_event = [this](const SseEvent& event) { take(event); };
    for (;;) {
      const auto bytes = co_await stream.read(options_.timeout);
      if (!bytes) co_return Attempt{.exit_code = {}, .reason = bytes.error().message};
      if (bytes->empty())
        co_return Attempt{.exit_code = {}, .reason = "the server ended the stream"};
      parser.feed(*bytes, on_event);
      if (is_done_) co_return Attempt{.exit_code = 0, .reason = {}};
      if (!parser.last_id().empty()) last_id_ = parser.last_id();
      backoff_.set_retry(milliseconds(parser.retry_ms()));
    }
  }

  void take(const SseEvent& event) {
    if (is_done_) return;
    backoff_.reset();
    if (event.event == "hello") return output_.notice(hello_notice(event));
    if (event.event == "bye") return output_.notice(bye_notice(event));
    is_done_ = !output_.event(event);
    if (event.event == "gap") return;
    ++seen_;
    if (seen_ == options_.count) is_done_ = true;
  }

  WatchOptions options_;
  WatchOutput output_;
  std::string last_id_;
  Backoff backoff_;
  std::mt19937 random_{std::random_device{}()};
  std::uint64_t seen_ = 0;
  bool is_done_ = false;
};

void add_list(std::string& target, std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  target += target.find('?') == target.npos ? '?' : '&';
  target += fmt::format("{}={}", name, fmt::join(values, ","));
}

}  // namespace

std::string watch_target(const EventFilter& filter) {
  std::string target = "/api/events";
  add_list(target, "types", filter.types);
  add_list(target, "project_id", filter.projects);
  add_list(target, "session_id", filter.sessions);
  return target;
}

asio::awaitable<int> watch_events(WatchOptions options, WatchOutput output) {
  Watcher watcher(std::move(options), std::move(output));
  co_return co_await watcher.run();
}

int watch(const WatchOptions& options) {
  asio::io_context io(1);
  WatchTerminal terminal(io.get_executor(), options);
  WatchOutput output{
      .event = [&](const SseEvent& event) { return terminal.show(event); },
      .notice = [&](const std::string& text) { terminal.notice(text); },
  };
  auto exit_code = asio::co_spawn(io, watch_events(options, std::move(output)), asio::use_future);
  while (exit_code.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    io.run_one();
  return exit_code.get();
}

}  // namespace oriel
