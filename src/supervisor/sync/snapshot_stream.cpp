#include "supervisor/sync/snapshot_stream.h"

#include "base/text/ascii.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "posix/descriptors/open_directory.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1 << 20;

Error unreadable(const std::string& name, const std::string& problem) {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = quote(name) + " " + problem,
          .hint = "remove it, or name it in .gitignore"};
}

// Opens what is inside the directory, without following any link. Empty, with errno, on failure.
FileDescriptor open_inside(const FileDescriptor& directory, const std::string& name,
                           std::uint64_t flags) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return FileDescriptor(
      static_cast<int>(::syscall(SYS_openat2, directory.get(), name.c_str(), &how, sizeof how)));
}

// Whether there is no such file, or no longer: it may have become a link, a directory or a socket.
bool means_gone(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENXIO;
}

// Git refuses to check out other names.
bool is_storable(const std::string& name) {
  const fs::path path(name);
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path& part) {
           const std::string lower = lower_case(part.string());
           return lower.empty() || lower == "." || lower == ".." || lower == ".git";
         });
}

// As fast-import reads a path.
std::string quoted_path(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else
      quoted += c;
  }
  return quoted + '"';
}

// Before anything is read, so that a workspace that is far too large costs little. Fails as reading
// it would.
Result<void> check_sizes(const FileDescriptor& root, const std::vector<std::string>& names,
                         const SnapshotLimits& limits) {
  std::uint64_t total = 0;
  for (const std::string& name : names) {
    struct stat info {};

    const bool is_file = ::fstatat(root.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                         S_ISREG(info.st_mode);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (!is_file || size > limits.file_bytes || !is_storable(name)) continue;
    total += size;
    if (total > limits.all_bytes)
      return unreadable(name, "makes all files larger than " + format_bytes(limits.all_bytes));
  }
  return {};
}

std::string data_of(std::string_view bytes) {
  return "data " + std::to_string(bytes.size()) + "\n" + std::string(bytes) + "\n";
}

}  // namespace

SnapshotStream::SnapshotStream(const fs::path& workspace, std::vector<std::string> names,
                               const SnapshotCommit& commit, SnapshotLimits limits)
    : root_(open_directory(workspace)), names_(std::move(names)), limits_(limits) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(commit.time).time_since_epoch();
  start_ = "commit " + commit.reference + "\ncommitter Oriel <oriel@localhost> " +
           std::to_string(seconds.count()) + " +0000\n" + data_of(commit.message);
  if (!commit.parent.empty()) start_ += "from " + commit.parent + "\n";
  start_ += "deleteall\n";
}

Result<std::string> SnapshotStream::next() {
  if (!root_)
    return Error{.kind = ErrorKind::kWorkspaceFailed,
                 .message = "it is gone, or its path has become a link",
                 .hint = ""};
  if (!start_.empty()) {
    if (auto fits = check_sizes(root_, names_, limits_); !fits) return fits.error();
  }
  std::string piece = std::exchange(start_, {});
  while (piece.size() < kPiece && (file_ || next_ < names_.size())) {
    const auto added = file_ ? add_content(piece) : add_next(piece);
    if (!added) return added.error();
  }
  return piece;
}

Result<void> SnapshotStream::add_next(std::string& piece) {
  const std::string& name = names_[next_++];
  if (!is_storable(name)) return {};
  return add_file(name, piece);
}

Result<void> SnapshotStream::add_file(const std::string& name, std::string& piece) {
  file_ = open_inside(root_, name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!file_) {
    const int problem = errno;
    if (!means_gone(problem)) return leave_out(name, std::strerror(problem));
    if (problem == ELOOP) add_link(name, piece);
    return {};
  }

  struct stat info {};

  if (::fstat(file_.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    file_ = FileDescriptor();
    return {};
  }
  rest_ = static_cast<std::uint64_t>(info.st_size);
  if (rest_ > limits_.file_bytes)
    return leave_out(name, "is larger than " + format_bytes(limits_.file_bytes));
  total_ += rest_;
  if (total_ > limits_.all_bytes)
    return unreadable(name, "makes all files larger than " + format_bytes(limits_.all_bytes));
  const bool is_program = (info.st_mode & S_IXUSR) != 0;
  piece += std::string("M ") + (is_program ? "100755" : "100644") + " inline " + quoted_path(name) +
           "\ndata " + std::to_string(rest_) + "\n";
  return {};
}

Result<void> SnapshotStream::add_content(std::string& piece) {
  const std::size_t before = piece.size();
  const std::size_t wanted = std::min<std::uint64_t>(rest_, kPiece);
  piece.resize(before + wanted);
  const ssize_t size = wanted == 0 ? 0 : ::read(file_.get(), piece.data() + before, wanted);
  if (size < 0) return unreadable(names_[next_ - 1], std::strerror(errno));
  if (size == 0 && wanted > 0) return unreadable(names_[next_ - 1], "was cut while it was read");
  piece.resize(before + static_cast<std::size_t>(size));
  rest_ -= static_cast<std::uint64_t>(size);
  if (rest_ > 0) return {};
  piece += '\n';
  file_ = FileDescriptor();
  return {};
}

Result<void> SnapshotStream::leave_out(const std::string& name, const std::string& problem) {
  file_ = FileDescriptor();
  if (limits_.unfit == UnfitFile::kFails) return unreadable(name, problem);
  left_out_.push_back(name);
  return {};
}

// Nothing if it is a link no longer, or below one.
void SnapshotStream::add_link(const std::string& name, std::string& piece) const {
  const fs::path path(name);
  // Git refuses to check this one out as a link.
  if (lower_case(path.filename().string()) == ".gitmodules") return;
  const std::string parent = path.parent_path().empty() ? "." : path.parent_path().string();
  const FileDescriptor directory = open_inside(root_, parent, O_PATH | O_DIRECTORY);
  if (!directory) return;
  std::array<char, PATH_MAX> target{};
  const ssize_t size =
      ::readlinkat(directory.get(), path.filename().c_str(), target.data(), target.size());
  if (size <= 0) return;
  piece += "M 120000 inline " + quoted_path(name) + "\n" +
           data_of({target.data(), static_cast<std::size_t>(size)});
}

}  // namespace oriel
