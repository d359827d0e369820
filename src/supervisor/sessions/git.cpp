#include "supervisor/sessions/git.h"

#include "posix/run_program.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>

namespace oriel {
namespace {

constexpr std::chrono::minutes kGitLimit{10};

// Variables for programs, locale, and remotes over ssh and HTTPS. Git's own (GIT_*) are not passed.
constexpr std::array<std::string_view, 16> kPassed = {
    "PATH",        "HOME",       "USER",          "LOGNAME",      "TMPDIR",     "LANG",
    "LC_ALL",      "LC_CTYPE",   "SSH_AUTH_SOCK", "HTTPS_PROXY",  "HTTP_PROXY", "NO_PROXY",
    "https_proxy", "http_proxy", "no_proxy",      "SSL_CERT_FILE"};

}  // namespace

Environment git_environment(const Environment& own) {
  Environment environment{{"GIT_CONFIG_NOSYSTEM", "1"},
                          {"GIT_CONFIG_GLOBAL", "/dev/null"},
                          {"GIT_TERMINAL_PROMPT", "0"}};  // nobody is there to type a password
  for (const std::string_view name : kPassed) {
    if (const auto found = own.find(name); found != own.end()) environment.insert(*found);
  }
  return environment;
}

ProcessSpec git_command(std::vector<std::string> arguments, const std::vector<std::string>& filters,
                        const Environment& own) {
  std::vector<std::string> words = {"git", "-c", "core.hooksPath=/dev/null", "-c",
                                    "core.fsmonitor=false"};
  for (const std::string& filter : filters) {
    words.emplace_back("-c");
    // A filter without a command passes files on as they are, unless it is required.
    words.push_back(filter + (filter.ends_with(".required") ? "=false" : "="));
  }
  std::move(arguments.begin(), arguments.end(), std::back_inserter(words));
  return ProcessSpec{
      .argv = std::move(words), .environment = git_environment(own), .directory = "/"};
}

asio::awaitable<Result<std::string>> run_git(std::vector<std::string> arguments,
                                             std::vector<std::string> filters) {
  ProcessSpec command = git_command(std::move(arguments), filters, own_environment());
  co_return co_await run_program(std::move(command), kGitLimit);
}

asio::awaitable<Result<std::vector<std::string>>> git_filters(std::string directory) {
  std::vector<std::string> arguments = {"-C", std::move(directory), "config", "--name-only",
                                        "--list"};
  std::vector<std::string> no_filters;
  const auto listed = co_await run_git(std::move(arguments), std::move(no_filters));
  if (!listed) co_return listed.error();
  std::vector<std::string> filters;
  std::istringstream lines(*listed);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("filter.")) filters.push_back(line);
  co_return filters;
}

}  // namespace oriel
