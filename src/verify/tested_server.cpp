#include "verify/tested_server.h"

#include "base/failpoint.h"
#include "base/text/json_text.h"
#include "base/text/quantity.h"
#include "posix/atomic_file.h"
#include "posix/process_tree.h"
#include "runtime/deadline.h"

#include <boost/asio/read_until.hpp>
#include <boost/json/value.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kReady = "Oriel is ready: ";
constexpr milliseconds kStartTime{60'000};
constexpr milliseconds kMeasureEvery{100};

Error not_ready(std::string message) {
  return {.kind = ErrorKind::kCannotStart,
          .message = "the server is not ready: " + std::move(message),
          .hint = "run again with --dir DIR, where the server writes its log"};
}

// VmHWM of /proc/PID/status, in bytes.
std::uint64_t peak_memory_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes << 10;
  }
  return 0;
}

}  // namespace

Result<void> write_server_config(const std::filesystem::path& file,
                                 const std::filesystem::path& program) {
  const auto quoted = [](const std::filesystem::path& path) {
    return json_text(boost::json::value(path.string()));
  };
  return replace_file(
      file,
      fmt::format("[agents.demo]\ncommand = [{}, \"--pace\", \"0\"]\nhome = {}\n"
                  "permissions = \"allow\"\n",
                  quoted(program.parent_path() / "oriel-demo-agent"), quoted(file.parent_path())),
      {});
}

std::vector<std::string> server_flags(const std::filesystem::path& config,
                                      const std::filesystem::path& data) {
  return {"--config",    config, "--data-dir",         data, "--socket", "none",
          "--heartbeat", "1s",   "--shutdown-timeout", "10s"};
}

TestedServer::TestedServer(asio::any_io_executor shard, TestedServerOptions options)
    : shard_(shard), options_(std::move(options)), tasks_(shard) {
  const std::string log = options_.directory / "server.log";
  log_ = FileDescriptor(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
}

TestedServer::~TestedServer() = default;

ProcessSpec TestedServer::command(const std::string& failpoints) const {
  ProcessSpec spec{.argv = {options_.program.string(), "serve", "--listen", "127.0.0.1:0"},
                   .environment = own_environment(),
                   .directory = options_.directory};
  spec.argv.insert(spec.argv.end(), options_.flags.begin(), options_.flags.end());
  // Nothing but the flags configures the server.
  std::erase_if(spec.environment,
                [](const auto& variable) { return variable.first.starts_with("ORIEL_"); });
  if (!failpoints.empty()) spec.environment[kFailpointsVariable] = failpoints;
  return spec;
}

asio::awaitable<Result<void>> TestedServer::start(std::string failpoints) {
  auto spawned = spawn(command(failpoints));
  if (!spawned) co_return spawned.error();
  process_ = std::make_shared<ChildProcess>(shard_, std::move(*spawned));
  peak_memory_ = 0;
  tasks_.spawn("server log", copy_log(process_));
  auto reading = read_ready_line();
  const Result<std::string> line = co_await std::move(reading);
  if (!line) co_return line.error();
  co_return take_ready_line(*line);
}

asio::awaitable<Result<std::string>> TestedServer::read_ready_line() {
  std::string line;
  auto reading = asio::async_read_until(process_->output(), asio::dynamic_buffer(line), '\n',
                                        asio::use_awaitable);
  try {
    co_await with_deadline(kStartTime, std::move(reading));
  } catch (const boost::system::system_error&) {
    co_return not_ready("it exited");
  } catch (const TimedOut&) {
    co_return not_ready("it says nothing");
  }
  co_return Result<std::string>(boost::system::in_place_value, std::move(line));
}

Result<void> TestedServer::take_ready_line(const std::string& line) {
  const std::string_view port = std::string_view(line).substr(line.rfind(':') + 1);
  const auto number = parse_number(port.substr(0, port.find('\n')));
  if (!line.starts_with(kReady) || !number) return not_ready(line);
  port_ = static_cast<std::uint16_t>(*number);
  return {};
}

// An unread pipe would delay the server.
asio::awaitable<void> TestedServer::copy_log(std::shared_ptr<ChildProcess> process) {
  std::array<char, 4096> bytes;
  while (true) {
    const auto space = asio::buffer(bytes);
    auto [ec, count] = co_await process->errors().async_read_some(space, kNoThrow);
    if (ec) co_return;
    [[maybe_unused]] const ssize_t written = ::write(log_.get(), bytes.data(), count);
  }
}

void TestedServer::signal(int number) const {
  if (process_) process_->signal_group(number);
}

void TestedServer::measure() {
  peak_memory_ = std::max(peak_memory_, peak_memory_of(process_->pid()));
}

asio::awaitable<std::optional<ExitStatus>> TestedServer::wait_exit(milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  std::optional<ExitStatus> status;
  while (!status) {
    measure();
    const auto left = until - std::chrono::steady_clock::now();
    if (left.count() <= 0) co_return status;
    auto exiting = process_->exited();
    try {
      status = co_await with_deadline(std::min<std::chrono::nanoseconds>(left, kMeasureEvery),
                                      std::move(exiting));
    } catch (const TimedOut&) {
      continue;
    }
  }
  process_->reap();
  process_.reset();
  co_await tasks_.joined();
  co_return status;
}

http::Url loopback_url(std::uint16_t port) {
  return {.is_tls = false, .host = "127.0.0.1", .port = port, .path = {}};
}

std::string describe(const ExitStatus& status) {
  return status.signal != 0 ? fmt::format("signal {}", status.signal)
                            : fmt::format("exit code {}", status.code);
}

std::vector<std::string> processes_left(const std::vector<pid_t>& running) {
  reap_orphans();
  std::vector<std::string> left;
  const auto all = list_processes();
  if (!all) return {all.error().message};
  for (const ProcessInfo& process : *all) {
    if (process.parent != ::getpid() || process.has_ended()) continue;
    if (std::find(running.begin(), running.end(), process.pid) != running.end()) continue;
    left.push_back(fmt::format("process {}", process.pid));
  }
  return left;
}

}  // namespace oriel
