#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"
#include "cli/help.h"
#include "server/load_options.h"
#include "server/option_table.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

Option config_option() {
  return {"config", "FILE", "The server's config file (ORIEL_CONFIG; default ./oriel.toml)"};
}

Option data_dir_option() {
  return {"data-dir", "DIR", "The server's data directory; default as for `oriel serve`"};
}

std::vector<Option> serve_options() {
  std::vector<Option> options = {
      {"config", "FILE",
       "The config file, in TOML. Default: ./oriel.toml, if it exists.\nORIEL_CONFIG"},
      {"help-markdown", "", ""}};
  for (const ServeOption& option : serve_option_table()) {
    options.push_back(
        {.name = option.flag,
         .value = option.value.placeholder,
         .help = fmt::format("{}.\ndefault {}; key {}; {}", option.help, option.value.default_text,
                             option.key, option.variable()),
         .occurs = option.flag == "agent" ? Occurs::kRepeatedly : Occurs::kOnce,
         .group = option.group});
  }
  return options;
}

Result<ServeOptions> load(const Arguments& arguments, const Environment& environment) {
  auto config = find_config(arguments.value("config"), environment);
  if (!config) return config.error();
  std::map<std::string, std::string> flags;
  for (const ServeOption& option : serve_option_table()) {
    if (arguments.has(option.flag))
      flags[option.flag] = fmt::format("{}", fmt::join(arguments.values(option.flag), ";"));
  }
  return load_serve_options(
      {.flags = std::move(flags), .environment = environment, .config = std::move(*config)});
}

Result<Command> read_serve(const Arguments& arguments, const Environment& environment) {
  if (arguments.has("help-markdown")) return ShowText{.text = options_markdown()};
  auto options = load(arguments, environment);
  if (!options) return options.error();
  return Command(std::move(*options));
}

Result<TokenAction> read_token_action(const std::string& word) {
  if (word == "create") return TokenAction::kCreate;
  if (word == "list") return TokenAction::kList;
  if (word == "revoke") return TokenAction::kRevoke;
  return bad_option("oriel token: " + quote(word) + " is not create, list or revoke");
}

Result<Command> read_token(const Arguments& arguments, const Environment& environment) {
  const auto& given = arguments.positionals;
  const auto action = read_token_action(given[0]);
  if (!action) return action.error();
  const bool wants_name = *action != TokenAction::kList;
  if (wants_name && given.size() < 2)
    return bad_option("oriel token " + given[0] + " needs a name", "see oriel token --help");
  if (!wants_name && given.size() > 1)
    return bad_option("oriel token list takes no name, but got " + quote(given[1]));
  if (arguments.has("read-only") && *action != TokenAction::kCreate)
    return bad_option("flag --read-only is only for oriel token create");
  auto serve = load(arguments, environment);
  if (!serve) return serve.error();
  return Command(TokenOptions{.action = *action,
                              .name = wants_name ? given[1] : "",
                              .is_read_only = arguments.has("read-only"),
                              .data_dir = std::move(serve->data_dir)});
}

Result<Command> read_doctor(const Arguments& arguments, const Environment& environment) {
  auto serve = load(arguments, environment);
  if (!serve) return serve.error();
  const auto path = environment.find("PATH");
  return Command(DoctorOptions{.serve = std::move(*serve),
                               .path = path == environment.end() ? "" : path->second,
                               .wants_start = arguments.has("start"),
                               .is_colored = !arguments.has("no-color")});
}

Result<Command> read_completion(const Arguments& arguments, const Environment&) {
  const std::string& shell = arguments.positionals.front();
  if (shell != "bash") return bad_option("SHELL: " + quote(shell) + " is not bash");
  return ShowText{.text = bash_completion()};
}

}  // namespace

CliCommand make_serve_command() {
  return {
      .spec =
          {.name = "serve",
           .group = kServerCommands,
           .summary = "Run the server",
           .usage = {"[OPTIONS]"},
           .description =
               "Runs the server until SIGINT or SIGTERM. When it is ready, it prints one line on "
               "standard output, \"Oriel is ready: URL\". The log goes to standard error.\n\n"
               "An option is set by its flag, else by its environment variable, else by its key "
               "in oriel.toml, else it has its default. Durations are written as 500ms, 30s, 2m, "
               "1h or 30d, sizes as 1000, 64KiB, 10MiB or 4GiB.",
           .options = serve_options(),
           .notes = "Exit code: 0 after an orderly shutdown; 1 if the server cannot run; 2 for an "
                    "invalid option."},
      .read = read_serve};
}

CliCommand make_token_command() {
  return {.spec = {.name = "token",
                   .group = kServerCommands,
                   .summary = "Create, list and revoke access tokens",
                   .usage = {"create NAME [--read-only]", "list", "revoke ID_OR_NAME"},
                   .description =
                       "Without tokens the server listens on loopback only and serves everyone "
                       "there. With one or more tokens every request except /health needs one, "
                       "and the server may listen on other addresses. A running server picks up "
                       "changes by itself.\n\n"
                       "create prints the secret once: Oriel stores only its hash.",
                   .options = {{"read-only", "", "The token may watch but not publish"},
                               data_dir_option(),
                               config_option()},
                   .notes = "Exit code: 0 on success; 1 on failure; 2 for an invalid option.",
                   .positionals = {"create, list or revoke", "NAME"},
                   .required_positionals = 1},
          .read = read_token};
}

CliCommand make_doctor_command() {
  return {.spec = {.name = "doctor",
                   .group = kServerCommands,
                   .summary = "Check the setup: agents, sandboxes, data directory, address",
                   .usage = {"[OPTIONS]"},
                   .description =
                       "Checks everything that Oriel needs and shows a remedy for each problem: "
                       "agents and their versions, sandboxes, git, the data directory, tokens, "
                       "and the address. It changes nothing and works with or without a running "
                       "server.",
                   .options = {{"start", "",
                                "Start each agent until it accepts messages; may take a minute "
                                "per agent"},
                               data_dir_option(),
                               config_option(),
                               color_option()},
                   .notes = "✓ works, · is optional and missing, ✗ is broken.\n\n"
                            "Exit code: 0 if nothing is broken; 1 if something is; 2 for an "
                            "invalid option."},
          .read = read_doctor};
}

CliCommand make_completion_command() {
  return {.spec = {.name = "completion",
                   .group = kServerCommands,
                   .summary = "Print a completion script for bash",
                   .usage = {"bash"},
                   .description = "Prints a script that completes commands and flags. To use it, "
                                  "add this line to ~/.bashrc:\n\n"
                                  "  eval \"$(oriel completion bash)\"",
                   .options = {},
                   .notes = "Exit code: 0, or 2 for an invalid option.",
                   .positionals = {"SHELL"},
                   .required_positionals = 1},
          .read = read_completion};
}

}  // namespace oriel
