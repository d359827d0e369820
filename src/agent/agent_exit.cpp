#include "agent/agent_exit.h"

#include "base/text/utf8.h"

#include <spdlog/fmt/fmt.h>

#include <cstring>

namespace oriel {
namespace {

constexpr std::size_t kShownLines = 5;
constexpr std::size_t kShownBytes = 1000;

std::string way_to_end(const AgentExit& exit) {
  if (!exit.cause.empty()) return exit.cause + " and was stopped";
  if (exit.signal == 0) return fmt::format("exited with code {}", exit.code);
  const char* name = sigabbrev_np(exit.signal);
  if (name == nullptr) return fmt::format("was killed by signal {}", exit.signal);
  return fmt::format("was killed by SIG{} (signal {})", name, exit.signal);
}

// The last lines, trimmed.
std::string last_lines(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t end = text.find_last_not_of(kSpace);
  if (end == text.npos) return "";
  text = text.substr(0, end + 1);
  std::size_t begin = text.size();
  for (std::size_t lines = 0; lines < kShownLines && begin != text.npos && begin > 0; ++lines)
    begin = text.rfind('\n', begin - 1);
  if (begin != text.npos && begin < text.size() && text[begin] == '\n')
    text.remove_prefix(begin + 1);
  if (text.size() > kShownBytes) text.remove_prefix(text.size() - kShownBytes);
  return valid_utf8(std::string(text));
}

}  // namespace

std::string AgentExit::describe() const {
  const std::string words = last_lines(last_words);
  const std::string way = way_to_end(*this);
  return words.empty() ? way : way + "; it said: " + words;
}

}  // namespace oriel
