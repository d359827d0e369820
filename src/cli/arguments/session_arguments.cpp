#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"

#include <boost/json/value_from.hpp>
#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr ValueRule kLimitRule = {"a number from 1 to 1000", [](std::string_view text) {
                                    const auto limit = parse_number(text);
                                    return limit && *limit >= 1 && *limit <= 1000;
                                  }};

Result<Command> read_sessions(const Arguments& arguments, const Environment& environment) {
  const auto& given = arguments.positionals;
  for (const char* flag : {"project", "agent", "status", "label", "archived", "limit"}) {
    if (arguments.has(flag) && !given.empty())
      return bad_option(fmt::format("flag --{} filters the list, but one session is named", flag));
  }
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(SessionsOptions{.server = std::move(*access),
                                 .query = {.project = arguments.text("project"),
                                           .agent = arguments.text("agent"),
                                           .status = arguments.text("status"),
                                           .label = arguments.text("label"),
                                           .archived = arguments.has("archived") ? "true" : "",
                                           .limit = arguments.text("limit")},
                                 .session = given.empty() ? "" : given.front(),
                                 .is_json = arguments.has("json"),
                                 .is_colored = !arguments.has("no-color")});
}

Result<Command> read_changes(const Arguments& arguments, const Environment& environment) {
  if (arguments.has("stat") && arguments.has("json"))
    return bad_option("flags --stat and --json exclude each other");
  const auto& given = arguments.positionals;
  if (given.size() > 1 && arguments.has("stat"))
    return bad_option("flag --stat lists all files, but one is named");
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  ChangesForm form = ChangesForm::kPatch;
  if (arguments.has("stat")) form = ChangesForm::kStat;
  if (arguments.has("json")) form = ChangesForm::kJson;
  return Command(ChangesOptions{.server = std::move(*access),
                                .session = given.front(),
                                .path = given.size() > 1 ? given[1] : "",
                                .form = form,
                                .is_colored = !arguments.has("no-color")});
}

Result<Command> read_rename(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(OrganizeOptions{.server = std::move(*access),
                                 .session = arguments.positionals.front(),
                                 .change = {{"title", arguments.positionals.back()}}});
}

// One of two flags that exclude each other.
Result<void> read_switch(const Arguments& arguments, const char* on, const char* off,
                         const char* key, boost::json::object& change) {
  if (arguments.has(on) && arguments.has(off))
    return bad_option(fmt::format("flags --{} and --{} exclude each other", on, off));
  if (arguments.has(on) || arguments.has(off)) change[key] = arguments.has(on);
  return {};
}

Result<Command> read_organize(const Arguments& arguments, const Environment& environment) {
  boost::json::object change;
  if (auto read = read_switch(arguments, "pin", "unpin", "is_pinned", change); !read)
    return read.error();
  if (auto read = read_switch(arguments, "archive", "unarchive", "is_archived", change); !read)
    return read.error();
  const std::vector<std::string> labels = arguments.values("label");
  if (!labels.empty() && arguments.has("no-labels"))
    return bad_option("flags --label and --no-labels exclude each other");
  if (!labels.empty() || arguments.has("no-labels"))
    change["labels"] = boost::json::value_from(labels);
  if (change.empty())
    return bad_option("nothing to change: name a flag", "see oriel organize --help");
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(OrganizeOptions{.server = std::move(*access),
                                 .session = arguments.positionals.front(),
                                 .change = std::move(change)});
}

template <SessionAction action>
Result<Command> read_action(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(SessionActionOptions{
      .server = std::move(*access), .action = action, .session = arguments.positionals.front()});
}

Result<Command> read_answer(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  const auto& given = arguments.positionals;
  AnswerOptions options;
  options.server = std::move(*access);
  options.session = given.front();
  options.texts = arguments.values("text");
  options.is_confirmed = arguments.has("yes");
  options.is_colored = !arguments.has("no-color");
  std::vector<std::string> rest(given.begin() + 1, given.end());
  if (options.texts.empty()) {
    if (rest.empty()) {
      return bad_option("oriel answer needs an answer: allow, deny, an option, or --text",
                        "see oriel answer --help");
    }
    options.word = rest.back();
    rest.pop_back();
  }
  if (rest.size() > 1)
    return bad_option("unexpected argument " + quote(rest.back()) + ": --text is the answer");
  if (!rest.empty()) options.permission = rest.front();
  return Command(std::move(options));
}

}  // namespace

CliCommand make_sessions_command() {
  return {
      .spec =
          {.name = "sessions",
           .group = kAgentCommands,
           .summary = "List sessions, or show one",
           .usage = {"[OPTIONS]", "SESSION"},
           .description =
               "Lists sessions, newest first: on a terminal as a table, otherwise (in a pipe or "
               "file) as one JSON object per line. With SESSION, shows one session in detail, with "
               "its open questions. A prefix of the session's id is enough.",
           .options = {{"project", "NAME", "Only sessions of this project", kNameRule},
                       {"agent", "NAME", "Only sessions of this agent", kNameRule},
                       {"status", "STATUS",
                        "Only sessions that are idle, running, failed or completed", kNameRule},
                       {"label", "NAME", "Only sessions with this label", kNameRule},
                       {"archived", "", "Only archived sessions"},
                       {"limit", "N", "List at most N sessions (default 100, at most 1000)",
                        kLimitRule},
                       {"json", "", "JSON lines on a terminal, too"},
                       color_option(),
                       url_option(),
                       token_option()},
           .notes = kRequestExitCodes,
           .positionals = {"SESSION"}},
      .read = read_sessions};
}

CliCommand make_changes_command() {
  return {
      .spec = {.name = "changes",
               .group = kAgentCommands,
               .summary = "Show what a session has changed",
               .usage = {"SESSION [FILE] [OPTIONS]"},
               .description =
                   "Shows what a session has changed in its workspace since its start, as a patch; "
                   "with FILE, only in that file. Where the workspace is not compared, shows the "
                   "edits that the agent reported, and says so. A prefix of the session's id is "
                   "enough.",
               .options = {{"stat", "",
                            "List the files with the lines added and removed, and "
                            "commands that commit and push them"},
                           {"json", "", "The list, or with FILE its patch, as JSON"},
                           color_option(),
                           url_option(),
                           token_option()},
               .notes = kRequestExitCodes,
               .positionals = {"SESSION", "FILE"},
               .required_positionals = 1},
      .read = read_changes};
}

CliCommand make_rename_command() {
  return {.spec = {.name = "rename",
                   .group = kAgentCommands,
                   .summary = "Give a session another title",
                   .usage = {"SESSION TITLE [OPTIONS]"},
                   .description = "Gives a session another title, which everybody sees. An empty "
                                  "TITLE is the session's own again. A prefix of its id is enough.",
                   .options = {url_option(), token_option()},
                   .notes = kRequestExitCodes,
                   .positionals = {"SESSION", "TITLE"},
                   .required_positionals = 2},
          .read = read_rename};
}

CliCommand make_organize_command() {
  return {.spec = {.name = "organize",
                   .group = kAgentCommands,
                   .summary = "Pin, archive or label a session",
                   .usage = {"SESSION [OPTIONS]"},
                   .description = "Pins, archives or labels a session. An archived session is "
                                  "hidden from lists; oriel sessions --archived shows it. A prefix "
                                  "of its id is enough.",
                   .options = {{"pin", "", "Keep it at the top of the page"},
                               {"unpin", "", "No longer"},
                               {"archive", "", "Hide it from lists"},
                               {"unarchive", "", "Show it again"},
                               {"label", "NAME",
                                "A label, once for each; they replace those that it has", kNameRule,
                                Occurs::kRepeatedly},
                               {"no-labels", "", "Remove all labels"},
                               url_option(),
                               token_option()},
                   .notes = kRequestExitCodes,
                   .positionals = {"SESSION"},
                   .required_positionals = 1},
          .read = read_organize};
}

CliCommand make_cancel_command() {
  return {.spec = {.name = "cancel",
                   .group = kAgentCommands,
                   .summary = "Cancel the running task of a session",
                   .usage = {"SESSION [OPTIONS]"},
                   .description = "Cancels the running task of a session. The session accepts "
                                  "further messages. A prefix of its id is enough.",
                   .options = {url_option(), token_option()},
                   .notes = kRequestExitCodes,
                   .positionals = {"SESSION"},
                   .required_positionals = 1},
          .read = read_action<SessionAction::kCancel>};
}

CliCommand make_end_command() {
  return {
      .spec = {.name = "end",
               .group = kAgentCommands,
               .summary = "End a session",
               .usage = {"SESSION [OPTIONS]"},
               .description = "Ends a session for good: its agent stops, and it accepts no more "
                              "messages. Its events stay in the journal. A prefix of its id is "
                              "enough.",
               .options = {url_option(), token_option()},
               .notes = kRequestExitCodes,
               .positionals = {"SESSION"},
               .required_positionals = 1},
      .read = read_action<SessionAction::kEnd>};
}

CliCommand make_answer_command() {
  return {
      .spec = {.name = "answer",
               .group = kAgentCommands,
               .summary = "Answer a question of an agent",
               .usage = {"SESSION [PERMISSION] allow|deny|OPTION",
                         "SESSION [PERMISSION] --text ANSWER..."},
               .description =
                   "Shows an agent's question in full and answers it. PERMISSION may be omitted if "
                   "only one question is open. OPTION is one of its options, by number, id or "
                   "label. A prefix of an id is enough. An answer that allows is confirmed on the "
                   "terminal; without one, name PERMISSION by its whole id or add --yes.",
               .options = {{"text",
                            "ANSWER",
                            "The answer to a question, once for each question. A number selects "
                            "one of its choices",
                            {},
                            Occurs::kRepeatedly},
                           {"yes", "", "Allow without asking again"},
                           color_option(),
                           url_option(),
                           token_option()},
               .notes = kRequestExitCodes,
               .positionals = {"SESSION", "PERMISSION", "ANSWER"},
               .required_positionals = 1},
      .read = read_answer};
}

}  // namespace oriel
