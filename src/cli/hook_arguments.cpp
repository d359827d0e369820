#include "base/nearest.h"
#include "base/quote.h"
#include "cli/help.h"
#include "cli/hooks/hook_kinds.h"
#include "cli/hooks/hook_settings.h"
#include "cli/parse_commands.h"
#include "posix/process_tree.h"

#include <algorithm>

namespace oriel {
namespace {

Error unknown_kind(const std::string& word) {
  std::vector<Spelling> spellings;
  for (const HookNames& kind : kHookKinds)
    spellings.push_back({.spelling = std::string(kind.name), .name = std::string(kind.name)});
  return bad_option("unknown hook " + quote(word),
                    did_you_mean(nearest(word, spellings), "oriel hook --help lists them"));
}

Result<HooksAction> read_action(const std::string& word) {
  if (word == "install") return HooksAction::kInstall;
  if (word == "remove") return HooksAction::kRemove;
  if (word == "status") return HooksAction::kStatus;
  return bad_option("unknown action " + quote(word), "it is install, remove or status");
}

std::string variable(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

Result<std::filesystem::path> settings_file(const Arguments& arguments,
                                            const Environment& environment) {
  using Path = Result<std::filesystem::path>;
  constexpr auto kValue = boost::system::in_place_value;
  if (const auto file = arguments.value("settings")) {
    if (file->empty()) return bad_flag("settings", *file, "a file's name");
    return Path(kValue, *file);
  }
  const std::string directory = variable(environment, "CLAUDE_CONFIG_DIR");
  if (!directory.empty()) return Path(kValue, directory + "/settings.json");
  const std::string home = variable(environment, "HOME");
  if (!home.empty()) return Path(kValue, home + "/.claude/settings.json");
  return bad_option("Claude Code's settings are not found: there is no HOME",
                    "name the file by --settings");
}

// Everything but --help; what is wrong becomes a part of the options.
Result<HookOptions> read_hook(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  HookOptions options{.server = std::move(*access),
                      .kind = {},
                      .is_verbose = false,
                      .is_hosted = environment.find(kMarkerName) != environment.end(),
                      .problem = {}};
  if (arguments.positionals.empty()) return options;
  const HookNames* const kind = find_hook_kind(arguments.positionals.front());
  if (kind == nullptr) return unknown_kind(arguments.positionals.front());
  options.kind = kind->name;
  return options;
}

}  // namespace

// Never an error: its exit code would stop the agent.
Result<Command> parse_hook(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "hook",
                                          .values = {"url", "token"},
                                          .lists = {},
                                          .switches = {"verbose"},
                                          .positionals = {"KIND"}},
                                         words);
  if (arguments && arguments->wants_help) return ShowText{.text = hook_help()};
  HookOptions options;
  options.is_verbose = std::find(words.begin(), words.end(), "--verbose") != words.end();
  if (!arguments) {
    options.problem = arguments.error();
    return Command(std::move(options));
  }
  auto read = read_hook(*arguments, environment);
  if (!read) {
    options.problem = read.error();
    return Command(std::move(options));
  }
  read->is_verbose = options.is_verbose;
  return Command(std::move(*read));
}

Result<Command> parse_hooks(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "hooks",
                                          .values = {"settings", "url", "token"},
                                          .lists = {},
                                          .switches = {"dry-run"},
                                          .positionals = {"install|remove|status"},
                                          .required_positionals = 1},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = hooks_help()};
  const auto action = read_action(arguments->positionals.front());
  if (!action) return action.error();
  if (*action == HooksAction::kStatus && arguments->has("dry-run"))
    return bad_option("flag --dry-run belongs to install and remove", "status changes nothing");
  auto file = settings_file(*arguments, environment);
  if (!file) return file.error();
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  const auto usual = read_access(Arguments(), {});
  const bool is_usual = access->url == usual->url;
  const std::string url = is_usual ? "" : access->url.origin() + access->url.path;
  return Command(HooksOptions{.action = *action,
                              .file = std::move(*file),
                              .is_dry_run = arguments->has("dry-run"),
                              .command = hook_command_line(own_program().string(), url),
                              .server = std::move(*access)});
}

}  // namespace oriel
