#include "app/command_line.h"

#include "app/arguments.h"
#include "app/help.h"
#include "app/nearest.h"
#include "app/quantity.h"
#include "core/cursor.h"
#include "core/id.h"
#include "core/quote.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kDefaultUrl = "http://127.0.0.1:7433";

Error bad_option(std::string message, std::string hint = {}) {
  return {.code = "bad_option", .message = std::move(message), .hint = std::move(hint)};
}

Error bad_flag(const std::string& flag, std::string_view value, const std::string& allowed) {
  return bad_option("flag --" + flag + ": " + quote(value) + " is not " + allowed);
}

// A value and who gave it, for messages.
struct Sourced {
  std::string value;
  std::string source;
};

Sourced flag_or_variable(const Arguments& arguments, const std::string& flag,
                         const Environment& environment, const std::string& variable,
                         const std::string& otherwise) {
  if (const auto value = arguments.value(flag)) return {*value, "flag --" + flag};
  const auto found = environment.find(variable);
  if (found != environment.end()) return {found->second, "environment " + variable};
  return {otherwise, "default"};
}

// It becomes part of a header. Its value is a secret that messages do not repeat.
bool is_token_text(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

Result<ServerAccess> read_access(const Arguments& arguments, const Environment& environment) {
  const Sourced url = flag_or_variable(arguments, "url", environment, "ORIEL_URL", kDefaultUrl);
  auto parsed = parse_http_url(url.value);
  if (!parsed) return bad_option(url.source + ": " + parsed.error().message, parsed.error().hint);
  Sourced token = flag_or_variable(arguments, "token", environment, "ORIEL_TOKEN", "");
  if (!is_token_text(token.value)) {
    return bad_option(token.source + ": this is not a token: it holds a space or line break",
                      "oriel token create NAME prints one");
  }
  return ServerAccess{.url = std::move(*parsed), .token = std::move(token.value)};
}

Result<ServeOptions> read_serve_options(std::map<std::string, std::string> flags,
                                        const Environment& environment) {
  std::optional<std::string> file;
  if (const auto found = flags.extract("config")) file = found.mapped();
  auto config = find_config(file, environment);
  if (!config) return config.error();
  return load_serve_options(
      {.flags = std::move(flags), .environment = environment, .config = std::move(*config)});
}

Result<Command> parse_serve(const Words& words, const Environment& environment) {
  ArgumentShape shape{.command = "serve", .values = {"config"}, .lists = {"agent"}, .switches = {}};
  shape.hidden = {"help-markdown"};
  for (const ServeOption& option : serve_option_table()) {
    if (option.flag != "agent") shape.values.push_back(option.flag);
  }
  auto arguments = parse_arguments(shape, words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = serve_help()};
  if (arguments->switches.count("help-markdown") > 0) return ShowText{.text = options_markdown()};
  if (const auto& agents = arguments->lists.at("agent"); !agents.empty())
    arguments->values["agent"] = fmt::format("{}", fmt::join(agents, ";"));
  auto options = read_serve_options(std::move(arguments->values), environment);
  if (!options) return options.error();
  return Command(std::move(*options));
}

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
  options.is_json = arguments->switches.count("json") > 0;
  options.is_colored = arguments->switches.count("no-color") == 0;
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
  constexpr const char* kName = "a name: 1 to 128 of A-Z a-z 0-9 . _ : -";
  const std::string& type = arguments->positionals.front();
  if (!is_name(type)) return bad_option("TYPE: " + quote(type) + " is not " + kName);
  for (const char* flag : {"project", "session"}) {
    const auto name = arguments->value(flag);
    if (name && !is_name(*name)) return bad_flag(flag, *name, kName);
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

Result<Command> parse_token(const Words& words, const Environment& environment) {
  auto arguments = parse_arguments({.command = "token",
                                    .values = {"data-dir", "config"},
                                    .lists = {},
                                    .switches = {"read-only"},
                                    .positionals = {"create, list or revoke", "NAME"},
                                    .required_positionals = 1},
                                   words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = token_help()};
  const Words& given = arguments->positionals;
  TokenOptions options;
  options.is_read_only = arguments->switches.count("read-only") > 0;
  if (given[0] == "create") {
    options.action = TokenAction::kCreate;
  } else if (given[0] == "revoke") {
    options.action = TokenAction::kRevoke;
  } else if (given[0] != "list") {
    return bad_option("oriel token: " + quote(given[0]) + " is not create, list or revoke");
  }
  const bool wants_name = options.action != TokenAction::kList;
  if (wants_name && given.size() < 2) {
    return bad_option("oriel token " + given[0] + " needs a name",
                      "oriel token --help explains it");
  }
  if (!wants_name && given.size() > 1) {
    return bad_option("oriel token list takes no name, but got " + quote(given[1]));
  }
  if (options.is_read_only && options.action != TokenAction::kCreate) {
    return bad_option("flag --read-only belongs to oriel token create");
  }
  if (wants_name) options.name = given[1];
  auto serve = read_serve_options(std::move(arguments->values), environment);
  if (!serve) return serve.error();
  options.data_dir = std::move(serve->data_dir);
  return Command(std::move(options));
}

Error unknown_command(const std::string& word) {
  std::vector<Spelling> spellings;
  for (const char* name : {"serve", "watch", "publish", "token", "--help", "--version"}) {
    spellings.push_back({.spelling = name, .name = std::string("oriel ") + name});
  }
  const std::string what = word.starts_with('-') ? "unknown flag " : "unknown command ";
  return bad_option(what + quote(word),
                    did_you_mean(nearest(word, spellings),
                                 "commands are serve, watch, publish and token; see oriel --help"));
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments,
                                   const Environment& environment) {
  if (arguments.empty()) return ShowText{.text = main_help(), .is_asked_for = false};
  const std::string& command = arguments.front();
  const Words rest(arguments.begin() + 1, arguments.end());
  if (command == "serve") return parse_serve(rest, environment);
  if (command == "watch") return parse_watch(rest, environment);
  if (command == "publish") return parse_publish(rest, environment);
  if (command == "token") return parse_token(rest, environment);
  if (command == "--help" || command == "-h" || command == "help")
    return ShowText{.text = main_help()};
  if (command == "--version" || command == "-V") return ShowText{.text = version_text()};
  return unknown_command(command);
}

}  // namespace oriel
