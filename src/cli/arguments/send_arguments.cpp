#include "base/event/permission.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr ValueRule kSessionRule = {"a session's id",
                                    [](std::string_view text) { return !text.empty(); }};

constexpr ValueRule kModeRule = {"ask, allow or deny", [](std::string_view text) {
                                   return parse_permission_mode(text).has_value();
                                 }};

// An existing session keeps its own.
Result<void> check_new_session_flags(const Arguments& arguments, const std::string& by) {
  for (const char* flag : {"agent", "project", "title", "permissions"}) {
    if (!arguments.has(flag)) continue;
    return bad_option(fmt::format("flag --{} is for a new session, but {} continues one", flag, by),
                      "leave one of the two out");
  }
  return {};
}

Result<void> check_session_flags(const Arguments& arguments) {
  const bool is_continued = arguments.has("continue");
  const bool has_session = arguments.has("session");
  if (is_continued && has_session) {
    return bad_option("flag --continue and flag --session name two sessions",
                      "leave one of the two out");
  }
  if (has_session && arguments.has("dir")) {
    return bad_option("flag --dir is for a new session, or for --continue",
                      "a session stays in its directory");
  }
  if (!is_continued && !has_session) return {};
  return check_new_session_flags(arguments, has_session ? "--session" : "--continue");
}

Result<Command> read_send(const Arguments& arguments, const Environment& environment) {
  const auto checked = check_session_flags(arguments);
  if (!checked) return checked.error();
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(SendOptions{.server = std::move(*access),
                             .message = fmt::format("{}", fmt::join(arguments.positionals, " ")),
                             .session = arguments.text("session"),
                             .is_continued = arguments.has("continue"),
                             .agent = arguments.text("agent"),
                             .project = arguments.text("project"),
                             .directory = arguments.text("dir"),
                             .title = arguments.text("title"),
                             .permissions = parse_permission_mode(arguments.text("permissions")),
                             .is_json = arguments.has("json"),
                             .is_detached = arguments.has("detach"),
                             .is_colored = !arguments.has("no-color")});
}

}  // namespace

CliCommand make_send_command() {
  return {
      .spec =
          {.name = "send",
           .group = kAgentCommands,
           .summary = "Send a message to an agent and show its work",
           .usage = {"[OPTIONS] MESSAGE..."},
           .description =
               "Sends a message to an agent and shows its work as it happens. Without options it "
               "starts a new session in the current directory. Questions of the agent are answered "
               "at the keyboard. Ctrl-C cancels the task and waits for its end; a second Ctrl-C "
               "exits, and the agent continues on its own. The message - is read from standard "
               "input. A message to a session that is working is queued.\n\n"
               "On a terminal it shows text, thoughts and tool calls; otherwise (in a pipe or "
               "file) "
               "one JSON object per event and line.",
           .options =
               {{"session", "SESSION", "Continue this session", kSessionRule},
                {"continue", "", "Continue the newest session of the directory"},
                {"agent", "NAME", "The agent of the new session (default: the server's)",
                 kNameRule},
                {"dir", "DIR", "Where the agent works (default: the current directory)"},
                {"project", "NAME",
                 "The project of the new session. Without --dir the server chooses the directory",
                 kNameRule},
                {"title", "TEXT", "The title of the new session, for lists"},
                {"permissions", "MODE",
                 "Answer to the agent's permission requests: ask (a person), allow or deny "
                 "(always). Default: as configured for the agent",
                 kModeRule},
                {"detach", "", "Do not wait: print the session's id and exit"},
                {"json", "", "JSON lines on a terminal, too"},
                color_option(),
                url_option(),
                token_option()},
           .notes = "  oriel send \"why does the build fail?\"\n"
                    "  oriel send --continue \"fix it, then run the tests\"\n"
                    "  git diff | oriel send --agent claude -\n\n"
                    "Exit code: 0 if the task completed; 1 if it failed, or the server rejects it "
                    "or cannot be reached; 2 for an invalid option; 130 if the task was cancelled.",
           .positionals = {"MESSAGE"},
           .required_positionals = 1,
           .takes_rest = true},
      .read = read_send};
}

}  // namespace oriel
