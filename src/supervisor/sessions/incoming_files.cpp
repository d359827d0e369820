#include "supervisor/sessions/incoming_files.h"

#include "base/failpoint.h"
#include "base/log.h"
#include "supervisor/sessions/file_prompt.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

Error failure(const std::string& what) {
  return {.kind = ErrorKind::kUploadFailed,
          .message = "cannot " + what + ": " + std::strerror(errno),
          .hint = "free space on the disk of --data-dir, and check its permissions"};
}

Result<void> make(const fs::path& directory) {
  std::error_code ec;
  fs::create_directories(directory.parent_path(), ec);
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return failure("make " + directory.string());
}

}  // namespace

IncomingFiles::IncomingFiles(fs::path directory, UploadedBytes bytes, std::uint64_t max_bytes)
    : directory_(std::move(directory)), bytes_(std::move(bytes)), max_bytes_(max_bytes) {}

IncomingFiles::~IncomingFiles() {
  if (is_kept_) return;
  for (const File& file : files_) {
    std::error_code ec;
    // Files of removed sessions are already uncounted.
    if (fs::remove(directory_ / file.name, ec)) bytes_->fetch_sub(file.counted);
    if (ec) log()->error("cannot remove {}: {}", (directory_ / file.name).string(), ec.message());
  }
}

Result<void> IncomingFiles::begin(const TurnFile& file) {
  if (auto made = make(directory_); !made) return made;
  const fs::path path = path_of(file);
  file_ = FileDescriptor(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_) return failure("make " + path.string());
  files_.push_back({.name = stored_name(file), .counted = 0});
  return {};
}

Result<void> IncomingFiles::write(std::string_view bytes) {
  if (!take_room(bytes.size())) {
    return Error{
        .kind = ErrorKind::kUploadsFull,
        .message = "uploads of all sessions would exceed " + std::to_string(max_bytes_) + " bytes",
        .hint =
            "raise --max-uploads-total, or lower --max-kept-sessions to remove old sessions with "
            "their files"};
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure("write " + (directory_ / files_.back().name).string());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> IncomingFiles::end() {
  if (::close(file_.release()) != 0)
    return failure("close " + (directory_ / files_.back().name).string());
  return {};
}

// All or none: what was moved before a failure is moved back.
Result<void> IncomingFiles::move_to(const fs::path& directory) {
  if (auto made = make(directory); !made) return made;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const std::string& name = files_[i].name;
    ORIEL_FAILPOINT(kRenameBefore);
    const bool is_moved = ::rename((directory_ / name).c_str(), (directory / name).c_str()) == 0;
    if (is_moved) ORIEL_FAILPOINT(kRenameAfter);
    if (is_moved) continue;
    Error error = failure("move " + name);
    std::error_code ignored;
    for (std::size_t moved = 0; moved < i; ++moved)
      fs::rename(directory / files_[moved].name, directory_ / files_[moved].name, ignored);
    return error;
  }
  directory_ = directory;
  return {};
}

fs::path IncomingFiles::path_of(const TurnFile& file) const {
  return directory_ / stored_name(file);
}

bool IncomingFiles::take_room(std::uint64_t more) {
  std::uint64_t before = bytes_->load();
  do {
    if (before > max_bytes_ || more > max_bytes_ - before) return false;
  } while (!bytes_->compare_exchange_weak(before, before + more));
  files_.back().counted += more;
  return true;
}

}  // namespace oriel
