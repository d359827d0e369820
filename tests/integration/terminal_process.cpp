#include "terminal_process.h"

#include "exec_words.h"

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

std::vector<std::string> make_environment(const std::filesystem::path& home) {
  std::vector<std::string> environment = {"HOME=" + home.string(), "TERM=xterm", "LANG=C.UTF-8"};
  for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr) environment.push_back(std::string(name) + "=" + value);
  }
  return environment;
}

}  // namespace

TerminalProcess::TerminalProcess(std::vector<std::string> words,
                                 const std::filesystem::path& directory) {
  std::vector<std::string> environment = make_environment(directory);
  const std::vector<char*> argv = exec_words(words);
  const std::vector<char*> envp = exec_words(environment);
  winsize size{.ws_row = 40, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::runtime_error("cannot make a terminal");
  if (pid_ == 0) {
    if (::chdir(directory.c_str()) != 0) ::_exit(126);
    ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
}

TerminalProcess::~TerminalProcess() {
  ::close(terminal_);
  if (exit_code_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool TerminalProcess::read_more(const Deadline& deadline) {
  pollfd wanted{.fd = terminal_, .events = POLLIN, .revents = 0};
  if (::poll(&wanted, 1, static_cast<int>(deadline.left().count())) != 1) return false;
  std::array<char, 4096> bytes;
  const ssize_t count = ::read(terminal_, bytes.data(), bytes.size());
  if (count <= 0) return false;
  screen_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

bool TerminalProcess::shows(std::string_view text, Milliseconds within) {
  const Deadline deadline(within);
  for (;;) {
    const std::size_t found = screen_.find(text, seen_);
    if (found != std::string::npos) {
      seen_ = found + text.size();
      return true;
    }
    if (!read_more(deadline)) return false;
  }
}

void TerminalProcess::type(std::string_view keys) const {
  if (::write(terminal_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
    throw std::runtime_error("cannot type");
}

std::optional<int> TerminalProcess::wait_exit(Milliseconds within) {
  const Deadline deadline(within);
  while (read_more(deadline)) {
  }
  eventually(
      [this] {
        int status = 0;
        if (!exit_code_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
          exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return exit_code_.has_value();
      },
      deadline.left());
  return exit_code_;
}

}  // namespace oriel
