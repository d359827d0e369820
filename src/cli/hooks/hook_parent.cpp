#include "cli/hooks/hook_parent.h"

#include "posix/process_tree.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 8> kShells = {"sh",  "bash", "dash",    "zsh",
                                                     "ash", "ksh",  "busybox", "fish"};
constexpr int kMaxShells = 8;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// "sh -c COMMAND", "bash -lc COMMAND", "busybox sh -c COMMAND".
bool runs_command(const std::vector<std::string>& words) {
  if (words.empty()) return false;
  if (std::find(kShells.begin(), kShells.end(), base_name(words.front())) == kShells.end())
    return false;
  return std::any_of(words.begin() + 1, words.end(), [](const std::string& word) {
    return word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
  });
}

std::optional<CalledProcess> look_in_proc(pid_t pid) {
  const auto info = look_up(pid);
  if (!info) return std::nullopt;
  CalledProcess process{.parent = info->parent, .words = {}};
  std::ifstream in("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
  for (std::string word; std::getline(in, word, '\0');)
    process.words.push_back(word);
  return process;
}

}  // namespace

pid_t behind_shells(pid_t pid, const LookAtProcess& look) {
  for (int shells = 0; shells < kMaxShells; ++shells) {
    const auto process = look(pid);
    if (!process || !runs_command(process->words) || process->parent <= 1) return pid;
    pid = process->parent;
  }
  return pid;
}

pid_t agent_behind(pid_t parent) {
  return behind_shells(parent, look_in_proc);
}

}  // namespace oriel
