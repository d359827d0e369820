#include "base/hook_kind.h"
#include "base/text/nearest.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"
#include "cli/hooks/hook_settings.h"
#include "posix/process_tree.h"

#include <algorithm>
#include <filesystem>

namespace oriel {
namespace {

constexpr ValueRule kDaysRule = {"a whole number from 1 to 36500", [](std::string_view text) {
                                   const auto days = parse_number(text);
                                   return days && *days >= 1 && *days <= 36'500;
                                 }};

constexpr ValueRule kFileRule = {"a file name",
                                 [](std::string_view text) { return !text.empty(); }};

Result<Command> read_import(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  ImportCommandOptions options;
  options.server = std::move(*access);
  options.days = parse_number(arguments.text("days"));
  options.is_dry_run = arguments.has("dry-run");
  options.is_cancel = arguments.has("cancel");
  options.is_json = arguments.has("json");
  const bool is_request =
      options.is_dry_run || arguments.has("days") || !arguments.positionals.empty();
  if (options.is_cancel && is_request)
    return bad_option("flag --cancel ends the running import", "use it without paths or --days");
  for (const std::string& path : arguments.positionals) {
    if (path.empty()) return bad_option("empty path", "name a directory or a file");
    options.paths.push_back(std::filesystem::absolute(path).lexically_normal().string());
  }
  return Command(std::move(options));
}

Error unknown_kind(const std::string& word) {
  std::vector<Spelling> spellings;
  spellings.reserve(kHookKinds.size());
  for (const HookKind kind : kHookKinds) {
    const std::string name(name_of(kind));
    spellings.push_back({.spelling = name, .name = name});
  }
  return bad_option("unknown hook " + quote(word),
                    did_you_mean(nearest(word, spellings), "oriel hook --help lists them"));
}

Result<Command> read_hook(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  HookOptions options{.server = std::move(*access),
                      .kind = {},
                      .is_verbose = arguments.has("verbose"),
                      .is_hosted = environment.find(kMarkerName) != environment.end(),
                      .problem = {}};
  if (!arguments.positionals.empty()) {
    const std::string& word = arguments.positionals.front();
    options.kind = parse_hook_kind(word);
    if (!options.kind) options.kind = parse_hook_event_name(word);
    if (!options.kind) return unknown_kind(word);
  }
  return Command(std::move(options));
}

Command recover_hook(const Error& problem, const std::vector<std::string>& words) {
  HookOptions options;
  options.is_verbose = std::find(words.begin(), words.end(), "--verbose") != words.end();
  options.problem = problem;
  return options;
}

Result<HooksAction> read_hooks_action(const std::string& word) {
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
  if (const auto file = arguments.value("settings")) return Path(kValue, *file);
  const std::string directory = variable(environment, "CLAUDE_CONFIG_DIR");
  if (!directory.empty()) return Path(kValue, directory + "/settings.json");
  const std::string home = variable(environment, "HOME");
  if (!home.empty()) return Path(kValue, home + "/.claude/settings.json");
  return bad_option("cannot find Claude Code's settings: HOME is not set",
                    "name the file with --settings");
}

Result<Command> read_hooks(const Arguments& arguments, const Environment& environment) {
  const auto action = read_hooks_action(arguments.positionals.front());
  if (!action) return action.error();
  if (*action == HooksAction::kStatus && arguments.has("dry-run"))
    return bad_option("flag --dry-run is only for install and remove", "status changes nothing");
  auto file = settings_file(arguments, environment);
  if (!file) return file.error();
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  const bool is_default_url = access->url == default_url();
  const std::string url = is_default_url ? "" : access->url.origin() + access->url.path;
  return Command(HooksOptions{.action = *action,
                              .file = std::move(*file),
                              .is_dry_run = arguments.has("dry-run"),
                              .command = hook_command_line(own_program().string(), url),
                              .server = std::move(*access)});
}

}  // namespace

CliCommand make_import_command() {
  return {
      .spec =
          {.name = "import",
           .group = kObserveCommands,
           .summary = "Import past sessions from their transcripts",
           .usage = {"[PATH...] [OPTIONS]"},
           .description =
               "Lets the server read the transcripts of Claude Code, Codex and Droid on its "
               "machine and list their past sessions. A repeated import reads only what is new, "
               "and skips sessions that are observed live. PATH is a directory or file below the "
               "server's --transcript-roots; without one all of them are read, newest files "
               "first.\n\n"
               "Ctrl-C ends this command, not the import: `oriel import` shows its progress again.",
           .options = {{"days", "N",
                        "Read files written in the last N days (default: the server's "
                        "--import-days, 30)",
                        kDaysRule},
                       {"dry-run", "", "List what would be read, without reading it"},
                       {"cancel", "", "Cancel the running import; the next one resumes it"},
                       {"json", "", "Print the server's final report"},
                       url_option(),
                       token_option()},
           .notes = "Exit code: 0 when the import is done; 1 if it failed or was cancelled, or the "
                    "server rejects it or cannot be reached; 2 for an invalid option.",
           .positionals = {"PATH"},
           .takes_rest = true},
      .read = read_import};
}

CliCommand make_hooks_command() {
  return {
      .spec =
          {.name = "hooks",
           .group = kObserveCommands,
           .summary = "Observe the Claude Code that you start in a terminal",
           .usage = {"install [--dry-run] [OPTIONS]", "remove [--dry-run] [OPTIONS]",
                     "status [OPTIONS]"},
           .description =
               "Lets Oriel observe the Claude Code that you start yourself. install adds `oriel "
               "hook` to eight hooks in its settings, remove removes it, and status shows for each "
               "hook whether it is installed, and whether the server responds. The rest of the "
               "file is kept, and the previous version is saved as settings.json.oriel-backup.",
           .options = {{"dry-run", "", "Show the change without making it"},
                       {"settings", "FILE",
                        "The settings file (default: settings.json in $CLAUDE_CONFIG_DIR, else in "
                        "~/.claude). A project has its own in .claude/settings.json",
                        kFileRule},
                       {"url", "URL",
                        "The server (ORIEL_URL; default http://127.0.0.1:7433). Another URL is "
                        "written into the hooks"},
                       {"token", "TOKEN",
                        "An access token, for status. If the server requires one, start Claude "
                        "Code with it in the variable ORIEL_TOKEN"}},
           .notes = "Exit code: 0 on success, and for status if all is well; 1 if not; 2 for an "
                    "invalid option.",
           .positionals = {"install|remove|status"},
           .required_positionals = 1},
      .read = read_hooks};
}

CliCommand make_hook_command() {
  return {
      .spec =
          {.name = "hook",
           .group = kObserveCommands,
           .summary = "Forward one hook to the server; run by Claude Code",
           .usage = {"[KIND] [OPTIONS]"},
           .description =
               "Forwards one hook of an agent to the server: reads its payload, JSON as Claude "
               "Code writes it, from standard input and posts it to /api/hooks/KIND. `oriel hooks "
               "install` adds this command to Claude Code's settings.\n\n"
               "KIND is session-start, session-end, user-prompt-submit, stop, notification, "
               "pre-tool-use, post-tool-use or permission-request; by default the payload's "
               "hook_event_name decides.\n\n"
               "It prints nothing, takes at most a second, and the agent does not wait for the "
               "server. Hooks of agents that Oriel runs itself are not sent.",
           .options = {{"verbose", "",
                        "Wait for the server and report errors on standard error; implied when "
                        "standard input is a terminal"},
                       url_option(),
                       token_option()},
           .notes = "Exit code: always 0; any other would disturb the agent.",
           .positionals = {"KIND"}},
      .read = read_hook,
      .recover = recover_hook};
}

}  // namespace oriel
