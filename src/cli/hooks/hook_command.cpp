#include "cli/hooks/hook_command.h"

#include "cli/hooks/hook_parent.h"
#include "cli/hooks/hook_request.h"
#include "cli/report_error.h"
#include "posix/file_descriptor.h"

#include <sys/time.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace oriel {
namespace {

constexpr itimerval kLimit = {.it_interval = {0, 0}, .it_value = {1, 0}};
constexpr std::size_t kMaxPayloadBytes = 16 << 20;

void exit_quietly(int) {
  ::_exit(0);
}

void exit_with_message(int) {
  constexpr std::string_view kMessage = "oriel: gave up after one second\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(0);
}

// Applies to every wait: for input, name resolution and the server.
void exit_after_limit(void (*how)(int)) {
  struct sigaction action {};

  action.sa_handler = how;
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ::setitimer(ITIMER_REAL, &kLimit, nullptr);
}

Result<std::string> read_payload() {
  std::string payload;
  std::array<char, 64 << 10> buffer;
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    payload.append(buffer.data(), static_cast<std::size_t>(count));
    if (payload.size() > kMaxPayloadBytes)
      return Error{
          .kind = ErrorKind::kUnfitPayload, .message = "the payload exceeds 16 MiB", .hint = {}};
  }
  return Result<std::string>(boost::system::in_place_value, std::move(payload));
}

// Continues in a child process that the agent neither waits for nor kills. The time limit still
// applies.
void detach_from_agent() {
  itimerval left{};
  ::getitimer(ITIMER_REAL, &left);
  const pid_t child = ::fork();
  if (child > 0) ::_exit(0);
  if (child < 0) return;
  ::setsid();
  const FileDescriptor null(::open("/dev/null", O_RDWR));
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(null.get(), fd);
  ::setitimer(ITIMER_REAL, &left, nullptr);
}

Result<void> forward(const HookOptions& options, bool is_verbose) {
  if (options.problem) return *options.problem;
  if (options.is_hosted) return {};
  const pid_t agent = agent_behind(::getppid());
  auto payload = read_payload();
  if (!payload) return payload.error();
  auto request = hook_request(options.server, options.kind, std::move(*payload), agent);
  if (!request) return request.error();
  if (!is_verbose) detach_from_agent();
  const auto answer = fetch_now(std::move(*request));
  if (!answer) return unreachable_error(options.server, answer.error());
  if (answer->status / 100 != 2) return response_error(*answer);
  return {};
}

}  // namespace

int hook(const HookOptions& options, std::ostream& err) {
  const bool is_verbose = options.is_verbose || ::isatty(STDIN_FILENO) != 0;
  exit_after_limit(is_verbose ? exit_with_message : exit_quietly);
  try {
    const auto sent = forward(options, is_verbose);
    if (!sent && is_verbose) report_error(err, sent.error(), 0);
  } catch (const std::exception& problem) {
    // main() would return another exit code.
    if (is_verbose)
      report_error(err, {.kind = ErrorKind::kFailed, .message = problem.what(), .hint = {}}, 0);
  }
  return 0;
}

}  // namespace oriel
