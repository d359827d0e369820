#include "child_process.h"

#include "exec_words.h"
#include "programs.h"

#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace oriel {
namespace {

std::vector<std::string> make_environment(const Command& command, const std::string& home) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const bool configures = text.starts_with("ORIEL_") || text.starts_with("HOME=") ||
                            text.starts_with("XDG_") || text.starts_with("GTEST_");
    const bool is_replaced = std::any_of(
        command.environment.begin(), command.environment.end(),
        [text](const auto& variable) { return text.starts_with(variable.first + "="); });
    if (!configures && !is_replaced) environment.emplace_back(text);
  }
  environment.push_back("HOME=" + home);
  for (const auto& [name, value] : command.environment)
    environment.push_back(name + "=" + value);
  return environment;
}

// In the child, between fork and exec: only what is safe for a signal handler.
[[noreturn]] void become(char* const* words, char* const* environment, const char* dir,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || chdir(dir) != 0) _exit(126);
  const int in = open("stdin", O_RDONLY);
  const int out = open("stdout", O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int err = open("stderr", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) {
    _exit(126);
  }
  execve(words[0], words, environment);
  _exit(127);
}

}  // namespace

TestProcess::TestProcess(const Command& command) {
  write_file(dir_.path() / "stdin", command.input);
  std::vector<std::string> words = command.words;
  std::vector<std::string> environment = make_environment(command, dir_.path().string());
  const std::vector<char*> argv = exec_words(words);
  const std::vector<char*> envp = exec_words(environment);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) become(argv.data(), envp.data(), dir_.path().c_str(), parent);
}

TestProcess::~TestProcess() {
  if (exit_code_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void TestProcess::signal(int number) {
  if (!exit_code_) kill(pid_, number);
}

std::optional<int> TestProcess::wait_exit(Milliseconds within) {
  const Deadline deadline(within);
  while (!exit_code_) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (deadline.passed()) {
      break;
    } else {
      std::this_thread::sleep_for(Milliseconds{2});
    }
  }
  return exit_code_;
}

Finished run(const Command& command) {
  TestProcess process(command);
  const std::optional<int> exit_code = process.wait_exit();
  if (!exit_code) throw std::runtime_error("does not end: " + command.words[0] + process.err());
  return {.exit_code = *exit_code, .out = process.out(), .err = process.err()};
}

Command oriel_command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), oriel_program());
  return {.words = std::move(arguments)};
}

Finished run_oriel(std::vector<std::string> arguments, std::string input) {
  Command command = oriel_command(std::move(arguments));
  command.input = std::move(input);
  return run(command);
}

}  // namespace oriel
