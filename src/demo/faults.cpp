#include "demo/faults.h"

#include <spdlog/fmt/fmt.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::uint64_t kMaxFlood = 10'000'000;
constexpr std::uint64_t kMaxLine = 512 << 20;
constexpr unsigned kLongestLife = 600;  // seconds, because SIGTERM is ignored

[[noreturn]] void crash() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::fputs("oriel-demo-agent: crashing on request\n", stderr);
  std::abort();
}

[[noreturn]] void leave(int code) {
  std::fprintf(stderr, "oriel-demo-agent: exiting with code %d on request\n", code);
  _exit(code);
}

// Ignores its client and all signals that can be ignored.
[[noreturn]] void hang(DemoTask& task) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP})
    std::signal(signal, SIG_IGN);
  task.say("From now on I do not listen.");
  for (unsigned left = kLongestLife; left > 0;)
    left = sleep(left);
  _exit(1);
}

void flood(std::uint64_t chunks, DemoTask& task) {
  for (std::uint64_t i = 1; i <= std::min(chunks, kMaxFlood) && !task.is_over(); ++i)
    task.say_at_once(fmt::format("line {} of {}\n", i, chunks));
}

// Neighbouring chunks are of different kinds, so a client cannot join them.
void babble(std::uint64_t chunks, DemoTask& task) {
  for (std::uint64_t i = 1; i <= std::min(chunks, kMaxFlood) && !task.is_over(); ++i) {
    task.think(fmt::format("thought {} of {}\n", i, chunks));
    task.say_at_once(fmt::format("line {} of {}\n", i, chunks));
  }
}

void print_garbage(DemoTask& task) {
  for (const std::string_view line :
       {"this is not JSON", "{\"jsonrpc\":\"2.0\",", "[]", "null", "42", "{}", "\x1b[31mred\x1b[0m",
        R"({"jsonrpc":"2.0","id":9999,"result":{}})", R"({"jsonrpc":"2.0","method":7})",
        R"({"jsonrpc":"2.0","method":"session/update","params":[]})",
        R"({"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":5}}})",
        ""}) {
    task.channel().send_raw(line);
    task.channel().send_raw("\n");
  }
  task.channel().send_raw(std::string("nul \0 and more\n", 15));
  task.say("That was garbage. I go on as if nothing had happened.");
}

void print_invalid_utf8(DemoTask& task) {
  task.channel().send_raw(
      "{\"jsonrpc\":\"2.0\",\"method\":\"session/"
      "update\",\"params\":{\"sessionId\":\"\xff\",\"update\":"
      "{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"\xc3("
      "\xfe\"}}}}\n");
  task.say("That line was not UTF-8. I go on.");
}

// A grandchild in a session of its own that keeps this program's output open.
void leave_stray_child(DemoTask& task) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      const std::string seconds = std::to_string(kLongestLife);
      execlp("sleep", "sleep", seconds.c_str(), nullptr);
      _exit(127);
    }
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
  task.say(fmt::format("I left a child behind: it sleeps for {} s.", kLongestLife));
}

}  // namespace

bool is_fault(DemoAction action) {
  return action > DemoAction::kFail;
}

void cause_fault(const DemoRequest& request, DemoTask& task) {
  switch (request.action) {
    case DemoAction::kCrash:
      crash();
    case DemoAction::kExit:
      leave(static_cast<int>(request.amount.value_or(1) & 0xff));
    case DemoAction::kHang:
      hang(task);
    case DemoAction::kFlood:
      return flood(request.amount.value_or(10'000), task);
    case DemoAction::kBabble:
      return babble(request.amount.value_or(1'000), task);
    case DemoAction::kLongLine:
      return task.say_at_once(
          std::string(std::min(request.amount.value_or(3'000'000), kMaxLine), 'x'));
    case DemoAction::kGarbage:
      return print_garbage(task);
    case DemoAction::kInvalidUtf8:
      return print_invalid_utf8(task);
    case DemoAction::kHalfLine:
      task.channel().send_raw(R"({"jsonrpc":"2.0","method":"session/upd)");
      leave(0);
    case DemoAction::kStray:
      return leave_stray_child(task);
    default:
      return;
  }
}

}  // namespace oriel
