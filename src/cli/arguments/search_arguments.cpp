#include "base/text/quantity.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr ValueRule kSearchLimitRule = {"a number from 1 to 100", [](std::string_view text) {
                                          const auto limit = parse_number(text);
                                          return limit && *limit >= 1 && *limit <= 100;
                                        }};

constexpr ValueRule kRoleRule = {
    "user or agent", [](std::string_view text) { return text == "user" || text == "agent"; }};

Result<Command> read_search(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  const WallTime now = wall_now();
  const auto since = search_time(arguments.text("since"), now);
  if (!since) return since.error();
  const auto until = search_time(arguments.text("until"), now);
  if (!until) return until.error();
  return Command(SearchCommandOptions{
      .server = std::move(*access),
      .parameters = {{"q", fmt::format("{}", fmt::join(arguments.positionals, " "))},
                     {"project_id", arguments.text("project")},
                     {"agent", arguments.text("agent")},
                     {"session_id", arguments.text("session")},
                     {"types", fmt::format("{}", fmt::join(arguments.values("type"), ","))},
                     {"role", arguments.text("role")},
                     {"since", *since},
                     {"until", *until},
                     {"limit", arguments.text("limit")}},
      .is_json = arguments.has("json"),
      .is_colored = !arguments.has("no-color")});
}

}  // namespace

CliCommand make_search_command() {
  return {
      .spec =
          {.name = "search",
           .group = kAgentCommands,
           .summary = "Search all sessions",
           .usage = {"[OPTIONS] WORDS..."},
           .description =
               "Finds words in all sessions: in messages, tool calls and their results, errors and "
               "titles, newest first. All words must match. \"a phrase\" in double quotes must "
               "appear as it is, and word* matches longer words, too. Each result shows the "
               "session's title and an address that opens the session there.",
           .options = {{"project", "NAME", "Only sessions of this project", kNameRule},
                       {"agent", "NAME", "Only sessions of this agent", kNameRule},
                       {"session", "ID", "Only this session", kNameRule},
                       {"type", "TYPE",
                        "Only message, tool_call, tool_result, error or title; can be repeated",
                        kNameRule, Occurs::kRepeatedly},
                       {"role", "ROLE", "Only messages of the user, or of the agent", kRoleRule},
                       {"since", "TIME",
                        "Not before this time: 2h or 7d ago, or 2026-11-19T21:00:00Z"},
                       {"until", "TIME", "Before this time"},
                       {"limit", "N", "Show at most N results (default 20, at most 100)",
                        kSearchLimitRule},
                       {"json", "", "JSON lines"},
                       color_option(),
                       url_option(),
                       token_option()},
           .notes =
               std::string("  oriel search login page\n"
                           "  oriel search '\"exit code\" npm' --since 7d --type tool_result\n\n") +
               kRequestExitCodes,
           .positionals = {"WORDS"},
           .required_positionals = 1,
           .takes_rest = true},
      .read = read_search};
}

}  // namespace oriel
