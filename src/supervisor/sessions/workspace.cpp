#include "supervisor/sessions/workspace.h"

#include "base/text/quote.h"
#include "posix/run_program.h"

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes kGitLimit{10};

Error invalid_workspace(const std::string& directory, const std::string& problem) {
  return {.kind = ErrorKind::kInvalidWorkspace,
          .message = "workspace: " + quote(directory) + " " + problem,
          .hint = "name a directory that exists, from / on; without one a fresh one is made"};
}

Error workspace_failed(const fs::path& directory, const std::string& problem) {
  return {.kind = ErrorKind::kWorkspaceFailed,
          .message = "cannot make the workspace " + directory.string() + ": " + problem,
          .hint = "check the project's repository and that --data-dir can be written"};
}

asio::awaitable<Result<void>> run_git(std::vector<std::string> arguments, fs::path directory) {
  arguments.insert(arguments.begin(), "git");
  Environment environment = own_environment();
  environment["GIT_TERMINAL_PROMPT"] = "0";  // nobody is there to type a password
  ProcessSpec command{.argv = std::move(arguments),
                      .environment = std::move(environment),
                      .directory = fs::path("/")};
  auto done = co_await run_program(std::move(command), kGitLimit);
  if (!done) co_return workspace_failed(directory, done.error().message);
  co_return Result<void>();
}

// Makes what Oriel itself can make. Returns what is left to git; empty: nothing.
Result<std::vector<std::string>> prepare_workspace(const fs::path& directory,
                                                   const std::string& repository) {
  std::error_code ec;
  fs::create_directories(directory.parent_path(), ec);
  if (!ec && repository.empty()) fs::create_directory(directory, ec);
  if (ec) return workspace_failed(directory, ec.message());
  if (repository.empty()) return std::vector<std::string>();
  if (fs::is_directory(repository, ec)) {
    const std::string branch = "oriel/" + directory.filename().string();
    return std::vector<std::string>{"-C",      repository, "worktree", "add",
                                    "--quiet", "-b",       branch,     directory.string()};
  }
  return std::vector<std::string>{"clone", "--quiet", "--", repository, directory.string()};
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
  const fs::path path = fs::path(directory).lexically_normal();
  if (!path.is_absolute()) return invalid_workspace(directory, "is not absolute");
  std::error_code ec;
  const fs::path real = fs::canonical(path, ec);
  if (ec) return invalid_workspace(directory, "cannot be opened: " + ec.message());
  if (!fs::is_directory(real, ec)) return invalid_workspace(directory, "is not a directory");
  return Result<std::string>(boost::system::in_place_value, real.string());
}

asio::awaitable<Result<void>> make_workspace(fs::path directory, std::string repository,
                                             BlockingThread& blocking) {
  auto prepare = [directory, repository] { return prepare_workspace(directory, repository); };
  auto arguments = co_await blocking.run(std::move(prepare));
  if (!arguments) co_return arguments.error();
  if (arguments->empty()) co_return Result<void>();
  co_return co_await run_git(*std::move(arguments), std::move(directory));
}

}  // namespace oriel
