#include "supervisor/files/workspace_paths.h"

#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "posix/descriptors/open_directory.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 6> kKeptByTools = {".git",         ".hg",         ".svn",
                                                          "node_modules", "__pycache__", ".venv"};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

using OpenDirectory = std::unique_ptr<DIR, CloseDirectory>;

// Null if it is gone, unreadable, or no longer a directory.
OpenDirectory open_below(const FileDescriptor& root, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const char* const name = path.empty() ? "." : path.c_str();
  FileDescriptor file(static_cast<int>(::syscall(SYS_openat2, root.get(), name, &how, sizeof how)));
  if (!file) return nullptr;
  OpenDirectory directory(::fdopendir(file.get()));
  if (directory) file.release();
  return directory;
}

unsigned char type_of(DIR* directory, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type;

  struct stat status {};

  if (::fstatat(::dirfd(directory), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return DT_UNKNOWN;
  if (S_ISDIR(status.st_mode)) return DT_DIR;
  return S_ISREG(status.st_mode) ? DT_REG : DT_UNKNOWN;
}

std::string_view name_in(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

// Whether the letters occur in this order.
bool has_letters(std::string_view text, std::string_view letters) {
  for (const char c : text) {
    if (letters.empty()) break;
    if (c == letters.front()) letters.remove_prefix(1);
  }
  return letters.empty();
}

struct Candidate {
  int rank;
  std::ptrdiff_t depth;
  std::string path;

  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

class PathSearch {
 public:
  PathSearch(const FileDescriptor& root, std::string_view typed, std::size_t most,
             PathLimits limits)
      : root_(root),
        typed_(typed),
        most_(most),
        left_(limits.entries),
        until_(SteadyClock::now() + limits.time) {}

  FoundPaths run() {
    // Level by level, so that what is cut off is deep.
    for (directories_.emplace_back(); !directories_.empty() && !is_over();) {
      read(directories_.front());
      directories_.pop_front();
    }
    std::ranges::sort(found_);
    FoundPaths paths{.paths = {}, .is_complete = !is_over() && found_.size() <= most_};
    found_.resize(std::min(found_.size(), most_));
    for (Candidate& candidate : found_)
      paths.paths.push_back(std::move(candidate.path));
    return paths;
  }

 private:
  bool is_over() const { return left_ == 0 || is_late_; }

  void read(const std::string& path) {
    const OpenDirectory directory = open_below(root_, path);
    if (!directory) return;
    while (const dirent* const entry = ::readdir(directory.get())) {
      if (left_ == 0) return;
      if (--left_ % kBetweenLooks == 0 && SteadyClock::now() > until_) is_late_ = true;
      if (is_late_) return;
      const std::string_view name = entry->d_name;
      if (name != "." && name != ".." && is_nameable(name))
        add(path, entry->d_name, type_of(directory.get(), *entry));
    }
  }

  void add(const std::string& parent, std::string_view name, unsigned char type) {
    const bool is_directory = type == DT_DIR;
    if (!is_directory && type != DT_REG) return;
    if (is_directory && std::ranges::find(kKeptByTools, name) != kKeptByTools.end()) return;
    std::string path = parent + std::string(name) + (is_directory ? "/" : "");
    if (const auto rank = rank_of_path(path, typed_))
      found_.push_back({*rank, std::ranges::count(parent, '/'), path});
    if (is_directory) directories_.push_back(std::move(path));
  }

  static constexpr std::size_t kBetweenLooks = 64;

  const FileDescriptor& root_;
  std::string_view typed_;
  std::size_t most_;
  std::size_t left_;
  SteadyClock::time_point until_;
  bool is_late_ = false;
  std::deque<std::string> directories_;  // each ends with '/', the workspace itself is empty
  std::vector<Candidate> found_;
};

}  // namespace

bool is_nameable(std::string_view name) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  return is_utf8(name) && std::ranges::none_of(name, is_control);
}

std::optional<int> rank_of_path(std::string_view path, std::string_view typed) {
  if (typed.empty()) return 0;
  const std::string wanted = lower_case(typed);
  const std::string whole = lower_case(path);
  const std::string_view name = name_in(whole);
  if (name == wanted) return 0;
  if (name.starts_with(wanted)) return 1;
  if (whole.starts_with(wanted)) return 2;
  if (name.find(wanted) != name.npos) return 3;
  if (whole.find(wanted) != whole.npos) return 4;
  if (has_letters(name, wanted)) return 5;
  return std::nullopt;
}

Result<FoundPaths> find_paths(const std::filesystem::path& workspace, std::string_view typed,
                              std::size_t most, PathLimits limits) {
  const FileDescriptor root = open_directory(workspace);
  if (!root) {
    return Error{.kind = ErrorKind::kWorkspaceFailed,
                 .message = quote(workspace.native()) + ": " + std::strerror(errno),
                 .hint = "check that the workspace still exists"};
  }
  return PathSearch(root, typed, most, limits).run();
}

}  // namespace oriel
