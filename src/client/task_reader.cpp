#include "client/task_reader.h"

#include "base/text/json_access.h"
#include "client/reconnect.h"
#include "client/session_api.h"

#include <spdlog/fmt/fmt.h>

#include <optional>
#include <random>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr milliseconds kWaitTime{20'000};  // for the next event, in one request
constexpr std::size_t kPageEvents = 100;
constexpr std::size_t kMaxPageBytes = 64 << 20;

class TaskReader {
 public:
  TaskReader(ServerAccess server, TaskPosition position, TaskOutput output)
      : server_(std::move(server)),
        position_(std::move(position)),
        output_(std::move(output)),
        since_(position_.since_index) {}

  asio::awaitable<Result<void>> run() {
    for (;;) {
      const HttpDeadlines deadlines{.response = kWaitTime * 2};
      auto request = make_request(server_, "GET", target());
      auto response = co_await fetch(std::move(request), deadlines, kMaxPageBytes);
      if (!response && !may_retry(response.error()))
        co_return unreachable_error(server_, response.error());
      if (!response || may_retry(*response)) {
        co_await wait(response);
        continue;
      }
      if (response->status == 410) {
        skip_what_is_gone();
        continue;
      }
      auto page = api_result(server_, std::move(response));
      if (!page) co_return page.error();
      const bool is_new = take(*page);
      if (is_done_) co_return Result<void>();
      if (is_new) continue;
      auto checked = co_await check_session();
      if (!checked) co_return checked.error();
    }
  }

 private:
  std::string target() const {
    return fmt::format("/api/sessions/{}/events?since_index={}&limit={}&wait_ms={}",
                       position_.session_id, since_, kPageEvents, wait_for_events_.count());
  }

  // Whether the page had events.
  bool take(const json::object& page) {
    backoff_.reset();
    wait_for_events_ = kWaitTime;
    const auto events = objects_of(member(page, "events"));
    for (const json::object& event : events) {
      since_ = std::max(since_, number_of(member(event, "index")).value_or(since_));
      const std::string task = text_at(event, "task_id");
      const bool is_ours = task.empty() || position_.task_id.empty() || task == position_.task_id;
      if (!is_ours) continue;
      if (!output_.event(event)) {
        is_done_ = true;
        return true;
      }
    }
    return !events.empty();
  }

  asio::awaitable<void> wait(Result<HttpResponse> response) {
    const std::string reason =
        response ? response_error(*response).message : response.error().message;
    const milliseconds at_least =
        response ? retry_after(*response).value_or(milliseconds(0)) : milliseconds(0);
    const double random = std::uniform_real_distribution<>(0, 1)(random_);
    const milliseconds wait = backoff_.next(random, at_least);
    const double seconds = std::chrono::duration<double>(wait).count();
    output_.notice(fmt::format("reconnecting in {:.1f} s: {}", seconds, reason));
    // A restarted server may have no more events of this task: do not wait for one.
    wait_for_events_ = milliseconds(0);
    asio::steady_timer timer(co_await asio::this_coro::executor, wait);
    co_await timer.async_wait(asio::use_awaitable);
  }

  void skip_what_is_gone() {
    output_.notice("some events are no longer held; continuing with the oldest one");
    since_ = -1;
  }

  // Without events for a while: is the task still running?
  asio::awaitable<Result<void>> check_session() {
    auto request = make_request(server_, "GET", "/api/sessions/" + position_.session_id);
    auto response = co_await fetch(std::move(request), HttpDeadlines{});
    if (!response || may_retry(*response)) co_return Result<void>();
    const auto object = api_result(server_, std::move(response));
    if (!object) co_return object.error();
    const SessionInfo session = read_session(*object);
    if (session.is_at_work() || session.last_index > since_) co_return Result<void>();
    co_return Error{.kind = ErrorKind::kTaskLost,
                    .message = "the task was cut off: the session is " +
                               std::string(name_of(session.status)) +
                               (session.reason.empty() ? "" : ", " + session.reason),
                    .hint = "oriel send --session " + session.id + " MESSAGE continues it"};
  }

  ServerAccess server_;
  TaskPosition position_;
  TaskOutput output_;
  std::int64_t since_;
  milliseconds wait_for_events_ = kWaitTime;
  Backoff backoff_;
  std::mt19937 random_{std::random_device{}()};
  bool is_done_ = false;
};

}  // namespace

asio::awaitable<Result<void>> read_task(ServerAccess server, TaskPosition position,
                                        TaskOutput output) {
  TaskReader reader(std::move(server), std::move(position), std::move(output));
  co_return co_await reader.run();
}

}  // namespace oriel
