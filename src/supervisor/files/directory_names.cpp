#include "supervisor/files/directory_names.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kBetweenLooks = 64;

}  // namespace

std::string with_home(std::string_view typed, const fs::path& home) {
  const bool has_tilde = typed == "~" || typed.starts_with("~/");
  if (!has_tilde || home.empty()) return std::string(typed);
  return home.string() + std::string(typed.substr(1));
}

FoundPaths find_directories(const std::string& typed, std::size_t most, PathLimits limits) {
  FoundPaths found;
  if (!typed.starts_with('/')) return found;
  const std::size_t slash = typed.rfind('/');
  const std::string parent = typed.substr(0, slash + 1);
  const std::string begun = lower_case(typed.substr(slash + 1));
  const auto until = SteadyClock::now() + limits.time;
  std::error_code problem;
  std::size_t seen = 0;
  for (fs::directory_iterator entry(parent, problem); !problem && entry != fs::directory_iterator();
       entry.increment(problem)) {
    const bool is_late = ++seen % kBetweenLooks == 0 && SteadyClock::now() > until;
    if (seen > limits.entries || is_late) {
      found.is_complete = false;
      break;
    }
    const std::string name = entry->path().filename().string();
    if (!lower_case(name).starts_with(begun) || !is_nameable(name)) continue;
    if (name.starts_with('.') && !begun.starts_with('.')) continue;
    std::error_code ignored;
    if (entry->is_directory(ignored)) found.paths.push_back(parent + name + '/');
  }
  std::ranges::sort(found.paths);
  if (found.paths.size() > most) {
    found.paths.resize(most);
    found.is_complete = false;
  }
  return found;
}

}  // namespace oriel
