#include "base/cursor.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr const char* kStart = "start";

constexpr ValueRule kCountRule = {"a whole number from 1 on", [](std::string_view text) {
                                    return parse_number(text).value_or(0) > 0;
                                  }};

constexpr ValueRule kTimeoutRule = {
    "a duration from 10ms to 1d, such as 90s", [](std::string_view text) {
      const auto timeout = parse_duration(text);
      return timeout && *timeout >= milliseconds(10) && *timeout <= std::chrono::hours(24);
    }};

constexpr ValueRule kCursorRule = {
    "an event's id such as 1042-k7q2mzx4d3hw9f1c, or start",
    [](std::string_view text) { return text == kStart || parse_cursor(text).has_value(); }};

Result<EventFilter> read_filter(const Arguments& arguments) {
  EventFilter filter;
  const std::pair<const char*, std::vector<std::string>*> kinds[] = {
      {"types", &filter.types}, {"project", &filter.projects}, {"session", &filter.sessions}};
  for (const auto& [flag, list] : kinds) {
    for (const std::string& names : arguments.values(flag)) {
      const auto added = add_names(*list, flag, names);
      if (!added) {
        return bad_option(std::string("flag --") + flag + ": " + added.error().message,
                          added.error().hint);
      }
    }
  }
  return filter;
}

Result<Command> read_watch(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  auto filter = read_filter(arguments);
  if (!filter) return filter.error();
  const std::string since = arguments.text("since");
  WatchOptions options{.server = std::move(*access),
                       .filter = std::move(*filter),
                       .since = since == kStart ? format_cursor(Cursor{}) : since};
  options.is_json = arguments.has("json");
  options.is_raw = arguments.has("raw");
  options.is_colored = !arguments.has("no-color");
  options.count = parse_number(arguments.text("count")).value_or(0);
  options.timeout = parse_duration(arguments.text("timeout")).value_or(options.timeout);
  return Command(std::move(options));
}

Result<Command> read_publish(const Arguments& arguments, const Environment& environment) {
  const std::string& type = arguments.positionals.front();
  if (!kNameRule.accepts(type))
    return bad_option("TYPE: " + quote(type) + " is not " + kNameRule.allowed);
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(PublishOptions{.server = std::move(*access),
                                .type = type,
                                .project = arguments.text("project"),
                                .session = arguments.text("session"),
                                .text = arguments.value("text"),
                                .data = arguments.value("data")});
}

}  // namespace

CliCommand make_watch_command() {
  return {
      .spec =
          {.name = "watch",
           .group = kEventCommands,
           .summary = "Show events live, across reconnects",
           .usage = {"[OPTIONS]"},
           .description =
               "Shows what happens as it happens: on a terminal one colored line for each message, "
               "tool, question and result, otherwise (in a pipe or file) one JSON object per "
               "event, "
               "{\"id\":\"...\",\"event\":\"...\",\"data\":{...}}. When the connection breaks, it "
               "reconnects and resumes after the "
               "last event shown. Events that the server no longer holds are reported as a gap.\n\n"
               "--types, --project and --session may be repeated; an event must match each that "
               "is given.",
           .options = {{"types", "A,B", "Only events of these types", {}, Occurs::kRepeatedly},
                       {"project", "A,B", "Only events of these projects", {}, Occurs::kRepeatedly},
                       {"session", "A,B", "Only events of these sessions", {}, Occurs::kRepeatedly},
                       {"since", "CURSOR",
                        "Start after the event with this id, or at the oldest event held: start "
                        "(default: new events only)",
                        kCursorRule},
                       {"count", "N", "Exit after N events", kCountRule},
                       {"timeout", "DURATION",
                        "Reconnect after this time without an event or heartbeat (default 90s)",
                        kTimeoutRule},
                       {"json", "", "JSON lines on a terminal, too"},
                       {"raw", "", "One line for every event, also in a pipe"},
                       color_option(),
                       url_option(),
                       token_option()},
           .notes = "Exit code: 0 after --count events, on Ctrl-C, or when the reader of its pipe "
                    "exits; 1 if the server rejects the request; 2 for an invalid option."},
      .read = read_watch};
}

CliCommand make_publish_command() {
  return {.spec = {.name = "publish",
                   .group = kEventCommands,
                   .summary = "Publish one event",
                   .usage = {"TYPE [OPTIONS]"},
                   .description = "Publishes one event and prints its id, which `oriel watch "
                                  "--since` accepts. TYPE and names are 1 to 128 of A-Z a-z 0-9 . "
                                  "_ : -",
                   .options = {{"project", "NAME", "The project of the event", kNameRule},
                               {"session", "NAME", "The session of the event", kNameRule},
                               {"text", "TEXT", "Text for people"},
                               {"data", "JSON", "Data for programs; - reads standard input"},
                               url_option(),
                               token_option()},
                   .notes = "Exit code: 0 when the event is stored; 1 if the server rejects it or "
                            "cannot be reached; 2 for an invalid option.",
                   .positionals = {"TYPE"},
                   .required_positionals = 1},
          .read = read_publish};
}

}  // namespace oriel
