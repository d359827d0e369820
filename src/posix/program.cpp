#include "posix/program.h"

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <unistd.h>

namespace oriel {
namespace {

enum class Found { kNothing, kNotExecutable, kProgram };

Found look_at(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec)) return Found::kNothing;
  if (!std::filesystem::is_regular_file(file, ec)) return Found::kNotExecutable;
  return ::access(file.c_str(), X_OK) == 0 ? Found::kProgram : Found::kNotExecutable;
}

Error not_executable(const std::filesystem::path& file) {
  return Error{.kind = ErrorKind::kProgramNotExecutable,
               .message = fmt::format("'{}' is not an executable file", file.string()),
               .hint = fmt::format("make it executable: chmod +x '{}'", file.string())};
}

}  // namespace

Result<std::string> find_program(std::string_view name, std::string_view path) {
  if (name.find('/') != name.npos) {
    const std::filesystem::path file = std::filesystem::absolute(name);
    const Found found = look_at(file);
    if (found == Found::kProgram)
      return Result<std::string>(boost::system::in_place_value, file.string());
    if (found == Found::kNotExecutable) return not_executable(file);
    return Error{.kind = ErrorKind::kProgramMissing,
                 .message = fmt::format("'{}' does not exist", name),
                 .hint = "install it, or correct its path"};
  }
  std::filesystem::path refused;
  while (!path.empty() && !name.empty()) {
    const std::string_view directory = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(directory.size() + 1, path.size()));
    // A relative entry would resolve differently for each agent.
    if (!directory.starts_with('/')) continue;
    const std::filesystem::path file = std::filesystem::path(directory) / name;
    const Found found = look_at(file);
    if (found == Found::kProgram)
      return Result<std::string>(boost::system::in_place_value, file.string());
    if (found == Found::kNotExecutable && refused.empty()) refused = file;
  }
  if (!refused.empty()) return not_executable(refused);
  return Error{.kind = ErrorKind::kProgramMissing,
               .message = fmt::format("'{}' is not installed or not on PATH", name),
               .hint = "install it, or use its full path"};
}

}  // namespace oriel
