#include "posix/atomic_file.h"

#include "base/failpoint.h"
#include "posix/file_descriptor.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

Error failed(const char* action, const fs::path& file) {
  return {.kind = ErrorKind::kFileFailed,
          .message = fmt::format("cannot {} {}: {}", action, file.string(), std::strerror(errno)),
          .hint = {}};
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool copy_access(int fd, const fs::path& like) {
  struct stat old {};

  if (::stat(like.c_str(), &old) != 0) return errno == ENOENT;
  // Only root may change the owner. A file that stays ours keeps its mode anyway.
  if (::fchown(fd, old.st_uid, old.st_gid) != 0 && errno != EPERM) return false;
  return ::fchmod(fd, old.st_mode & 07777) == 0;
}

bool sync_file(int fd) {
  ORIEL_FAILPOINT(kSyncBefore);
  const bool is_synced = ::fsync(fd) == 0;
  ORIEL_FAILPOINT(kSyncAfter);
  return is_synced;
}

Result<void> write_draft(const fs::path& draft, std::string_view text, const fs::path& like) {
  ::unlink(draft.c_str());  // left by a writer that was killed
  const FileDescriptor fd(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return failed("create", draft);
  if (!copy_access(fd.get(), like)) return failed("create", draft);
  if (!write_all(fd.get(), text) || !sync_file(fd.get())) return failed("write", draft);
  return {};
}

// Makes the rename durable.
Result<void> sync_directory(const fs::path& file) {
  const fs::path directory = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const FileDescriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened || !sync_file(opened.get())) return failed("sync", directory);
  return {};
}

}  // namespace

Result<void> replace_file(const fs::path& file, std::string_view text, const fs::path& like) {
  const fs::path draft = fmt::format("{}.oriel-new-{}", file.string(), ::getpid());
  const auto written = write_draft(draft, text, like);
  ORIEL_FAILPOINT(kRenameBefore);
  if (written && ::rename(draft.c_str(), file.c_str()) == 0) {
    ORIEL_FAILPOINT(kRenameAfter);
    return sync_directory(file);
  }
  const Error error = written ? failed("replace", file) : written.error();
  ::unlink(draft.c_str());
  return error;
}

}  // namespace oriel
