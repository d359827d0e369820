#include "posix/text_file.h"

#include "posix/file_descriptor.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

Error failed(const char* what, const fs::path& file, const std::string& why) {
  return {.kind = ErrorKind::kFileFailed,
          .message = fmt::format("cannot {} {}: {}", what, file.string(), why),
          .hint = {}};
}

Error failed(const char* what, const fs::path& file) {
  return failed(what, file, std::strerror(errno));
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

Result<void> write_draft(const fs::path& draft, const struct stat* old, const std::string& text) {
  const FileDescriptor fd(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (fd.get() < 0) return failed("write", draft);
  if (old != nullptr) {
    // Only root may give a file away; a draft that stays ours is still the owner's to read.
    if (::fchown(fd.get(), old->st_uid, old->st_gid) != 0 && errno != EPERM)
      return failed("write", draft);
    if (::fchmod(fd.get(), old->st_mode & 07777) != 0) return failed("write", draft);
  }
  if (!write_all(fd.get(), text) || ::fsync(fd.get()) != 0) return failed("write", draft);
  return {};
}

Result<void> replace(const fs::path& file, const struct stat* old, const std::string& text) {
  const fs::path draft = fmt::format("{}.oriel-new-{}", file.string(), ::getpid());
  const auto written = write_draft(draft, old, text);
  if (written && ::rename(draft.c_str(), file.c_str()) == 0) return {};
  const Error error = written ? failed("replace", file) : written.error();
  ::unlink(draft.c_str());
  return error;
}

Result<void> make_directories(const fs::path& directory) {
  if (directory.empty() || fs::exists(directory)) return {};
  const auto made = make_directories(directory.parent_path());
  if (!made) return made.error();
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return failed("make", directory);
  return {};
}

}  // namespace

fs::path file_behind(fs::path name) {
  std::error_code problem;
  for (int links = 0; links < kMaxLinks && fs::is_symlink(name, problem); ++links)
    name = name.parent_path() / fs::read_symlink(name, problem);
  return name;
}

Result<std::string> read_text_file(const fs::path& file) {
  constexpr auto kValue = boost::system::in_place_value;
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::not_found) return Result<std::string>(kValue);
  if (problem) return failed("read", file, problem.message());
  if (status.type() != fs::file_type::regular) return failed("read", file, "it is not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return failed("read", file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return failed("read", file);
  return Result<std::string>(kValue, std::move(text));
}

fs::path backup_of(const fs::path& file) {
  return file.string() + ".oriel-backup";
}

Result<void> change_text_file(const fs::path& file, const std::string& text) {
  const auto made = make_directories(file.parent_path());
  if (!made) return made.error();

  struct stat old {};

  if (::stat(file.c_str(), &old) != 0) {
    if (errno != ENOENT) return failed("read", file);
    return replace(file, nullptr, text);
  }
  const auto before = read_text_file(file);
  if (!before) return before.error();
  const auto kept = replace(backup_of(file), &old, *before);
  if (!kept) return kept.error();
  return replace(file, &old, text);
}

}  // namespace oriel
