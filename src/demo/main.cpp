#include "demo/demo_agent.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::string_view kHelp = R"(Usage: oriel-demo-agent [--pace MS]

An agent that works without a model. It speaks the Agent Client Protocol (ACP, JSON-RPC in lines)
on standard input and output, and is meant to be started by Oriel:

  [agents.demo]
  adapter = "acp"
  command = ["oriel-demo-agent"]

Options:
  --pace MS   pause after each word it says (default 15)
  --version   print the version
  --help      print this

What it understands in a prompt:
  list [DIRECTORY]     the files of the workspace
  read FILE            a file's content
  search WORD          all lines with that word
  count [FILE]         lines, words and bytes
  write FILE: TEXT     writes a file, after asking for permission
  ask                  asks a question
  help                 what it can do
  slowly ...           any of these, a fifth of a second for each word
  slow 5s [...]        the same, after waiting so long
  anything else        an overview of the workspace

Faults, each the whole prompt, to test what runs agents:
  fail                 answers the prompt with an error
  crash                aborts
  exit [CODE]          exits (default 1)
  hang                 ignores its input, session/cancel and SIGTERM, for ten minutes at most
  flood [N]            says N lines as fast as it can (default 10000)
  babble [N]           alternates N thoughts and N lines as fast as it can (default 1000)
  longline [BYTES]     says so much in one line (default 3000000)
  garbage              prints lines that are no messages, then goes on
  invalid-utf8         prints a message that is not UTF-8, then goes on
  half-line            prints half a message and exits
  stray                leaves a sleeping grandchild behind that keeps the output open

It reads and writes files only inside the workspace. Conversations that can be resumed are kept in
$XDG_STATE_HOME/oriel-demo-agent (~/.local/state/oriel-demo-agent).
)";

int usage_error(std::string_view argument) {
  std::cerr << "oriel-demo-agent: cannot use \"" << argument << "\"; see oriel-demo-agent --help\n";
  return 2;
}

int run(int argc, char** argv) {
  DemoOptions options{.state_directory = default_state_directory()};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--help") {
      std::cout << kHelp;
      return 0;
    }
    if (argument == "--version") {
      std::cout << "oriel-demo-agent " ORIEL_VERSION "\n";
      return 0;
    }
    const std::string_view value = i + 1 < argc ? argv[i + 1] : "";
    unsigned pace = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), pace);
    const bool is_number = error == std::errc() && end == value.data() + value.size();
    if (argument != "--pace" || !is_number || pace > 60'000) return usage_error(argument);
    options.pace = std::chrono::milliseconds(pace);
    ++i;
  }
  std::signal(SIGPIPE, SIG_IGN);
  RpcChannel channel(STDIN_FILENO, STDOUT_FILENO);
  DemoAgent(channel, std::move(options)).run();
  return 0;
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    return oriel::run(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "oriel-demo-agent: %s\n", problem.what());
    return 1;
  }
}
