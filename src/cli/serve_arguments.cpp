#include "base/quote.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {

Result<Command> parse_serve(const Words& words, const Environment& environment) {
  ArgumentShape shape{.command = "serve", .values = {"config"}, .lists = {"agent"}, .switches = {}};
  shape.hidden = {"help-markdown"};
  for (const ServeOption& option : serve_option_table()) {
    if (option.flag != "agent") shape.values.push_back(option.flag);
  }
  auto arguments = parse_arguments(shape, words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = serve_help()};
  if (arguments->has("help-markdown")) return ShowText{.text = options_markdown()};
  if (const auto& agents = arguments->lists.at("agent"); !agents.empty())
    arguments->values["agent"] = fmt::format("{}", fmt::join(agents, ";"));
  auto options = read_serve_options(std::move(arguments->values), environment);
  if (!options) return options.error();
  return Command(std::move(*options));
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
  options.is_read_only = arguments->has("read-only");
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

Result<Command> parse_doctor(const Words& words, const Environment& environment) {
  auto arguments = parse_arguments({.command = "doctor",
                                    .values = {"data-dir", "config"},
                                    .lists = {},
                                    .switches = {"start", "no-color"}},
                                   words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = doctor_help()};
  DoctorOptions options;
  options.is_colored = !arguments->has("no-color");
  options.wants_start = arguments->has("start");
  auto serve = read_serve_options(std::move(arguments->values), environment);
  if (!serve) return serve.error();
  options.serve = std::move(*serve);
  const auto path = environment.find("PATH");
  if (path != environment.end()) options.path = path->second;
  return Command(std::move(options));
}

}  // namespace oriel
