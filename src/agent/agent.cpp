#include "agent/agent.h"

#include "agent/sandbox/sandbox.h"
#include "base/text/utf8.h"
#include "runtime/deadline.h"

#include <boost/asio/buffer.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kNoiseBytes = 4 << 10;
constexpr std::size_t kNoiseLineBytes = 500;
constexpr std::size_t kLongLine = 256 << 10;  // takes a millisecond or more to parse
constexpr const char* kNotServed = "could not be served by Oriel, see its log";
constexpr auto kNever = asio::steady_timer::time_point::max();

struct ParsedLine {
  std::string beginning;
  std::optional<boost::json::value> message;  // of parse_line()
};

bool has_task_end(const std::vector<AgentEvent>& events) {
  return std::ranges::any_of(
      events, [](const AgentEvent& event) { return std::holds_alternative<TaskEnded>(event); });
}

template <class T>
void append(std::vector<T>& to, std::vector<T> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

Agent::Agent(asio::any_io_executor shard, AgentSpec spec, std::unique_ptr<Adapter> adapter,
             AgentLimits limits)
    : spec_(std::move(spec)),
      adapter_(std::move(adapter)),
      limits_(limits),
      process_(shard, spec_),
      splitter_(limits.max_line_bytes),
      errors_(limits.stderr_bytes),
      noise_(kNoiseBytes),
      changed_(shard),
      silence_(shard, kNever),
      tasks_(shard),
      stop_(shard) {}

Agent::~Agent() = default;

// Keeps stop() from returning while a next() waits.
class Agent::Taking {
 public:
  explicit Taking(Agent& agent) : agent_(agent) { agent_.is_taken_ = true; }

  ~Taking() {
    agent_.is_taken_ = false;
    agent_.changed_.notify();
  }

  Taking(const Taking&) = delete;
  Taking& operator=(const Taking&) = delete;

 private:
  Agent& agent_;
};

asio::awaitable<Result<void>> Agent::start(std::filesystem::path workspace, std::string resume_id) {
  const AgentStart start{.workspace = workspace_inside(spec_.sandbox, workspace),
                         .resume_id = std::move(resume_id),
                         .model = spec_.model,
                         .auth_method = spec_.auth_method};
  std::vector<std::string> command = spec_.command;
  append(command, adapter_->arguments(start));
  if (auto started = process_.start(command, workspace); !started) co_return started.error();
  writer_ = std::make_unique<LineWriter>(process_.child().input(), limits_.max_unsent_bytes);
  open_sources_ = 2;
  tasks_.spawn("agent output", end_on_failure(read_output()));
  tasks_.spawn("agent errors", end_on_failure(read_errors()));
  tasks_.spawn("agent input", end_on_failure(write_input()));
  tasks_.spawn("agent exit", watch_exit());
  tasks_.spawn("agent silence", end_on_failure(watch_quiet()));
  deliver(adapter_->start(start));
  co_return Result<void>();
}

asio::awaitable<AgentOutput> Agent::next() {
  const Taking taking(*this);
  while (events_.empty() && !is_over())
    co_await changed_.wait();
  AgentOutput output;
  output.events = std::exchange(events_, {});
  if (is_over())
    output.exit = AgentExit{
        .code = exit_->code, .signal = exit_->signal, .cause = cause_, .last_words = last_words()};
  co_return output;
}

std::vector<AgentEvent> Agent::prompt(std::string_view text) {
  return apply(adapter_->prompt(text));
}

std::vector<AgentEvent> Agent::cancel() {
  return apply(adapter_->cancel());
}

std::vector<AgentEvent> Agent::answer(std::string_view permission_id,
                                      const PermissionAnswer& answer) {
  return apply(adapter_->answer(permission_id, answer));
}

std::string Agent::last_words() const {
  std::string words = errors_.text();
  if (const std::string noise = noise_.text(); !noise.empty())
    words += (words.empty() || words.ends_with('\n') ? "" : "\n") + noise;
  return valid_utf8(std::move(words));
}

std::vector<AgentEvent> Agent::apply(AgentStep step) {
  for (const std::string& line : step.lines)
    if (writer_ && !writer_->send(line)) give_up("did not read its input", {});
  if (step.wait_for_quiet) {
    quiet_ = step.wait_for_quiet;
    if (is_listening_) silence_.expires_after(*quiet_);
  }
  return std::move(step.events);
}

void Agent::deliver(AgentStep step) {
  std::vector<AgentEvent> events = apply(std::move(step));
  if (has_task_end(events)) forget_words();
  append(events_, std::move(events));
  changed_.notify();
}

// Warnings during a task do not explain why the agent dies in a later one.
void Agent::forget_words() {
  if (exit_) return;
  errors_.clear();
  noise_.clear();
  asio::posix::stream_descriptor& pipe = process_.child().errors();
  asio::posix::stream_descriptor::bytes_readable readable;
  error_code ec;
  pipe.io_control(readable, ec);
  std::array<char, 4096> old;
  for (std::size_t left = ec ? 0 : readable.get(); left > 0;) {
    const std::size_t size = pipe.read_some(asio::buffer(old, left), ec);
    if (size == 0) break;
    left -= size;
  }
  is_forgetting_ = true;
  pipe.cancel(ec);
}

asio::awaitable<void> Agent::receive(std::vector<Line> lines) {
  for (Line& line : lines) {
    const bool is_long = line.text.size() > kLongLine;
    if (is_long)
      co_await receive_long(std::move(line));
    else
      receive_short(std::move(line));
  }
}

void Agent::receive_short(Line line) {
  if (line.is_too_long) {
    AgentStep refusal;
    refusal.events.emplace_back(
        ErrorReported{.message = fmt::format("{} wrote a line of {} bytes; at most {} are read",
                                             spec_.name, line.size, limits_.max_line_bytes),
                      .fails_task = true});
    deliver(std::move(refusal));
    return;
  }
  const std::string text = valid_utf8(std::move(line.text));
  deliver(adapter_->receive(text), text);
}

// Parses the line on another thread, so that the shard serves others meanwhile.
asio::awaitable<void> Agent::receive_long(Line line) {
  if (!parser_) parser_.emplace();
  auto parse = [received = std::move(line.text)]() mutable {
    const std::string text = valid_utf8(std::move(received));
    return ParsedLine{.beginning = text.substr(0, kNoiseLineBytes), .message = parse_line(text)};
  };
  ParsedLine parsed = co_await parser_->run(std::move(parse));
  deliver(adapter_->receive_parsed(std::move(parsed.message)), parsed.beginning);
}

void Agent::deliver(AgentStep step, std::string_view line) {
  if (step.is_noise) noise_.append(std::string(line.substr(0, kNoiseLineBytes)) + "\n");
  deliver(std::move(step));
}

// One of the child's pipes.
struct Agent::Source {
  asio::posix::stream_descriptor& pipe;
  std::vector<char> buffer;
  std::optional<std::size_t> left{};  // bytes to read after the process has ended
};

// The next bytes; empty at the end.
asio::awaitable<std::string_view> Agent::read(Source& source) {
  const auto buffer = asio::buffer(source.buffer);
  if (!exit_) {
    const auto [ec, size] = co_await source.pipe.async_read_some(buffer, kNoThrow);
    if (size > 0 || !exit_) co_return std::string_view(source.buffer.data(), size);
  }
  // Other processes may keep the pipe open after the exit: read only what it holds now.
  if (!source.left) {
    asio::posix::stream_descriptor::bytes_readable readable;
    source.pipe.io_control(readable);
    source.left = readable.get();
  }
  error_code ec;
  const std::size_t size = source.pipe.read_some(asio::buffer(buffer, *source.left), ec);
  *source.left -= size;
  co_return std::string_view(source.buffer.data(), size);
}

// One of the pipes being read. The exit waits for open pipes only, so this counts them.
class Agent::Reading {
 public:
  explicit Reading(Agent& agent) : agent_(agent) {}

  ~Reading() {
    --agent_.open_sources_;
    agent_.changed_.notify();
  }

  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  Agent& agent_;
};

// An agent that Oriel cannot serve, for lack of memory, say, is ended, so that its task ends, too.
asio::awaitable<void> Agent::end_on_failure(asio::awaitable<void> work) {
  const Outcome<void> outcome = co_await outcome_of(std::move(work));
  if (!outcome.failure) co_return;
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() == asio::cancellation_type::none)
    give_up(kNotServed, std::chrono::milliseconds(0));
  std::rethrow_exception(outcome.failure);
}

asio::awaitable<void> Agent::read_output() {
  const Reading reading(*this);
  Source source{.pipe = process_.child().output(), .buffer = std::vector<char>(limits_.read_bytes)};
  for (;;) {
    // Back-pressure for a running agent; after its exit at most one pipe buffer is left.
    while (!events_.empty() && !exit_)
      co_await changed_.wait();
    is_listening_ = true;
    if (quiet_) silence_.expires_after(*quiet_);
    const std::string_view bytes = co_await read(source);
    is_listening_ = false;
    silence_.expires_at(kNever);
    if (bytes.empty()) break;
    std::vector<Line> lines = splitter_.take(bytes);
    co_await receive(std::move(lines));
  }
  if (auto line = splitter_.finish()) {
    std::vector<Line> last;
    last.push_back(std::move(*line));
    co_await receive(std::move(last));
  }
  if (!exit_) give_up("closed its output", limits_.close_grace);
}

asio::awaitable<void> Agent::read_errors() {
  const Reading reading(*this);
  Source source{.pipe = process_.child().errors(), .buffer = std::vector<char>(4096)};
  for (;;) {
    const std::string_view bytes = co_await read(source);
    if (std::exchange(is_forgetting_, false) && !exit_) continue;
    if (bytes.empty()) break;
    errors_.append(bytes);
  }
}

asio::awaitable<void> Agent::write_input() {
  co_await writer_->run();
  if (!exit_) give_up("closed its input", limits_.close_grace);
}

// Without its exit nothing else would end the task, so a failure counts as one.
asio::awaitable<void> Agent::watch_exit() {
  auto exiting = process_.child().exited();
  const Outcome<ExitStatus> outcome = co_await outcome_of(std::move(exiting));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (outcome.failure && state.cancelled() != asio::cancellation_type::none)
    std::rethrow_exception(outcome.failure);
  if (outcome.failure) {
    cause_ = kNotServed;
    process_.kill();
  }
  exit_ = outcome.result.value_or(ExitStatus{.signal = SIGKILL});
  changed_.notify();
  process_.child().output().cancel();
  process_.child().errors().cancel();
  if (outcome.failure) std::rethrow_exception(outcome.failure);
}

asio::awaitable<void> Agent::watch_quiet() {
  for (;;) {
    const auto [ec] = co_await silence_.async_wait(kNoThrow);
    // A line that just arrived has moved the expiry.
    if (ec || silence_.expiry() > std::chrono::steady_clock::now()) continue;
    silence_.expires_at(kNever);
    quiet_.reset();
    deliver(adapter_->quiet());
  }
}

// Stopping.

asio::awaitable<void> Agent::stop(AgentStop how) {
  if (phase_ != Phase::kStopping) {
    phase_ = Phase::kStopping;
    stop_.spawn("agent stop", escalate(how));  // runs to its end even if the caller is cancelled
  }
  co_await stop_.joined();
}

asio::awaitable<void> Agent::escalate(AgentStop how) {
  if (process_.is_started()) {
    if (!exit_ && how == AgentStop::kGently) co_await end_gently();
    co_await end_by_force();
  }
  co_await process_.close();
  changed_.notify();
  while (is_taken_)
    co_await changed_.wait();
}

asio::awaitable<void> Agent::end_gently() {
  apply(adapter_->close());
  writer_->finish();
  const bool is_gone = co_await happens_within(&Agent::has_exited, limits_.close_grace);
  if (is_gone) co_return;
  process_.ask_to_end();
  co_await happens_within(&Agent::has_exited, limits_.term_grace);
}

asio::awaitable<void> Agent::end_by_force() {
  const LaunchedAgent::Grace grace{.kill = limits_.kill_grace, .removal = limits_.removal_grace};
  co_await process_.end_all(grace);
  co_await happens_within(&Agent::is_over, limits_.kill_grace);
  tasks_.cancel();
  co_await tasks_.joined();
  if (exit_) {
    process_.child().reap();
  } else {
    process_.child().abandon();
    exit_ = ExitStatus{.signal = SIGKILL};
  }
  open_sources_ = 0;
}

void Agent::give_up(std::string cause, std::chrono::milliseconds grace) {
  if (exit_ || phase_ != Phase::kRunning) return;
  phase_ = Phase::kGivingUp;
  tasks_.spawn("agent end", end_after(grace, std::move(cause)));
}

asio::awaitable<void> Agent::end_after(std::chrono::milliseconds grace, std::string cause) {
  const bool was_ending = co_await happens_within(&Agent::has_exited, grace);
  if (was_ending) co_return;
  cause_ = std::move(cause);
  process_.ask_to_end();
  const bool is_gone = co_await happens_within(&Agent::has_exited, limits_.term_grace);
  if (!is_gone) process_.kill();
}

asio::awaitable<void> Agent::wait_for(Check check) {
  while (!(this->*check)())
    co_await changed_.wait();
}

asio::awaitable<bool> Agent::happens_within(Check check, std::chrono::milliseconds limit) {
  try {
    auto happening = wait_for(check);
    co_await with_deadline(limit, std::move(happening));
  } catch (const TimedOut&) {
  }
  co_return (this->*check)();
}

}  // namespace oriel
