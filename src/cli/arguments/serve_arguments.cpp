#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"
#include "cli/help.h"
#include "server/load_options.h"
#include "server/option_table.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

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
      {"takeover", "",
       "Replace the server that runs with this data directory, without refusing a connection; "
       "without one, start as usual"},
      {"help-markdown", "", ""}};
  for (const ServeOption& option : serve_option_table()) {
    options.push_back(
        {.name = option.flag,
         .value = option.value.placeholder,
         .help = fmt::format("{}.\ndefault {}; key {}; {}", option.help, option.value.default_text,
                             option.key, option.variable()),
         .occurs = option.value.is_repeatable ? Occurs::kRepeatedly : Occurs::kOnce,
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
  options->takes_over = arguments.has("takeover");
  return Command(std::move(*options));
}

Result<TokenAction> read_token_action(const std::string& word) {
  if (word == "create") return TokenAction::kCreate;
  if (word == "list") return TokenAction::kList;
  if (word == "revoke") return TokenAction::kRevoke;
  return bad_option("oriel token: " + quote(word) + " is not create, list or revoke");
}

// Everything but administration.
constexpr ScopeSet kDefaultScopes = {Scope::kRead, Scope::kAnswer, Scope::kStart, Scope::kPublish,
                                     Scope::kHooks};

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  while (true) {
    const std::size_t comma = text.find(',');
    items.emplace_back(text.substr(0, comma));
    if (comma == text.npos) return items;
    text.remove_prefix(comma + 1);
  }
}

Result<ScopeSet> read_scopes(std::string_view text) {
  ScopeSet scopes;
  for (const std::string& name : split_list(text)) {
    const auto scope = parse_scope(name);
    if (!scope)
      return bad_option("--scopes: " + quote(name) +
                        " is not read, answer, start, publish, hooks or admin");
    scopes.insert(*scope);
  }
  return scopes;
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
  TokenOptions options;
  options.action = *action;
  if (wants_name) options.name = given[1];
  options.scopes = kDefaultScopes;
  for (const std::string flag : {"scopes", "projects", "expires"}) {
    if (arguments.has(flag) && *action != TokenAction::kCreate)
      return bad_option("flag --" + flag + " is only for oriel token create");
  }
  if (const auto given_scopes = arguments.value("scopes")) {
    const auto scopes = read_scopes(*given_scopes);
    if (!scopes) return scopes.error();
    options.scopes = *scopes;
  }
  if (const auto projects = arguments.value("projects")) options.projects = split_list(*projects);
  if (const auto expires = arguments.value("expires")) {
    const auto duration = parse_duration(*expires);
    if (!duration || *duration < std::chrono::seconds(1))
      return bad_option("--expires: " + quote(*expires) + " is not a duration such as 12h or 30d");
    options.expires_in = std::chrono::duration_cast<std::chrono::seconds>(*duration);
  }
  auto serve = load(arguments, environment);
  if (!serve) return serve.error();
  options.data_dir = std::move(serve->data_dir);
  return Command(std::move(options));
}

Result<Command> read_check(const Arguments& arguments, const Environment& environment) {
  auto serve = load(arguments, environment);
  if (!serve) return serve.error();
  return Command(CheckOptions{.data_dir = std::move(serve->data_dir),
                              .is_repair = arguments.has("repair"),
                              .is_json = arguments.has("json")});
}

constexpr ValueRule kAuditLimitRule = {"a number from 1 to 100000", [](std::string_view text) {
                                         const auto limit = parse_number(text);
                                         return limit && *limit >= 1 && *limit <= 100'000;
                                       }};

Result<Command> read_audit(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  AuditOptions options;
  options.server = std::move(*access);
  options.session = arguments.text("session");
  if (arguments.has("limit")) options.limit = *parse_number(arguments.text("limit"));
  options.is_json = arguments.has("json");
  return Command(std::move(options));
}

// The options of `oriel serve` that say where a node's journal is, and where its log.
bool is_of_refound(const ServeOption& option) {
  return option.flag == "data-dir" || option.flag == "node" || option.flag == "cluster" ||
         option.flag == "cluster-credentials" || option.flag == "cluster-ca" ||
         option.flag == "cluster-replicas";
}

std::vector<Option> cluster_options_of_command() {
  std::vector<Option> options = {
      {"json", "", "status: the answer of /api/cluster"},
      url_option(),
      token_option(),
      {"force", "", "refound: also if the log is in order, or another node has more"}};
  for (Option& option : serve_options()) {
    const auto& table = serve_option_table();
    const auto found = std::find_if(table.begin(), table.end(), [&](const ServeOption& each) {
      return each.flag == option.name && is_of_refound(each);
    });
    if (found == table.end()) continue;
    option.group = "Options of refound, as for `oriel serve`";
    options.push_back(std::move(option));
  }
  Option config = config_option();
  config.group = options.back().group;
  options.push_back(std::move(config));
  return options;
}

Result<Command> read_refound(const Arguments& arguments, const Environment& environment) {
  auto node = load(arguments, environment);
  if (!node) return node.error();
  return Command(
      ClusterRefoundOptions{.node = std::move(*node), .is_forced = arguments.has("force")});
}

Result<Command> read_cluster(const Arguments& arguments, const Environment& environment) {
  const std::string& action = arguments.positionals.front();
  if (action == "refound") return read_refound(arguments, environment);
  if (action != "status")
    return bad_option("oriel cluster: " + quote(action) + " is not status or refound");
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  return Command(
      ClusterStatusOptions{.server = std::move(*access), .is_json = arguments.has("json")});
}

Result<Command> read_login_link(const Arguments& arguments, const Environment& environment) {
  auto server = read_access(arguments, environment);
  if (!server) return server.error();
  LoginLinkOptions options;
  options.server = *std::move(server);
  options.name = arguments.text("name");
  if (const auto scopes = arguments.value("scopes")) {
    if (const auto known = read_scopes(*scopes); !known) return known.error();
    options.scopes = split_list(*scopes);
  }
  if (const auto projects = arguments.value("projects")) options.projects = split_list(*projects);
  return Command(std::move(options));
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
  return {
      .spec = {.name = "token",
               .group = kServerCommands,
               .summary = "Create, list and revoke access tokens",
               .usage = {"create NAME [OPTIONS]", "list", "revoke ID_OR_NAME"},
               .description =
                   "The server's own user on this machine needs no token; everybody else "
                   "does. The server listens beyond loopback only if there is a token. A "
                   "running server picks up changes by itself, and ends what a revoked token "
                   "has open.\n\n"
                   "create prints the secret once: Oriel stores only its hash. list also shows "
                   "browsers that logged in (oriel login-link).",
               .options = {{"scopes", "SCOPES",
                            "What the token may do, comma-separated: read, answer (permissions), "
                            "start (sessions and messages), publish, hooks, admin; default: all "
                            "but admin"},
                           {"projects", "IDS",
                            "Limit the token to these projects, comma-separated"},
                           {"expires", "DURATION", "Expires after this time: 12h, 30d"},
                           data_dir_option(),
                           config_option()},
               .notes = "Exit code: 0 on success; 1 on failure; 2 for an invalid option.",
               .positionals = {"create, list or revoke", "NAME"},
               .required_positionals = 1},
      .read = read_token};
}

CliCommand make_login_link_command() {
  return {.spec = {.name = "login-link",
                   .group = kServerCommands,
                   .summary = "Log a browser in",
                   .usage = {"[OPTIONS]"},
                   .description =
                       "Prints a link that logs a browser in: on a phone, or on another machine. "
                       "It works once and for 10 minutes; the browser gets a cookie that is valid "
                       "for 30 days. On a terminal, a link beyond this machine is also shown as a "
                       "QR code. Needs the scope admin, which the server's own user has.",
                   .options =
                       {{"name", "NAME", "The login's name in `oriel token list`", kNameRule},
                        {"scopes", "SCOPES",
                         "What the browser may do, comma-separated; default: read, answer, start"},
                        {"projects", "IDS", "Limit the browser to these projects, comma-separated"},
                        url_option(),
                        token_option()},
                   .notes = kRequestExitCodes},
          .read = read_login_link};
}

CliCommand make_audit_command() {
  return {
      .spec = {.name = "audit",
               .group = kServerCommands,
               .summary = "Show who did what, from where, to which session",
               .usage = {"[OPTIONS]"},
               .description =
                   "Shows the newest entries of the audit, oldest first: every start of a session, "
                   "message, cancellation, answer, end, import and login, and every rejected "
                   "attempt. Needs the scope admin, which the server's own user has.",
               .options = {{"session", "ID", "Only entries about this session", kNameRule},
                           {"limit", "N", "Show at most N entries (default 100, at most 100000)",
                            kAuditLimitRule},
                           {"json", "", "JSON lines"},
                           url_option(),
                           token_option()},
               .notes = kRequestExitCodes},
      .read = read_audit};
}

CliCommand make_cluster_command() {
  return {
      .spec = {.name = "cluster",
               .group = kServerCommands,
               .summary = "Show the nodes of a cluster, or found its log anew",
               .usage = {"status [OPTIONS]", "refound [OPTIONS]"},
               .description =
                   "status shows the nodes of the cluster that the server belongs to: their "
                   "sessions, how far each has applied the log, and whether all have the same "
                   "events; then the log's NATS servers and what to watch out for.\n\n"
                   "refound is for a log that the NATS servers have lost, or that went wrong: the "
                   "journal of a node, which must not run, becomes the state that a new log goes "
                   "on from. Choose the node that has most. The others take its events when they "
                   "start again.",
               .options = cluster_options_of_command(),
               .notes = kRequestExitCodes,
               .positionals = {"status or refound"},
               .required_positionals = 1},
      .read = read_cluster};
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

CliCommand make_check_command() {
  return {
      .spec = {.name = "check",
               .group = kServerCommands,
               .summary = "Check the journal for damage, or repair it",
               .usage = {"[OPTIONS]"},
               .description =
                   "Reads the whole journal of --data-dir and reports events and documents that "
                   "are missing or were changed, wrong indexes, and damaged pages. It changes "
                   "nothing, and the server may run meanwhile.\n\n"
                   "--repair, with the server stopped, copies everything that is readable into a "
                   "new file. Events keep their numbers, clients with old cursors receive a gap, "
                   "and the damaged file is kept as journal.db.damaged-TIME.",
               .options = {{"repair", "", "Make a new file of everything that is readable"},
                           {"json", "", "Print the report as JSON"},
                           data_dir_option(),
                           config_option()},
               .notes = "Exit code: 0 if there is no damage, or it was repaired; 1 if there is, or "
                        "on failure; 2 for an invalid option."},
      .read = read_check};
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
