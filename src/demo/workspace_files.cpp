#include "demo/workspace_files.h"

#include "base/text/quote.h"
#include "posix/file_descriptor.h"

#include <linux/openat2.h>
#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

Error refusal(std::string_view path, int reason) {
  if (reason == EXDEV || reason == ELOOP) {
    return {.kind = ErrorKind::kOutsideWorkspace,
            .message = fmt::format("{} is outside the workspace", quote(path)),
            .hint = "name a file inside the workspace"};
  }
  return {.kind = ErrorKind::kNoAccess,
          .message = fmt::format("{}: {}", quote(path), std::strerror(reason)),
          .hint = "say \"list\" to see the files"};
}

// As the workspace sees it: an absolute path inside it becomes a relative one.
std::string relative_path(const fs::path& workspace, std::string_view path) {
  const fs::path given(path);
  if (!given.is_absolute()) return given.empty() ? "." : given.string();
  const fs::path relative = given.lexically_normal().lexically_relative(workspace);
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  return is_inside ? relative.string() : given.string();
}

// The kernel itself refuses every way out (RESOLVE_BENEATH), so nothing can change between a check
// and its use. Never waits for the other end of a FIFO.
Result<FileDescriptor> open_beneath(const fs::path& workspace, std::string_view path, int flags) {
  const FileDescriptor root(open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root) return refusal(workspace.native(), errno);
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  how.mode = (flags & O_CREAT) ? 0644 : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const std::string relative = relative_path(workspace, path);
  FileDescriptor file(
      static_cast<int>(syscall(SYS_openat2, root.get(), relative.c_str(), &how, sizeof how)));
  if (!file) return refusal(path, errno);
  return file;
}

Result<FileDescriptor> open_regular(const fs::path& workspace, std::string_view path, int flags) {
  auto file = open_beneath(workspace, path, flags);
  if (!file) return file;

  struct stat status {};

  if (fstat(file->get(), &status) != 0) return refusal(path, errno);
  if (S_ISREG(status.st_mode)) return file;
  return Error{.kind = ErrorKind::kNotAFile,
               .message = fmt::format("{} is not a regular file", quote(path)),
               .hint = "say \"list\" to see the files"};
}

bool is_kept_by_tools(const fs::path& directory) {
  const fs::path name = directory.filename();
  return name == ".git" || name == "node_modules";
}

}  // namespace

Result<FileListing> list_files(const fs::path& workspace, std::string_view directory) {
  const auto start = open_beneath(workspace, directory, O_RDONLY | O_DIRECTORY);
  if (!start) return start.error();
  const fs::path prefix = fs::path(relative_path(workspace, directory)).lexically_normal();
  FileListing listing;
  std::error_code problem;
  // Through the open directory: its name may mean another one by now.
  const fs::path base = fs::path("/proc/self/fd") / std::to_string(start->get()) / ".";
  fs::recursive_directory_iterator entry(base, fs::directory_options::skip_permission_denied,
                                         problem);
  for (; !problem && entry != fs::end(entry); entry.increment(problem)) {
    std::error_code ignored;
    const bool is_link = entry->is_symlink(ignored);
    if (!is_link && entry->is_directory(ignored) && is_kept_by_tools(entry->path())) {
      entry.disable_recursion_pending();
    }
    if (is_link || !entry->is_regular_file(ignored)) continue;
    if (listing.files.size() == kMaxListedFiles) {
      listing.is_cut = true;
      break;
    }
    const fs::path path = (prefix / entry->path().lexically_relative(base)).lexically_normal();
    listing.files.push_back({.path = path.string(), .bytes = entry->file_size(ignored)});
  }
  std::sort(listing.files.begin(), listing.files.end(),
            [](const FileEntry& a, const FileEntry& b) { return a.path < b.path; });
  return listing;
}

Result<FileContent> read_file(const fs::path& workspace, std::string_view path) {
  const auto file = open_regular(workspace, path, O_RDONLY);
  if (!file) return file.error();
  FileContent content;
  content.bytes.resize(kMaxReadBytes + 1);
  std::size_t size = 0;
  while (size < content.bytes.size()) {
    const ssize_t got = read(file->get(), content.bytes.data() + size, content.bytes.size() - size);
    if (got < 0) return refusal(path, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  content.is_cut = size > kMaxReadBytes;
  content.bytes.resize(std::min(size, kMaxReadBytes));
  return content;
}

Result<void> write_file(const fs::path& workspace, std::string_view path,
                        std::string_view content) {
  if (content.size() > kMaxWrittenBytes) return refusal(path, EFBIG);
  const auto file = open_regular(workspace, path, O_WRONLY | O_CREAT);
  if (!file) return file.error();
  if (ftruncate(file->get(), 0) != 0) return refusal(path, errno);
  while (!content.empty()) {
    const ssize_t written = write(file->get(), content.data(), content.size());
    if (written < 0) return refusal(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace oriel
