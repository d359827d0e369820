#include "supervisor/sync/private_git.h"

#include "supervisor/sessions/git.h"

#include <utility>

namespace oriel {
namespace {

// Before the URL. Names of files are those of Linux, which are not valid elsewhere.
const std::vector<std::pair<std::string, std::string>>& fixed_settings() {
  static const std::vector<std::pair<std::string, std::string>> kSettings = {
      {"core.excludesFile", "/dev/null"},   {"core.attributesFile", "/dev/null"},
      {"core.protectNTFS", "false"},        {"core.protectHFS", "false"},
      {"fetch.recurseSubmodules", "false"}, {"push.recurseSubmodules", "no"},
      {"submodule.recurse", "false"},       {"gc.autoDetach", "false"}};
  return kSettings;
}

}  // namespace

ProcessSpec private_git_command(const GitPlaces& places, std::vector<std::string> arguments,
                                const Environment& own) {
  ProcessSpec command = git_command(std::move(arguments), {}, own);
  Environment& variables = command.environment;
  if (!places.repository.empty()) variables["GIT_DIR"] = places.repository.string();
  if (!places.work_tree.empty()) variables["GIT_WORK_TREE"] = places.work_tree.string();
  if (!places.index.empty()) variables["GIT_INDEX_FILE"] = places.index.string();
  auto settings = fixed_settings();
  if (!places.remote.empty()) settings.emplace_back("remote.sync.url", places.remote);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    variables["GIT_CONFIG_KEY_" + std::to_string(i)] = settings[i].first;
    variables["GIT_CONFIG_VALUE_" + std::to_string(i)] = settings[i].second;
  }
  variables["GIT_CONFIG_COUNT"] = std::to_string(settings.size());
  return command;
}

}  // namespace oriel
