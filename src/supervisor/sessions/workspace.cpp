#include "supervisor/sessions/workspace.h"

#include "base/text/quote.h"
#include "supervisor/sessions/git.h"

namespace oriel {
namespace {

namespace fs = std::filesystem;

Error invalid_workspace(const std::string& directory, const std::string& problem) {
  return {.kind = ErrorKind::kInvalidWorkspace,
          .message = "workspace: " + quote(directory) + " " + problem,
          .hint = "send the absolute path of an existing directory, or none for a new one"};
}

Error workspace_failed(const fs::path& directory, const std::string& problem) {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = "cannot create the workspace " + directory.string() + ": " + problem,
          .hint = "check the project's repository, and that --data-dir is writable"};
}

// The commands that make the workspace, one after the other.
using GitCommands = std::vector<std::vector<std::string>>;

// Creates the directory where git is not needed. Returns the commands for git.
Result<GitCommands> prepare_workspace(const fs::path& directory, const std::string& repository,
                                      CloneKind kind) {
  std::error_code ec;
  fs::create_directories(directory.parent_path(), ec);
  if (!ec && repository.empty()) fs::create_directory(directory, ec);
  if (ec) return workspace_failed(directory, ec.message());
  if (repository.empty()) return GitCommands();
  if (!fs::is_directory(repository, ec))
    return GitCommands{{"clone", "--quiet", "--", repository, directory.string()}};
  const std::string branch = "oriel/" + directory.filename().string();
  if (kind == CloneKind::kWorktree) {
    return GitCommands{{"-C", repository, "worktree", "add", "--quiet", "--no-checkout", "-b",
                        branch, directory.string()},
                       {"-C", directory.string(), "reset", "--quiet", "--hard"}};
  }
  // Without hard links: an agent could change the files that it shared with the source.
  return GitCommands{{"clone", "--quiet", "--no-hardlinks", "--", repository, directory.string()},
                     {"-C", directory.string(), "checkout", "--quiet", "-b", branch}};
}

bool is_below(const std::string& path, const std::string& directory) {
  return path == directory || (path.starts_with(directory) && path[directory.size()] == '/');
}

}  // namespace

Project project_at(const std::string& cwd, const std::vector<ProjectSpec>& projects) {
  for (const ProjectSpec& project : projects) {
    if (!project.workspace.empty() && is_below(cwd, project.workspace))
      return {.project_id = project.id, .name = project.id, .root = project.workspace};
  }
  return find_project(cwd);
}

Result<std::string> check_workspace(const std::string& directory) {
  if (directory.find('\0') != directory.npos)
    return invalid_workspace(directory, "has a NUL character");
  if (!fs::path(directory).is_absolute()) return invalid_workspace(directory, "is not absolute");
  std::error_code ec;
  const fs::path real = fs::canonical(directory, ec);
  if (ec) return invalid_workspace(directory, "cannot be opened: " + ec.message());
  if (!fs::is_directory(real, ec)) return invalid_workspace(directory, "is not a directory");
  return Result<std::string>(boost::system::in_place_value, real.string());
}

asio::awaitable<Result<void>> make_workspace(fs::path directory, std::string repository,
                                             CloneKind kind, BlockingThread& blocking) {
  auto prepare = [directory, repository, kind] {
    return prepare_workspace(directory, repository, kind);
  };
  auto commands = co_await blocking.run(std::move(prepare));
  if (!commands) co_return commands.error();
  if (commands->empty()) co_return Result<void>();
  std::vector<std::string> filters;
  for (std::vector<std::string>& arguments : *commands) {
    const bool is_last = &arguments == &commands->back();
    const auto done = co_await run_git(std::move(arguments), filters);
    if (!done) co_return workspace_failed(directory, done.error().message);
    if (is_last) break;
    // Which filters there are can depend on the worktree and its branch (includeIf), and the next
    // command runs them.
    auto found = co_await git_filters(directory.string());
    if (!found) co_return workspace_failed(directory, found.error().message);
    filters = *std::move(found);
  }
  co_return Result<void>();
}

asio::awaitable<void> discard_workspace(std::filesystem::path directory, std::string repository,
                                        CloneKind kind, BlockingThread& blocking) {
  if (repository.starts_with('/') && kind == CloneKind::kWorktree) {
    std::vector<std::string> remove = {"-C",     repository, "worktree",
                                       "remove", "--force",  directory.string()};
    auto removing = run_git(std::move(remove), std::vector<std::string>());
    co_await std::move(removing);
  }
  auto remove_rest = [directory = std::move(directory)] {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  };
  co_await blocking.run(std::move(remove_rest));
}

}  // namespace oriel
