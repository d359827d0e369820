#include "cli/commands/send_terminal.h"

#include "base/event/event_json.h"
#include "base/text/json_text.h"
#include "cli/render/send_view.h"
#include "cli/render/task_summary.h"
#include "cli/render/terminal.h"
#include "cli/report_error.h"
#include "client/session_api.h"
#include "runtime/deadline.h"
#include "runtime/signals.h"
#include "runtime/task_group.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_future.hpp>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <system_error>
#include <termios.h>
#include <unistd.h>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kTick{100};
constexpr std::size_t kMaxLineBytes = 4096;  // the limit of a terminal in canonical mode

SendView::Time steady_now() {
  return std::chrono::steady_clock::now();
}

// Lives on one thread. Everything ends with the task.
class TaskTerminal {
 public:
  TaskTerminal(asio::io_context& io, const ShowTask& options)
      : options_(options),
        signals_(io.get_executor(), {SIGINT, SIGTERM}),
        keyboard_(io.get_executor()),
        asked_(io.get_executor(), asio::steady_timer::time_point::max()),
        tasks_(io.get_executor()) {
    std::signal(SIGPIPE, SIG_IGN);
    if (options.is_json || !is_terminal(STDOUT_FILENO)) return;
    // Standard input may be the message.
    const int fd = ::open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0) keyboard_.assign(fd);
    SendStyle style{.is_colored = options.is_colored && may_color(STDOUT_FILENO),
                    .is_live = can_be_controlled(STDOUT_FILENO),
                    .has_keyboard = fd >= 0,
                    .width = terminal_width(),
                    .session_id = options.position.session_id};
    view_.emplace(std::move(style), steady_now());
  }

  asio::awaitable<int> run() {
    tasks_.spawn("signals", handle_signals());
    if (view_) tasks_.spawn("spinner", spin());
    if (keyboard_.is_open()) tasks_.spawn("keyboard", listen());
    auto reading = outcome_of(read());
    const Outcome<int> outcome = co_await std::move(reading);
    is_over_ = true;
    tasks_.cancel();
    co_await tasks_.joined();
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    co_return *outcome.result;
  }

 private:
  asio::awaitable<int> read() {
    TaskOutput output{
        .event = [this](const boost::json::object& event) { return show(event); },
        .notice = [this](const std::string& text) { notice(text); },
    };
    auto reading = read_task(options_.server, options_.position, std::move(output));
    try {
      const auto done = co_await std::move(reading);
      if (view_) write(view_->finish(steady_now()));
      if (!done) exit_code_ = report_error(std::cerr, done.error(), kExitFailure);
    } catch (const std::system_error& problem) {
      if (problem.code() != std::errc::broken_pipe) throw;  // otherwise the reader has gone
    }
    co_return exit_code_;
  }

  // Returns whether the task continues.
  bool show(const boost::json::object& event) {
    const SessionEvent read = parse_event("", event);
    if (view_) {
      const std::string asked = view_->asked_id();
      view_->set_width(terminal_width());
      const std::string text = view_->take(read, steady_now());
      if (view_->asked_id() != asked) begin_to_listen();
      write(text);
    } else {
      write(json_text(event) + "\n");
      if (const auto* const requested = read.get_if<event::PermissionRequested>())
        notice("the agent asks: " + printable(requested->permission.asked.title) + "; " +
               how_to_answer());
    }
    const auto end = task_end(read);
    if (end) exit_code_ = *end;
    return !end.has_value();
  }

  void notice(const std::string& text) {
    if (is_over_) return;
    if (view_) return write(view_->notice("· " + text));
    std::cerr << "oriel: " << text << std::endl;
  }

  static void write(const std::string& text) { write_all(STDOUT_FILENO, text); }

  asio::awaitable<void> handle_signals() {
    co_await signals_.next();
    notice("cancelling; Ctrl-C again exits and leaves the agent running");
    tasks_.spawn("cancel", post("/cancel", {}));
    co_await signals_.next();
    if (view_) write(view_->finish(steady_now()));
    ::_exit(kExitCancelled);
  }

  // Shows an error of the server; the events of the task show the rest.
  asio::awaitable<void> post(std::string what, boost::json::object body) {
    auto request =
        api_post(options_.server, "/api/sessions/" + options_.position.session_id + what, body);
    auto answer = co_await fetch(std::move(request), HttpDeadlines{});
    const auto result = api_result(options_.server, std::move(answer));
    if (!result) notice(result.error().message);
  }

  asio::awaitable<void> spin() {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (;;) {
      timer.expires_after(kTick);
      co_await timer.async_wait(asio::use_awaitable);
      write(view_->tick(steady_now()));
    }
  }

  // Discards what was typed before the next question.
  void begin_to_listen() {
    ::tcflush(keyboard_.native_handle(), TCIFLUSH);
    keyboard_.cancel();
    asked_.cancel();
  }

  asio::awaitable<void> listen() {
    for (;;) {
      while (!view_->is_asking())
        co_await asked_.async_wait(kNoThrow);
      const std::string asked = view_->asked_id();
      std::array<char, kMaxLineBytes> line;
      const auto buffer = asio::buffer(line);
      const auto [ec, count] = co_await keyboard_.async_read_some(buffer, kNoThrow);
      if (ec == asio::error::operation_aborted || view_->asked_id() != asked) continue;
      if (ec) break;
      const SendView::Typed typed = view_->type({line.data(), count});
      if (typed.body) begin_to_listen();
      write(typed.text);
      if (!typed.body) continue;
      auto answering = post("/permissions/" + typed.permission_id, *typed.body);
      co_await std::move(answering);
    }
    notice("the keyboard is closed; " + how_to_answer());
  }

  std::string how_to_answer() const {
    return "oriel answer " + options_.position.session_id + " allow (or deny) answers it";
  }

  const ShowTask& options_;
  Signals signals_;
  asio::posix::stream_descriptor keyboard_;
  asio::steady_timer asked_;
  std::optional<SendView> view_;  // none: JSON lines
  TaskGroup tasks_;
  bool is_over_ = false;
  int exit_code_ = kExitFailure;
};

}  // namespace

int show_task(const ShowTask& options) {
  asio::io_context io(1);
  TaskTerminal terminal(io, options);
  auto exit_code = asio::co_spawn(io, terminal.run(), asio::use_future);
  io.run();
  return exit_code.get();
}

}  // namespace oriel
