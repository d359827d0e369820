#include "base/id.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr std::uint64_t kMaxListed = 1000;

std::string joined(const Words& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// A session that is there already has its own.
Result<void> check_new_session_flags(const Arguments& arguments, const std::string& by) {
  for (const char* flag : {"agent", "project", "title", "permissions"}) {
    if (!arguments.value(flag)) continue;
    return bad_option(
        fmt::format("flag --{} is for a new session, but {} goes on with one", flag, by),
        "leave one of the two out");
  }
  return {};
}

Result<void> check_send(const Arguments& arguments) {
  const bool is_continued = arguments.has("continue");
  const auto session = arguments.value("session");
  if (is_continued && session) {
    return bad_option("flag --continue and flag --session name two sessions",
                      "leave one of the two out");
  }
  if (session && session->empty()) return bad_flag("session", "", "a session's id");
  if (session && arguments.value("dir")) {
    return bad_option("flag --dir is for a new session, or for --continue",
                      "a session stays in its directory");
  }
  if (is_continued || session) {
    const auto checked = check_new_session_flags(arguments, session ? "--session" : "--continue");
    if (!checked) return checked.error();
  }
  for (const char* flag : {"agent", "project"}) {
    const auto name = arguments.value(flag);
    if (name && !is_name(*name)) return bad_flag(flag, *name, kNameRule);
  }
  const std::string mode = arguments.value("permissions").value_or("ask");
  if (mode != "ask" && mode != "allow" && mode != "deny")
    return bad_flag("permissions", mode, "ask, allow or deny");
  return {};
}

Result<Command> parse_action(const std::string& command, SessionAction action,
                             const std::string& help, const Words& words,
                             const Environment& environment) {
  const auto arguments = parse_arguments({.command = command,
                                          .values = {"url", "token"},
                                          .lists = {},
                                          .switches = {},
                                          .positionals = {"SESSION"},
                                          .required_positionals = 1},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = help};
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  return Command(SessionActionOptions{
      .server = std::move(*access), .action = action, .session = arguments->positionals.front()});
}

}  // namespace

Result<Command> parse_send(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments(
      {.command = "send",
       .values = {"session", "agent", "project", "dir", "title", "permissions", "url", "token"},
       .lists = {},
       .switches = {"continue", "json", "detach", "no-color"},
       .positionals = {"MESSAGE"},
       .required_positionals = 1,
       .takes_rest = true},
      words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = send_help()};
  const auto checked = check_send(*arguments);
  if (!checked) return checked.error();
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  return Command(SendOptions{.server = std::move(*access),
                             .message = joined(arguments->positionals),
                             .session = arguments->value("session").value_or(""),
                             .is_continued = arguments->has("continue"),
                             .agent = arguments->value("agent").value_or(""),
                             .project = arguments->value("project").value_or(""),
                             .directory = arguments->value("dir").value_or(""),
                             .title = arguments->value("title").value_or(""),
                             .permissions = arguments->value("permissions").value_or(""),
                             .is_json = arguments->has("json"),
                             .is_detached = arguments->has("detach"),
                             .is_colored = !arguments->has("no-color")});
}

Result<Command> parse_sessions(const Words& words, const Environment& environment) {
  const auto arguments =
      parse_arguments({.command = "sessions",
                       .values = {"project", "agent", "status", "limit", "url", "token"},
                       .lists = {},
                       .switches = {"json", "no-color"},
                       .positionals = {"SESSION"}},
                      words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = sessions_help()};
  const Words& given = arguments->positionals;
  for (const char* flag : {"project", "agent", "status", "limit"}) {
    const auto name = arguments->value(flag);
    if (name && !is_name(*name)) return bad_flag(flag, *name, kNameRule);
    if (name && !given.empty())
      return bad_option(
          fmt::format("flag --{} chooses from the list, but one session is named", flag));
  }
  const std::string limit = arguments->value("limit").value_or("");
  const std::uint64_t count = parse_number(limit).value_or(0);
  if (!limit.empty() && (count < 1 || count > kMaxListed))
    return bad_flag("limit", limit, "a number from 1 to 1000");
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  return Command(SessionsOptions{.server = std::move(*access),
                                 .query = {.project = arguments->value("project").value_or(""),
                                           .agent = arguments->value("agent").value_or(""),
                                           .status = arguments->value("status").value_or(""),
                                           .limit = limit},
                                 .session = given.empty() ? "" : given.front(),
                                 .is_json = arguments->has("json"),
                                 .is_colored = !arguments->has("no-color")});
}

Result<Command> parse_cancel(const Words& words, const Environment& environment) {
  return parse_action("cancel", SessionAction::kCancel, cancel_help(), words, environment);
}

Result<Command> parse_end(const Words& words, const Environment& environment) {
  return parse_action("end", SessionAction::kEnd, end_help(), words, environment);
}

Result<Command> parse_answer(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "answer",
                                          .values = {"url", "token"},
                                          .lists = {"text"},
                                          .switches = {},
                                          .positionals = {"SESSION", "PERMISSION", "ANSWER"},
                                          .required_positionals = 1},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = answer_help()};
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  const Words& given = arguments->positionals;
  AnswerOptions options;
  options.server = std::move(*access);
  options.session = given.front();
  options.texts = arguments->lists.at("text");
  Words rest(given.begin() + 1, given.end());
  if (options.texts.empty()) {
    if (rest.empty()) {
      return bad_option("oriel answer needs an answer: allow, deny, an option, or --text",
                        "oriel answer --help explains it");
    }
    options.word = rest.back();
    rest.pop_back();
  }
  if (rest.size() > 1)
    return bad_option("--text is the answer already: " + quote(rest.back()) + " is too much");
  if (!rest.empty()) options.permission = rest.front();
  return Command(std::move(options));
}

}  // namespace oriel
