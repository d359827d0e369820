#include "supervisor/sync/session_repository.h"

#include "base/text/ascii.h"
#include "supervisor/sync/tracked_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kCommandLimit{5};
constexpr std::size_t kMaxNames = 64 << 20;     // bytes
constexpr std::size_t kMaxRepositories = 1000;  // in one workspace
constexpr const char* kNext = "refs/oriel/next";

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

SessionRepository::SessionRepository(fs::path directory, const std::string& session_id,
                                     std::string remote, BlockingThread& blocking,
                                     SnapshotLimits limits)
    : directory_(std::move(directory)),
      branch_("oriel/" + session_id),
      reference_("refs/heads/" + branch_),
      remote_(std::move(remote)),
      blocking_(blocking),
      limits_(limits) {}

asio::awaitable<Result<std::string>> SessionRepository::commit(fs::path workspace,
                                                               std::string message, WallTime time) {
  const auto made = co_await make();
  if (!made) co_return made.error();
  const auto before = co_await heads();
  if (!before) co_return before.error();
  SnapshotCommit commit{
      .reference = kNext, .parent = before->last, .message = std::move(message), .time = time};
  auto taking = take_snapshot(std::move(workspace), std::move(commit));
  const auto taken = co_await std::move(taking);
  if (!taken) co_return taken.error();
  const auto after = co_await heads();
  if (!after) co_return after.error();
  if (after->next_tree == after->last_tree) co_return after->last;
  GitPlaces places{.repository = directory_};
  std::vector<std::string> update = {"update-ref", reference_, after->next};
  auto updating = git(std::move(places), std::move(update));
  const auto updated = co_await std::move(updating);
  if (!updated) co_return updated.error();
  co_return after->next;
}

asio::awaitable<Result<void>> SessionRepository::push() {
  GitPlaces places{.repository = directory_, .remote = remote_};
  std::vector<std::string> push = {"push", "--quiet", "--force", "sync",
                                   reference_ + ":" + reference_};
  auto pushing = git(places, std::move(push));
  const auto pushed = co_await std::move(pushing);
  if (!pushed) co_return pushed.error();
  std::vector<std::string> tidy = {"gc", "--auto", "--quiet"};
  auto tidying = git(std::move(places), std::move(tidy));
  co_await std::move(tidying);
  co_return Result<void>();
}

asio::awaitable<Result<void>> SessionRepository::fetch(std::string commit) {
  const auto made = co_await make();
  if (!made) co_return made.error();
  GitPlaces places{.repository = directory_, .remote = remote_};
  std::vector<std::string> fetch = {"fetch",     "--quiet",
                                    "--no-tags", "--no-write-fetch-head",
                                    "sync",      "+" + reference_ + ":" + reference_};
  auto fetching = git(places, std::move(fetch));
  const auto fetched = co_await std::move(fetching);
  if (!fetched) co_return fetched.error();
  std::vector<std::string> update = {"update-ref", reference_, std::move(commit)};
  auto updating = git(std::move(places), std::move(update));
  const auto updated = co_await std::move(updating);
  if (!updated) co_return updated.error();
  co_return Result<void>();
}

asio::awaitable<Result<void>> SessionRepository::clone_to(fs::path workspace) {
  std::vector<std::string> clone = {
      "clone",           "--quiet",  "--no-hardlinks", "--template=", "--single-branch",
      "--no-tags",       "--branch", branch_,          "--",          directory_.string(),
      workspace.string()};
  GitPlaces nowhere;
  auto cloning = git(std::move(nowhere), std::move(clone));
  const auto cloned = co_await std::move(cloning);
  if (!cloned) co_return cloned.error();
  GitPlaces places{.repository = workspace / ".git"};
  std::vector<std::string> forget = {"remote", "remove", "origin"};
  auto forgetting = git(std::move(places), std::move(forget));
  const auto forgotten = co_await std::move(forgetting);
  if (!forgotten) co_return forgotten.error();
  co_return Result<void>();
}

asio::awaitable<Result<void>> SessionRepository::make() {
  GitPlaces nowhere;  // git makes missing directories only for an argument
  std::vector<std::string> init = {"init", "--quiet", "--bare", "--template=", directory_.string()};
  auto making = git(std::move(nowhere), std::move(init));
  const auto made = co_await std::move(making);
  if (!made) co_return made.error();
  co_return Result<void>();
}

asio::awaitable<Result<SessionRepository::Heads>> SessionRepository::heads() {
  GitPlaces places{.repository = directory_};
  std::vector<std::string> look = {"for-each-ref", "--format=%(refname) %(objectname) %(tree)",
                                   reference_, kNext};
  auto looking = git(std::move(places), std::move(look));
  const auto found = co_await std::move(looking);
  if (!found) co_return found.error();
  Heads heads;
  std::istringstream lines(*found);
  for (std::string reference, commit, tree; lines >> reference >> commit >> tree;) {
    const bool is_next = reference == kNext;
    (is_next ? heads.next : heads.last) = commit;
    (is_next ? heads.next_tree : heads.last_tree) = tree;
  }
  co_return heads;
}

// Of the workspace and, one after the other, of the repositories in it.
asio::awaitable<Result<std::vector<std::string>>> SessionRepository::list(fs::path workspace) {
  std::vector<std::string> files;
  std::vector<std::string> roots = {""};
  const fs::path index = directory_ / "workspace-index";
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
    std::move(found.files.begin(), found.files.end(), std::back_inserter(files));
    std::move(found.repositories.begin(), found.repositories.end(), std::back_inserter(roots));
  }
  // An index names a file with a conflict several times.
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  co_return files;
}

asio::awaitable<Result<void>> SessionRepository::take_snapshot(fs::path workspace,
                                                               SnapshotCommit commit) {
  auto files = co_await list(workspace);
  if (!files) co_return files.error();
  auto open = [workspace = std::move(workspace), names = *std::move(files),
               commit = std::move(commit), limits = limits_]() mutable {
    return std::make_shared<SnapshotStream>(workspace, std::move(names), commit, limits);
  };
  const std::shared_ptr<SnapshotStream> stream = co_await blocking_.run(std::move(open));
  ProgramPipe pipe;
  pipe.input = [this, stream] { return blocking_.run([stream] { return stream->next(); }); };
  GitPlaces places{.repository = directory_};
  std::vector<std::string> import = {"fast-import", "--quiet", "--force"};
  auto importing = git(std::move(places), std::move(import), std::move(pipe));
  const auto imported = co_await std::move(importing);
  if (!imported) co_return imported.error();
  co_return Result<void>();
}

asio::awaitable<Result<std::string>> SessionRepository::git(GitPlaces places,
                                                            std::vector<std::string> arguments,
                                                            ProgramPipe pipe) {
  ProcessSpec command = private_git_command(places, std::move(arguments), own_environment());
  auto running = pipe_program(std::move(command), kCommandLimit, std::move(pipe));
  auto ended = co_await std::move(running);
  if (!ended) co_return for_people(ended.error(), remote_);
  co_return ended;
}

}  // namespace oriel
