#include "supervisor/sync/bare_repository.h"

#include "base/text/ascii.h"
#include "supervisor/sync/tracked_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kCommandLimit{5};
constexpr std::size_t kMaxNames = 64 << 20;     // bytes
constexpr std::size_t kMaxRepositories = 1000;  // in one workspace

struct Listing {
  std::vector<std::string> files;
  std::vector<std::string> repositories;
};

// Splits what git has listed for the directory `root` of the workspace: a nested repository ends
// with a slash, or is a directory that the index knows as a submodule. Blocks.
Listing split_names(const fs::path& workspace, const std::string& root, std::string_view listed) {
  Listing listing;
  while (!listed.empty()) {
    const std::string_view name = listed.substr(0, listed.find('\0'));
    listed.remove_prefix(std::min(name.size() + 1, listed.size()));
    std::string path = root + std::string(name);

    struct stat info {};

    const bool is_directory =
        path.ends_with('/') ||
        (::lstat((workspace / path).c_str(), &info) == 0 && S_ISDIR(info.st_mode));
    if (is_directory && !path.ends_with('/')) path += '/';
    (is_directory ? listing.repositories : listing.files).push_back(std::move(path));
  }
  return listing;
}

Error too_much_to_list(const std::string& what) {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = "it has too many " + what,
          .hint = "name directories that need not be kept in .gitignore"};
}

// In one line, and without the URL, which may contain a password.
Error for_people(Error error, const std::string& remote) {
  std::size_t at = remote.empty() ? std::string::npos : error.message.find(remote);
  for (; at != std::string::npos; at = error.message.find(remote))
    error.message.replace(at, remote.size(), "the remote");
  error.message = stripped(in_one_line(error.message));
  return error;
}

}  // namespace

BareRepository::BareRepository(fs::path directory, std::string index_name, std::string remote,
                               BlockingThread& blocking, RepositoryLimits limits)
    : directory_(std::move(directory)),
      index_name_(std::move(index_name)),
      remote_(std::move(remote)),
      blocking_(blocking),
      limits_(limits) {}

asio::awaitable<Result<void>> BareRepository::make() {
  GitPlaces nowhere;  // git makes missing directories only for an argument
  std::vector<std::string> init = {"init", "--quiet", "--bare", "--template=", directory_.string()};
  auto making = git(std::move(nowhere), std::move(init));
  const auto made = co_await std::move(making);
  if (!made) co_return made.error();
  co_return Result<void>();
}

// Of the workspace and, one after the other, of the repositories in it.
asio::awaitable<Result<std::vector<std::string>>> BareRepository::list(fs::path workspace) {
  std::vector<std::string> files;
  std::vector<std::string> roots = {""};
  const fs::path index = directory_ / index_name_;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (i > kMaxRepositories) co_return too_much_to_list("repositories");
    const std::string root = roots[i];
    auto copy = [directory = workspace / root, index] { return copy_index(directory, index); };
    const auto copied = co_await blocking_.run(std::move(copy));
    if (!copied) co_return copied.error();
    GitPlaces places{.repository = directory_, .work_tree = workspace / root, .index = index};
    std::vector<std::string> ls = {"ls-files", "-z", "--cached", "--others", "--exclude-standard"};
    ProgramPipe pipe{.max_output = kMaxNames};
    auto listing = git(std::move(places), std::move(ls), std::move(pipe));
    auto listed = co_await std::move(listing);
    if (!listed) co_return listed.error();
    bytes += listed->size();
    if (bytes > kMaxNames) co_return too_much_to_list("files");
    auto split = [workspace, root, names = *std::move(listed)] {
      return split_names(workspace, root, names);
    };
    Listing found = co_await blocking_.run(std::move(split));
    if (files.size() + found.files.size() > limits_.snapshot.files)
      co_return too_much_to_list("files");
    std::move(found.files.begin(), found.files.end(), std::back_inserter(files));
    std::move(found.repositories.begin(), found.repositories.end(), std::back_inserter(roots));
  }
  // An index names a file with a conflict several times.
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  auto tidy = [index] {
    std::error_code ignored;
    fs::remove(index, ignored);
  };
  co_await blocking_.run(std::move(tidy));
  co_return files;
}

asio::awaitable<Result<std::vector<std::string>>> BareRepository::take_snapshot(
    fs::path workspace, SnapshotCommit commit) {
  auto files = co_await list(workspace);
  if (!files) co_return files.error();
  auto open = [workspace = std::move(workspace), names = *std::move(files),
               commit = std::move(commit), limits = limits_.snapshot]() mutable {
    return std::make_shared<SnapshotStream>(workspace, std::move(names), commit, limits);
  };
  const std::shared_ptr<SnapshotStream> stream = co_await blocking_.run(std::move(open));
  ProgramPipe pipe;
  pipe.input = [this, stream] { return blocking_.run([stream] { return stream->next(); }); };
  // It compares each file with the one before it, which seldom saves anything.
  std::vector<std::string> import = {"-c",      "pack.compression=1", "fast-import", "--quiet",
                                     "--force", "--depth=0"};
  auto importing = git(std::move(import), std::move(pipe));
  const auto imported = co_await std::move(importing);
  if (!imported) co_return imported.error();
  co_return stream->left_out();
}

asio::awaitable<Result<std::string>> BareRepository::git(std::vector<std::string> arguments,
                                                         ProgramPipe pipe) {
  return git(GitPlaces{.repository = directory_}, std::move(arguments), std::move(pipe));
}

asio::awaitable<Result<std::string>> BareRepository::git(GitPlaces places,
                                                         std::vector<std::string> arguments,
                                                         ProgramPipe pipe) {
  ProcessSpec command = private_git_command(places, std::move(arguments), own_environment());
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      limits_.until - std::chrono::steady_clock::now());
  const auto limit =
      std::clamp<std::chrono::milliseconds>(left, std::chrono::milliseconds(1), kCommandLimit);
  auto running = pipe_program(std::move(command), limit, std::move(pipe));
  auto ended = co_await std::move(running);
  if (!ended) co_return for_people(ended.error(), remote_);
  co_return ended;
}

}  // namespace oriel
