#include "supervisor/sync/tracked_files.h"

#include "posix/file_descriptor.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIndex = 256 << 20;
constexpr std::size_t kMaxLink = 4096;

// A regular file of at most this size; none if it is anything else.
std::optional<std::string> read_regular(const fs::path& file, std::size_t max_bytes) {
  const FileDescriptor opened(
      ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));

  struct stat info {};

  if (!opened || ::fstat(opened.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  std::string text(std::min<std::size_t>(static_cast<std::size_t>(info.st_size), max_bytes), '\0');
  const ssize_t size = ::read(opened.get(), text.data(), text.size());
  if (size < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

// The repository of a directory: ".git", or for a worktree what that file names.
fs::path repository_of(const fs::path& directory) {
  constexpr std::string_view kPrefix = "gitdir: ";
  const auto link = read_regular(directory / ".git", kMaxLink);
  if (!link || !link->starts_with(kPrefix)) return directory / ".git";
  const std::string path = link->substr(kPrefix.size(), link->find('\n') - kPrefix.size());
  return directory / path;
}

}  // namespace

Result<void> copy_index(const fs::path& directory, const fs::path& copy) {
  const auto index = read_regular(repository_of(directory) / "index", kMaxIndex);
  std::error_code ignored;
  fs::remove(copy, ignored);
  if (!index) return {};
  std::ofstream file(copy, std::ios::binary);
  file << *index;
  file.close();
  if (file) return {};
  return Error{.kind = ErrorKind::kWorkspaceFailed,
               .message = copy.string() + " cannot be written",
               .hint = "check the disk of --data-dir"};
}

}  // namespace oriel
