#include "base/cursor.h"
#include "base/id.h"
#include "base/quantity.h"
#include "base/quote.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

namespace oriel {
namespace {

Result<EventFilter> read_filter(const Arguments& arguments) {
  EventFilter filter;
  const std::pair<const char*, std::vector<std::string>*> kinds[] = {
      {"types", &filter.types}, {"project", &filter.projects}, {"session", &filter.sessions}};
  for (const auto& [flag, list] : kinds) {
    for (const std::string& names : arguments.lists.at(flag)) {
      const auto added = add_names(*list, flag, names);
      if (!added) {
        return bad_option(std::string("flag --") + flag + ": " + added.error().message,
                          added.error().hint);
      }
    }
  }
  return filter;
}

Result<std::string> read_since(const std::optional<std::string>& since) {
  constexpr auto kValue = boost::system::in_place_value;
  if (!since) return Result<std::string>(kValue);
  if (*since == "start") return Result<std::string>(kValue, format_cursor(Cursor{}));
  if (parse_cursor(*since)) return Result<std::string>(kValue, *since);
  return bad_flag("since", *since, "an event's id such as 1042-k7q2mzx4d3hw9f1c, or start");
}

}  // namespace

Result<Command> parse_watch(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "watch",
                                          .values = {"url", "token", "since", "count", "timeout"},
                                          .lists = {"types", "project", "session"},
                                          .switches = {"json", "no-color"}},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = watch_help()};
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  auto filter = read_filter(*arguments);
  if (!filter) return filter.error();
  auto since = read_since(arguments->value("since"));
  if (!since) return since.error();
  WatchOptions options{
      .server = std::move(*access), .filter = std::move(*filter), .since = std::move(*since)};
  options.is_json = arguments->has("json");
  options.is_colored = !arguments->has("no-color");
  if (const auto text = arguments->value("count")) {
    options.count = parse_number(*text).value_or(0);
    if (options.count == 0) return bad_flag("count", *text, "a whole number from 1 on");
  }
  if (const auto text = arguments->value("timeout")) {
    const auto timeout = parse_duration(*text);
    if (!timeout || *timeout < std::chrono::milliseconds(10) || *timeout > std::chrono::hours(24)) {
      return bad_flag("timeout", *text, "a duration from 10ms to 1d, such as 90s");
    }
    options.timeout = *timeout;
  }
  return Command(std::move(options));
}

Result<Command> parse_publish(const Words& words, const Environment& environment) {
  const auto arguments =
      parse_arguments({.command = "publish",
                       .values = {"project", "session", "text", "data", "url", "token"},
                       .lists = {},
                       .switches = {},
                       .positionals = {"TYPE"},
                       .required_positionals = 1},
                      words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = publish_help()};
  const std::string& type = arguments->positionals.front();
  if (!is_name(type)) return bad_option("TYPE: " + quote(type) + " is not " + kNameRule);
  for (const char* flag : {"project", "session"}) {
    const auto name = arguments->value(flag);
    if (name && !is_name(*name)) return bad_flag(flag, *name, kNameRule);
  }
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  return Command(PublishOptions{.server = std::move(*access),
                                .type = type,
                                .project = arguments->value("project").value_or(""),
                                .session = arguments->value("session").value_or(""),
                                .text = arguments->value("text"),
                                .data = arguments->value("data")});
}

}  // namespace oriel
