#include "supervisor/changes/workspace_branch.h"

#include "base/text/text_hash.h"
#include "posix/descriptors/open_directory.h"
#include "posix/file_descriptor.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <fcntl.h>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSmallFile = 4096;
constexpr std::size_t kMaxPackedRefs = 16 << 20;
constexpr std::string_view kBranches = "refs/heads/";
constexpr std::string_view kRemotes = "refs/remotes/";

// The beginning of a regular file inside the directory; none if it is anything else.
std::optional<std::string> read_inside(const FileDescriptor& directory, const std::string& name,
                                       std::size_t max_bytes) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const FileDescriptor file(
      static_cast<int>(::syscall(SYS_openat2, directory.get(), name.c_str(), &how, sizeof how)));

  struct stat info {};

  if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  std::string text(std::min<std::size_t>(static_cast<std::size_t>(info.st_size), max_bytes), '\0');
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(size));
  return text;
}

bool is_commit(std::string_view text) {
  return text.size() == 40 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// As git allows: no path leaves its folder, and nothing is an option or a control character.
bool is_reference(std::string_view name) {
  const bool is_plain = std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == '\\' || c == ':' || c == '~' ||
           c == '^' || c == '?' || c == '*' || c == '[';
  });
  return is_plain && name.starts_with("refs/") && name.size() < 1024 &&
         name.find("..") == name.npos && name.find("//") == name.npos &&
         name.find("/-") == name.npos && name.find("/.") == name.npos && !name.ends_with('/');
}

// The repository's own directory, and the one with its branches.
struct Directories {
  fs::path own;
  fs::path common;
};

std::optional<Directories> find_directories(const fs::path& workspace, RepositoryLink link) {
  const FileDescriptor root = open_directory(workspace);
  if (!root) return std::nullopt;
  const auto file = read_inside(root, ".git", kMaxSmallFile);
  if (!file) return Directories{.own = workspace / ".git", .common = workspace / ".git"};
  constexpr std::string_view kPrefix = "gitdir: ";
  if (link == RepositoryLink::kIgnored || !file->starts_with(kPrefix)) return std::nullopt;
  std::error_code ec;
  const fs::path named = workspace / trimmed(std::string_view(*file).substr(kPrefix.size()));
  const fs::path own = fs::canonical(named, ec);
  if (ec) return std::nullopt;
  const auto common = read_inside(open_directory(own), "commondir", kMaxSmallFile);
  if (!common) return Directories{.own = own, .common = own};
  const fs::path shared = fs::canonical(own / trimmed(*common), ec);
  if (ec) return std::nullopt;
  return Directories{.own = own, .common = shared};
}

class References {
 public:
  explicit References(FileDescriptor common) : common_(std::move(common)) {}

  // The commit; empty: there is no such reference.
  std::string commit_of(const std::string& name) {
    if (!is_reference(name)) return {};
    if (const auto loose = read_inside(common_, name, kMaxSmallFile)) {
      const std::string_view text = trimmed(*loose);
      return is_commit(text) ? std::string(text) : std::string();
    }
    if (!packed_) packed_ = read_inside(common_, "packed-refs", kMaxPackedRefs).value_or("");
    std::istringstream lines(*packed_);
    for (std::string line; std::getline(lines, line);) {
      const std::string_view commit = std::string_view(line).substr(0, 40);
      if (is_commit(commit) && line.substr(std::min<std::size_t>(41, line.size())) == name)
        return std::string(commit);
    }
    return {};
  }

  // The default branch of the remote, such as "refs/remotes/origin/main"; empty: unknown.
  std::string default_branch() {
    const auto head = read_inside(common_, "refs/remotes/origin/HEAD", kMaxSmallFile);
    constexpr std::string_view kPrefix = "ref: ";
    if (!head || !head->starts_with(kPrefix)) return {};
    return std::string(trimmed(std::string_view(*head).substr(kPrefix.size())));
  }

 private:
  const FileDescriptor common_;
  std::optional<std::string> packed_;
};

}  // namespace

std::optional<WorkspaceBranch> read_branch(const fs::path& workspace, RepositoryLink link) {
  const auto directories = find_directories(workspace, link);
  if (!directories) return std::nullopt;
  const FileDescriptor own = open_directory(directories->own);
  FileDescriptor common = open_directory(directories->common);
  if (!own || !common) return std::nullopt;
  const auto head = read_inside(own, "HEAD", kMaxSmallFile);
  if (!head) return std::nullopt;
  References references(std::move(common));
  WorkspaceBranch branch;
  const std::string_view text = trimmed(*head);
  constexpr std::string_view kPrefix = "ref: ";
  if (text.starts_with(kPrefix)) {
    const std::string reference(text.substr(kPrefix.size()));
    if (!is_reference(reference) || !reference.starts_with(kBranches)) return std::nullopt;
    branch.name = reference.substr(kBranches.size());
    branch.head = references.commit_of(reference);
  } else if (is_commit(text)) {
    branch.head = text;
  } else {
    return std::nullopt;
  }
  const std::string own_remote = std::string(kRemotes) + "origin/" + branch.name;
  for (const std::string& candidate :
       {references.default_branch(), std::string("refs/remotes/origin/main"),
        std::string("refs/remotes/origin/master"), own_remote}) {
    branch.base_head = references.commit_of(candidate);
    if (branch.base_head.empty() || !candidate.starts_with(kRemotes)) continue;
    branch.base = candidate.substr(kRemotes.size());
    break;
  }
  return branch;
}

}  // namespace oriel
