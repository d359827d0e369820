#include "transcript/transcript_roots.h"

#include "base/text/quote.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

Error not_allowed(std::string_view path, const std::string& why) {
  return {.kind = ErrorKind::kPathNotAllowed,
          .message = "the transcript " + quote(path) + " is not allowed: " + why,
          .hint = "transcripts are regular files below --transcript-roots"};
}

std::string plain(std::string_view path) {
  std::string normal = fs::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/'))
    normal.pop_back();
  return normal;
}

bool is_below(std::string_view path, std::string_view root) {
  return path.size() > root.size() + 1 && path.starts_with(root) && path[root.size()] == '/';
}

int open_beneath(int root, const char* path) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, root, path, &how, sizeof(how)));
}

Error failed(std::string_view path, int problem) {
  if (problem == ENOENT || problem == ENOTDIR)
    return {.kind = ErrorKind::kNotFound,
            .message = "the transcript " + quote(path) + " does not exist",
            .hint = "the agent may still create it"};
  if (problem == EXDEV || problem == ELOOP)
    return not_allowed(path, "a symbolic link leads out of the roots");
  return {
      .kind = ErrorKind::kCannotOpen,
      .message = "the transcript " + quote(path) + " cannot be opened: " + std::strerror(problem),
      .hint = "allow the user that runs Oriel to read it"};
}

// Of the path as it is written; links are not resolved.
std::optional<Error> problem_of(std::string_view path) {
  if (path.find('\0') != std::string_view::npos || !path.starts_with('/'))
    return not_allowed(path, "the path is not absolute");
  const fs::path written(path);
  if (std::find(written.begin(), written.end(), "..") != written.end())
    return not_allowed(path, "the path contains ..");
  return std::nullopt;
}

}  // namespace

TranscriptRoots::TranscriptRoots(std::vector<std::string> roots) {
  for (const std::string& root : roots) {
    roots_.push_back(plain(root));
    // An agent may report the canonical path.
    std::error_code problem;
    const std::string real = fs::canonical(root, problem).string();
    if (!problem && real != roots_.back()) roots_.push_back(real);
  }
}

const std::string* TranscriptRoots::root_of(std::string_view path) const {
  const auto root = std::find_if(roots_.begin(), roots_.end(),
                                 [&](const std::string& each) { return is_below(path, each); });
  return root == roots_.end() ? nullptr : &*root;
}

bool TranscriptRoots::contains(std::string_view path) const {
  return std::find(roots_.begin(), roots_.end(), path) != roots_.end() || root_of(path);
}

Result<std::string> TranscriptRoots::check_import_path(std::string_view path) const {
  if (auto problem = problem_of(path)) return *problem;
  std::string normal = plain(path);
  if (!contains(normal)) return not_allowed(path, "it is outside the roots");
  std::error_code problem;
  const std::string real = fs::canonical(normal, problem).string();
  if (problem) return failed(path, problem.value());
  if (!contains(real)) return not_allowed(path, "a symbolic link leads out of the roots");
  return {boost::system::in_place_value, std::move(normal)};
}

Result<std::string> TranscriptRoots::check(std::string_view path) const {
  if (auto problem = problem_of(path)) return *problem;
  std::string normal = plain(path);
  if (!root_of(normal)) return not_allowed(path, "it is outside the roots");
  if (!normal.ends_with(".jsonl")) return not_allowed(path, "its name does not end in .jsonl");
  return {boost::system::in_place_value, std::move(normal)};
}

Result<FileDescriptor> TranscriptRoots::open(std::string_view path) const {
  const Result<std::string> checked = check(path);
  if (!checked) return checked.error();
  const std::string& root = *root_of(*checked);
  const FileDescriptor directory(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return failed(path, errno);
  FileDescriptor file(open_beneath(directory.get(), checked->c_str() + root.size() + 1));
  if (!file) return failed(path, errno);

  struct stat facts {};

  if (fstat(file.get(), &facts) != 0) return failed(path, errno);
  if (!S_ISREG(facts.st_mode)) return not_allowed(path, "it is not a regular file");
  return file;
}

std::vector<std::string> default_transcript_roots(std::string_view home) {
  const std::string base(home);
  return {base + "/.claude/projects", base + "/.codex/sessions", base + "/.factory/sessions"};
}

}  // namespace oriel
