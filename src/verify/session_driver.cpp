#include "verify/session_driver.h"

#include "base/text/json_access.h"
#include "client/session_api.h"
#include "verify/feed_reader.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kTaskTime{3000};  // then the next message is sent, a kill may have ended it
constexpr milliseconds kPollTime{500};
constexpr milliseconds kSilence{20'000};  // of a task that has not ended and never will
constexpr std::size_t kMaxPageBytes = 64 << 20;

}  // namespace

SessionDriver::SessionDriver(ServerAccess server, std::string name, bool has_long_tasks,
                             Ledger& ledger)
    : server_(std::move(server)),
      name_(std::move(name)),
      has_long_tasks_(has_long_tasks),
      ledger_(ledger) {}

asio::awaitable<void> SessionDriver::run() {
  while (!is_stopping_) {
    if (polled_.session_id.empty()) {
      co_await create();
    } else {
      co_await work();
    }
  }
}

// The object in a 2xx response; empty for any other, and without one.
asio::awaitable<json::object> SessionDriver::post(std::string target, json::object body) {
  HttpRequest request = api_post(server_, target, body);
  auto fetching = fetch(std::move(request), kVerifyDeadlines);
  auto response = co_await std::move(fetching);
  auto result = api_result(server_, std::move(response));
  co_return result ? std::move(*result) : json::object();
}

// A repeated request_id gets the first response again.
asio::awaitable<void> SessionDriver::create() {
  json::object body{{"agent", "demo"}, {"title", name_}, {"request_id", name_}};
  auto posting = post("/api/sessions", std::move(body));
  const json::object created = co_await std::move(posting);
  polled_.session_id = text_at(created, "session", "session_id");
  if (polled_.session_id.empty()) co_await pause_client();
}

// Sends one message and waits for the end of its task.
asio::awaitable<void> SessionDriver::work() {
  const std::string request_id = fmt::format("{}-{}", name_, ++tasks_);
  const std::string target = "/api/sessions/" + polled_.session_id + "/messages";
  const bool is_long = has_long_tasks_ && tasks_ % 2 == 0;
  const std::string message = (is_long ? "slow 2s say " : "say ") + request_id;
  std::string task;
  while (task.empty() && !is_stopping_) {
    json::object body{{"message", message}, {"request_id", request_id}};
    auto posting = post(target, std::move(body));
    const json::object accepted = co_await std::move(posting);
    task = text_at(accepted, "task_id");
    if (task.empty()) co_await pause_client();
  }
  if (!task.empty()) {
    ledger_.messages.push_back({.session_id = polled_.session_id, .task_id = task});
    open_tasks_.insert(task);
  }
  const auto until = Clock::now() + kTaskTime;
  while (!is_stopping_ && open_tasks_.contains(task) && Clock::now() < until) {
    auto polling = poll(kPollTime);
    const bool is_answered = co_await std::move(polling);
    if (!is_answered) co_await pause_client();
  }
}

asio::awaitable<bool> SessionDriver::poll(milliseconds wait) {
  HttpRequest request =
      make_request(server_, "GET",
                   fmt::format("/api/sessions/{}/events?since_index={}&limit=500&wait_ms={}",
                               polled_.session_id, polled_.last_index(), wait.count()));
  auto fetching = fetch(std::move(request), kVerifyDeadlines, kMaxPageBytes);
  const auto response = co_await std::move(fetching);
  if (!response || response->status != 200) co_return false;
  take(parse_object(response->body));
  co_return true;
}

void SessionDriver::take(const json::object& page) {
  for (const json::value& value : elements_of(member(page, "events"))) {
    PolledEvent event = read_polled_event(object_of(value));
    open_tasks_.erase(event.ended_task);
    polled_.events.push_back(std::move(event));
  }
}

asio::awaitable<void> SessionDriver::finish() {
  if (polled_.session_id.empty()) co_return;
  auto until = Clock::now() + kSilence;
  while (Clock::now() < until) {
    const std::size_t before = polled_.events.size();
    auto polling = poll(kPollTime);
    const bool is_answered = co_await std::move(polling);
    const bool has_more = polled_.events.size() > before;
    if (has_more) until = Clock::now() + kSilence;
    if (is_answered && !has_more && open_tasks_.empty()) co_return;
  }
}

}  // namespace oriel
