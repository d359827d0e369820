#include "stdio_process.h"

#include "exec_words.h"

#include <boost/json/parse.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {

StdioProcess::StdioProcess(std::vector<std::string> words) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("cannot make pipes");
  const std::vector<char*> argv = exec_words(words);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(in[0], STDIN_FILENO) < 0 || dup2(out[1], STDOUT_FILENO) < 0) _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

StdioProcess::~StdioProcess() {
  close_input();
  close(output_);
  if (exit_code_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void StdioProcess::say(std::string_view line) const {
  const std::string text = std::string(line) + "\n";
  if (write(input_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error("nobody reads");
}

boost::json::object StdioProcess::receive(Milliseconds within) {
  const Deadline deadline(within);
  for (;;) {
    const std::size_t end = unread_.find('\n');
    if (end != unread_.npos) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return boost::json::parse(line).as_object();
    }
    pollfd polled{output_, POLLIN, 0};
    std::array<char, 4096> bytes;
    if (poll(&polled, 1, static_cast<int>(deadline.left().count())) <= 0)
      throw std::runtime_error("nothing is said");
    const ssize_t count = read(output_, bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("no more is said");
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

boost::json::object StdioProcess::hear_answer(std::int64_t id, Milliseconds within) {
  const Deadline deadline(within);
  for (;;) {
    boost::json::object message = receive(deadline.left());
    const auto* const answered = message.if_contains("id");
    if (answered != nullptr && *answered == id && !message.contains("method")) return message;
  }
}

void StdioProcess::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void StdioProcess::signal(int number) const {
  if (!exit_code_) kill(pid_, number);
}

std::optional<int> StdioProcess::wait_exit(Milliseconds within) {
  const auto is_over = [this] {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  };
  if (!exit_code_) eventually(is_over, within);
  return exit_code_;
}

}  // namespace oriel
