#include "cli/hooks/hook_command.h"

#include "cli/hooks/hook_parent.h"
#include "cli/hooks/hook_request.h"
#include "cli/report_error.h"

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

void end_quietly(int) {
  ::_exit(0);
}

void end_aloud(int) {
  constexpr std::string_view kMessage = "oriel: gave up after a second\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(0);
}

// Whatever this process waits for then: input, a name, a server.
void end_after_limit(void (*how)(int)) {
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
          .kind = ErrorKind::kUnfitPayload, .message = "the payload is too large", .hint = {}};
  }
  return Result<std::string>(boost::system::in_place_value, std::move(payload));
}

// Goes on as a child that the agent neither waits for nor takes with it when it ends. What is left
// of the time goes with it.
void leave_the_agent() {
  itimerval left{};
  ::getitimer(ITIMER_REAL, &left);
  const pid_t child = ::fork();
  if (child > 0) ::_exit(0);
  if (child < 0) return;
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nothing, fd);
  ::setitimer(ITIMER_REAL, &left, nullptr);
}

Result<void> pass_on(const HookOptions& options, bool is_told) {
  if (options.problem) return *options.problem;
  if (options.is_hosted) return {};
  const pid_t agent = agent_behind(::getppid());
  auto payload = read_payload();
  if (!payload) return payload.error();
  auto request = hook_request(options.server, options.kind, std::move(*payload), agent);
  if (!request) return request.error();
  if (!is_told) leave_the_agent();
  const auto answer = fetch_now(std::move(*request));
  if (!answer) return away_error(options.server, answer.error());
  if (answer->status / 100 != 2) return refusal_of(*answer);
  return {};
}

}  // namespace

int hook(const HookOptions& options, std::ostream& err) {
  const bool is_told = options.is_verbose || ::isatty(STDIN_FILENO) != 0;
  end_after_limit(is_told ? end_aloud : end_quietly);
  try {
    const auto passed = pass_on(options, is_told);
    if (!passed && is_told) complain(err, passed.error(), 0);
  } catch (const std::exception& problem) {
    // main() would answer with an exit code.
    if (is_told)
      complain(err, {.kind = ErrorKind::kFailed, .message = problem.what(), .hint = {}}, 0);
  }
  return 0;
}

}  // namespace oriel
