#include "posix/environment.h"

#include <spdlog/fmt/fmt.h>

#include <unistd.h>

namespace oriel {

Environment own_environment() {
  Environment own;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line = *entry;
    const std::size_t equals = line.find('=');
    if (equals == line.npos || equals == 0) continue;
    own.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return own;
}

std::string program_path(const Environment& environment) {
  const auto path = environment.find("PATH");
  return path == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : path->second;
}

std::vector<std::string> environment_lines(const Environment& environment) {
  std::vector<std::string> lines;
  lines.reserve(environment.size());
  for (const auto& [name, value] : environment)
    lines.push_back(fmt::format("{}={}", name, value));
  return lines;
}

}  // namespace oriel
