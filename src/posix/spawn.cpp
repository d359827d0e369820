#include "posix/spawn.h"

#include "base/failpoint.h"
#include "posix/own_children.h"
#include "posix/process_settings.h"
#include "posix/program.h"

#include <spdlog/fmt/fmt.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace oriel {
namespace {

enum class Stage { kSetup, kDirectory, kProgram };

// Sent by a child that fails before exec.
struct Report {
  Stage stage = Stage::kSetup;
  int error = 0;
};

// Prepared before vfork: the child must not allocate.
struct Plan {
  const char* program;
  char* const* argv;
  char* const* environment;
  const char* directory;
  int open_directory;  // entered instead; -1: none
  int input;
  int output;
  int errors;
  int report;  // closed by exec
  int cgroup;  // its list of processes; -1: none
  rlim_t max_data;
  pid_t parent;
};

[[noreturn]] void fail(const Plan& plan, Stage stage) {
  const Report report{.stage = stage, .error = errno};
  [[maybe_unused]] const ssize_t sent = ::write(plan.report, &report, sizeof report);
  ::_exit(127);
}

// Runs in the child, which shares our memory until exec: only async-signal-safe calls.
[[noreturn]] void become(const Plan& plan) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(127);  // the parent has already exited
  if (::setsid() < 0) fail(plan, Stage::kSetup);
  // Before it starts anything. Where it cannot, other ways of finding its processes remain.
  if (plan.cgroup >= 0) {
    [[maybe_unused]] const ssize_t joined = ::write(plan.cgroup, "0", 1);
  }

  struct sigaction as_default {};

  as_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal)
    ::sigaction(signal, &as_default, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const rlimit data{.rlim_cur = plan.max_data, .rlim_max = plan.max_data};
  if (plan.max_data != RLIM_INFINITY && ::setrlimit(RLIMIT_DATA, &data) != 0)
    fail(plan, Stage::kSetup);
  restore_settings_in_child();

  const bool is_inside =
      plan.open_directory >= 0 ? ::fchdir(plan.open_directory) == 0 : ::chdir(plan.directory) == 0;
  if (!is_inside) fail(plan, Stage::kDirectory);
  if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
      ::dup2(plan.errors, STDERR_FILENO) < 0)
    fail(plan, Stage::kSetup);
  // Marks descriptors that were opened without O_CLOEXEC.
  ::syscall(SYS_close_range, 3U, ~0U, 1U << 2 /* CLOSE_RANGE_CLOEXEC */);

  ::execve(plan.program, plan.argv, plan.environment);
  fail(plan, Stage::kProgram);
}

// vfork, because fork would copy the page tables of the server.
[[gnu::noinline]] pid_t start(const Plan& plan) {
  const pid_t pid = ::vfork();
  if (pid == 0) become(plan);
  return pid;
}

// Our signal handlers must not run in a child that shares our memory.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }

  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

// Moves descriptors above standard error, so that dup2() in the child cannot overwrite them.
FileDescriptor above_standard(int number) {
  FileDescriptor file(number);
  if (number > STDERR_FILENO) return file;
  return FileDescriptor(::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

// The standard streams of a child, and the pipe for its report.
struct Pipes {
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe report;
};

// None, with errno, when descriptors run out.
std::optional<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  FileDescriptor read = above_standard(ends[0]);
  FileDescriptor write = above_standard(ends[1]);
  if (!read || !write) return std::nullopt;
  return Pipe{.read = std::move(read), .write = std::move(write)};
}

std::optional<Pipes> make_pipes() {
  Pipes pipes;
  for (Pipe* const pipe : {&pipes.input, &pipes.output, &pipes.errors, &pipes.report}) {
    auto made = make_pipe();
    if (!made) return std::nullopt;
    *pipe = *std::move(made);
  }
  return pipes;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (const std::string& word : words)
    out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// None if exec succeeded and closed the pipe.
std::optional<Report> read_report(const FileDescriptor& pipe) {
  Report report;
  ssize_t size = 0;
  do {
    size = ::read(pipe.get(), &report, sizeof report);
  } while (size < 0 && errno == EINTR);
  return size == sizeof report ? std::optional(report) : std::nullopt;
}

// A limit of our own stays the upper one.
rlim_t data_limit(std::uint64_t wanted) {
  rlimit own{};
  if (wanted == 0 || ::getrlimit(RLIMIT_DATA, &own) != 0) return RLIM_INFINITY;
  return std::min<rlim_t>(wanted, own.rlim_max);
}

Error cannot_start(const std::string& program, int error) {
  return Error{.kind = ErrorKind::kCannotStart,
               .message = fmt::format("cannot start '{}': {}", program, std::strerror(error)),
               .hint = "try to run it from a shell of the same user"};
}

Error describe(const Report& report, const ProcessSpec& command, const std::string& program) {
  if (report.stage == Stage::kDirectory)
    return Error{.kind = ErrorKind::kDirectoryMissing,
                 .message = fmt::format("cannot enter the directory '{}': {}",
                                        command.directory.string(), std::strerror(report.error)),
                 .hint = "choose an existing directory with permission to enter"};
  if (report.stage == Stage::kProgram && (report.error == ENOEXEC || report.error == EACCES))
    return Error{
        .kind = ErrorKind::kProgramNotExecutable,
        .message = fmt::format("cannot execute '{}': {}", program, std::strerror(report.error)),
        .hint = "install a program for this machine, or a script that begins with #!"};
  return cannot_start(program, report.error);
}

}  // namespace

Result<Spawned> spawn(const ProcessSpec& command, const FileDescriptor& directory) {
  const auto program = find_program(command.argv.at(0), program_path(command.environment));
  if (!program) return program.error();

  auto pipes = make_pipes();
  if (!pipes) return cannot_start(*program, errno);
  auto& [input, output, errors, report] = *pipes;
  const std::vector<std::string> variables = environment_lines(command.environment);
  const std::vector<char*> argv = pointers(command.argv);
  const std::vector<char*> environment = pointers(variables);
  const std::string members = (command.cgroup / "cgroup.procs").string();
  const FileDescriptor cgroup(
      command.cgroup.empty() ? -1 : ::open(members.c_str(), O_WRONLY | O_CLOEXEC));
  const Plan plan{.program = program->c_str(),
                  .argv = argv.data(),
                  .environment = environment.data(),
                  .directory = command.directory.c_str(),
                  .open_directory = directory.get(),
                  .input = input.read.get(),
                  .output = output.write.get(),
                  .errors = errors.write.get(),
                  .report = report.write.get(),
                  .cgroup = cgroup.get(),
                  .max_data = data_limit(command.max_data),
                  .parent = ::getpid()};

  ORIEL_FAILPOINT(kSpawnBefore);
  OwnChildren& children = OwnChildren::of_this_process();
  const pid_t pid = children.add([&plan] {
    const AllSignalsBlocked blocked;
    return start(plan);
  });
  if (pid < 0) return cannot_start(*program, errno);
  ORIEL_FAILPOINT(kSpawnAfter);

  report.write = FileDescriptor();
  if (const auto failure = read_report(report.read)) {
    children.reap(pid);
    return describe(*failure, command, *program);
  }
  // glibc 2.36 declares pidfd_open() without extern "C".
  FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) {
    const int error = errno;
    ::kill(-pid, SIGKILL);
    children.reap(pid);
    return cannot_start(*program, error);
  }
  return Spawned{.pid = pid,
                 .process = std::move(process),
                 .input = std::move(input.write),
                 .output = std::move(output.read),
                 .errors = std::move(errors.read)};
}

}  // namespace oriel
