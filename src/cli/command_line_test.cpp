#include "cli/command_line.h"

#include "cli/help.h"
#include "server/option_table.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using Words = std::vector<std::string>;

const Environment kHomeOnly = {{"HOME", "/home/someone"}};

template <class Options>
Options parse(Words words, Environment environment = kHomeOnly) {
  return std::get<Options>(parse_command_line(words, environment).value());
}

Error command_error(Words words, Environment environment = kHomeOnly) {
  const auto command = parse_command_line(words, environment);
  return command ? Error{} : command.error();
}

TEST(CommandLine, WithoutACommandShowsTheHelpAsAnError) {
  EXPECT_FALSE(parse<ShowText>({}).is_asked_for);
  EXPECT_EQ(parse<ShowText>({}).text, main_help());
}

TEST(CommandLine, EveryCommandShowsItsHelp) {
  EXPECT_EQ(parse<ShowText>({"--help"}).text, main_help());
  EXPECT_EQ(parse<ShowText>({"help"}).text, main_help());
  for (const CliCommand& command : cli_commands()) {
    const std::string help = command_help(command.spec);
    EXPECT_EQ(parse<ShowText>({command.spec.name, "--help"}).text, help);
    EXPECT_EQ(parse<ShowText>({command.spec.name, "-h"}).text, help);
    EXPECT_EQ(parse<ShowText>({"help", command.spec.name}).text, help);
  }
  EXPECT_EQ(parse<ShowText>({"--version"}).text, version_text());
}

TEST(CommandLine, CompletionIsForBash) {
  EXPECT_EQ(parse<ShowText>({"completion", "bash"}).text, bash_completion());
  EXPECT_EQ(command_error({"completion", "fish"}).message, "SHELL: \"fish\" is not bash");
}

TEST(CommandLine, AnUnknownCommandIsNamedWithTheNearest) {
  EXPECT_EQ(command_error({"wach"}).message, "unknown command \"wach\"");
  EXPECT_EQ(command_error({"wach"}).hint, "did you mean oriel watch?");
  EXPECT_EQ(command_error({"--verson"}).hint, "did you mean oriel --version?");
  EXPECT_EQ(command_error({"sessoins"}).hint, "did you mean oriel sessions?");
  EXPECT_EQ(command_error({"frobnicate"}).hint, "oriel --help lists all commands");
  EXPECT_EQ(command_error({"help", "frobnicate"}).message, "unknown command \"frobnicate\"");
}

TEST(CommandLine, ServeHasEveryFlagOfTheTable) {
  for (const ServeOption& option : serve_option_table()) {
    const std::string message = command_error({"serve", "--" + option.flag, "~"}).message;
    EXPECT_TRUE(message.starts_with("flag --" + option.flag + ": ")) << message;
  }
}

TEST(CommandLine, ServeReadsItsConfigFile) {
  EXPECT_NE(command_error({"serve", "--config", "/nowhere"}).message, "");
  EXPECT_EQ(parse<ServeOptions>({"serve", "--config", "/dev/null", "--threads=2"}).threads, 2U);
}

TEST(CommandLine, ATakeoverIsAskedForByAFlagOnly) {
  EXPECT_FALSE(parse<ServeOptions>({"serve", "--config", "/dev/null"}).takes_over);
  EXPECT_TRUE(parse<ServeOptions>({"serve", "--config", "/dev/null", "--takeover"}).takes_over);
  EXPECT_NE(command_error({"serve", "--takeover=yes"}).message, "");
}

TEST(CommandLine, ServeNamesAnUnknownFlag) {
  EXPECT_EQ(command_error({"serve", "--hart-beat", "3s"}).message, "unknown flag \"--hart-beat\"");
  EXPECT_EQ(command_error({"serve", "--hart-beat", "3s"}).hint, "did you mean --heartbeat?");
}

TEST(CommandLine, WatchHasDefaults) {
  const auto options = parse<WatchOptions>({"watch"});
  EXPECT_EQ(options.server.url.origin(), "http://127.0.0.1:7433");
  EXPECT_EQ(options.server.token, "");
  EXPECT_TRUE(options.filter.is_open());
  EXPECT_EQ(options.since, "");
  EXPECT_EQ(options.timeout, std::chrono::seconds(90));
}

TEST(CommandLine, WatchTakesItsFlags) {
  const auto options = parse<WatchOptions>({"watch",      "--url",   "https://example.org",
                                            "--types",    "a,b",     "--types=c",
                                            "--project",  "p",       "--session",
                                            "s",          "--since", "12-k7q2mzx4d3hw9f1c",
                                            "--token",    "t",       "--json",
                                            "--no-color", "--count", "3",
                                            "--timeout",  "5s"});
  EXPECT_EQ(options.server.url.origin(), "https://example.org");
  EXPECT_EQ(options.filter.types, (Words{"a", "b", "c"}));
  EXPECT_EQ(options.filter.projects, Words{"p"});
  EXPECT_EQ(options.filter.sessions, Words{"s"});
  EXPECT_EQ(options.since, "12-k7q2mzx4d3hw9f1c");
  EXPECT_EQ(options.server.token, "t");
  EXPECT_TRUE(options.is_json);
  EXPECT_FALSE(options.is_colored);
  EXPECT_EQ(options.count, 3U);
  EXPECT_EQ(options.timeout, std::chrono::seconds(5));
}

TEST(CommandLine, SinceStartIsBeforeTheOldestEvent) {
  EXPECT_EQ(parse<WatchOptions>({"watch", "--since", "start"}).since, "0");
}

TEST(CommandLine, WatchRejectsAnInvalidValue) {
  EXPECT_TRUE(command_error({"watch", "--types", "a,,b"}).message.starts_with("flag --types: "));
  EXPECT_TRUE(command_error({"watch", "--since", "x y"})
                  .message.starts_with("flag --since: \"x y\" is not"));
  EXPECT_EQ(command_error({"watch", "--count", "0"}).message,
            "flag --count: \"0\" is not a whole number from 1 on");
  EXPECT_EQ(command_error({"watch", "--timeout", "90"}).message,
            "flag --timeout: \"90\" is not a duration from 10ms to 1d, such as 90s");
  EXPECT_EQ(command_error({"watch", "--url", "localhost:1"}).message,
            "flag --url: \"localhost:1\" does not begin with http:// or https://");
}

TEST(CommandLine, ClientsTakeUrlAndTokenFromTheEnvironment) {
  const Environment environment = {{"ORIEL_URL", "http://[::1]:1"}, {"ORIEL_TOKEN", "t"}};
  EXPECT_EQ(parse<WatchOptions>({"watch"}, environment).server.url.origin(), "http://[::1]:1");
  EXPECT_EQ(parse<PublishOptions>({"publish", "x"}, environment).server.token, "t");
  EXPECT_EQ(parse<WatchOptions>({"watch", "--token", "u"}, environment).server.token, "u");
  EXPECT_EQ(command_error({"watch"}, {{"ORIEL_URL", "x"}}).message,
            "environment ORIEL_URL: \"x\" does not begin with http:// or https://");
}

TEST(CommandLine, AnInvalidTokenIsNotRepeated) {
  const Error error = command_error({"watch", "--token", "se cret"});
  EXPECT_EQ(error.message, "flag --token: this is not a token: it contains a space or line break");
}

TEST(CommandLine, PublishTakesItsFlags) {
  const auto options = parse<PublishOptions>(
      {"publish", "deploy", "--project", "p", "--session", "s", "--text", "hi", "--data", "[1,2]"});
  EXPECT_EQ(options.type, "deploy");
  EXPECT_EQ(options.project, "p");
  EXPECT_EQ(options.session, "s");
  EXPECT_EQ(options.text, "hi");
  EXPECT_EQ(options.data, "[1,2]");
}

TEST(CommandLine, PublishTakesATypeThatIsAlsoACommand) {
  EXPECT_EQ(parse<PublishOptions>({"publish", "watch"}).type, "watch");
}

TEST(CommandLine, PublishRejectsAnInvalidName) {
  EXPECT_EQ(command_error({"publish"}).message, "TYPE is missing");
  EXPECT_EQ(command_error({"publish", "a b"}).message,
            "TYPE: \"a b\" is not a name: 1 to 128 of A-Z a-z 0-9 . _ : -");
  EXPECT_EQ(command_error({"publish", "a", "--project", ""}).message,
            "flag --project: \"\" is not a name: 1 to 128 of A-Z a-z 0-9 . _ : -");
}

TEST(CommandLine, TokenHasThreeActions) {
  const auto create = parse<TokenOptions>({"token", "create", "ci", "--scopes", "read,answer",
                                           "--projects", "web,api", "--expires", "30d"});
  EXPECT_EQ(create.action, TokenAction::kCreate);
  EXPECT_EQ(create.name, "ci");
  EXPECT_EQ(create.scopes, ScopeSet({Scope::kRead, Scope::kAnswer}));
  EXPECT_EQ(create.projects, (std::vector<std::string>{"web", "api"}));
  EXPECT_EQ(create.expires_in, std::chrono::hours(24 * 30));
  EXPECT_EQ(parse<TokenOptions>({"token", "list"}).action, TokenAction::kList);
  EXPECT_EQ(parse<TokenOptions>({"token", "revoke", "ci"}).action, TokenAction::kRevoke);
}

TEST(CommandLine, ATokenMayDoEverythingButAdministerByDefault) {
  const auto create = parse<TokenOptions>({"token", "create", "ci"});
  EXPECT_TRUE(create.scopes.contains(Scope::kStart));
  EXPECT_FALSE(create.scopes.contains(Scope::kAdmin));
  EXPECT_EQ(create.expires_in, std::nullopt);
}

TEST(CommandLine, TokenUsesTheServersDataDir) {
  EXPECT_EQ(parse<TokenOptions>({"token", "list"}).data_dir, "/home/someone/.local/share/oriel");
  EXPECT_EQ(parse<TokenOptions>({"token", "list", "--data-dir", "/d"}).data_dir, "/d");
  EXPECT_EQ(parse<TokenOptions>({"token", "list"}, {{"ORIEL_DATA_DIR", "/e"}}).data_dir, "/e");
}

TEST(CommandLine, TokenRejectsOtherArguments) {
  EXPECT_EQ(command_error({"token"}).message, "create, list or revoke is missing");
  EXPECT_EQ(command_error({"token", "make"}).message,
            "oriel token: \"make\" is not create, list or revoke");
  EXPECT_EQ(command_error({"token", "create"}).message, "oriel token create needs a name");
  EXPECT_EQ(command_error({"token", "list", "x"}).message,
            "oriel token list takes no name, but got \"x\"");
  EXPECT_EQ(command_error({"token", "list", "--scopes", "read"}).message,
            "flag --scopes is only for oriel token create");
  EXPECT_EQ(command_error({"token", "create", "a", "--scopes", "read,write"}).message,
            "--scopes: \"write\" is not read, answer, start, publish, hooks or admin");
  EXPECT_EQ(command_error({"token", "create", "a", "--expires", "soon"}).message,
            "--expires: \"soon\" is not a duration such as 12h or 30d");
}

TEST(CommandLine, SendTakesAMessageOfSeveralWords) {
  const auto options = parse<SendOptions>({"send", "fix", "the", "test", "--agent", "droid"});
  EXPECT_EQ(options.message, "fix the test");
  EXPECT_EQ(options.agent, "droid");
  EXPECT_EQ(parse<SendOptions>({"send", "--", "--force", "it"}).message, "--force it");
  EXPECT_EQ(parse<SendOptions>({"send", "-"}).message, "-");
  EXPECT_EQ(command_error({"send"}).message, "MESSAGE is missing");
}

TEST(CommandLine, SendRejectsContradictions) {
  EXPECT_EQ(command_error({"send", "--continue", "--session", "s", "m"}).message,
            "flag --continue and flag --session name two sessions");
  EXPECT_EQ(command_error({"send", "--session", "s", "--agent", "demo", "m"}).message,
            "flag --agent is for a new session, but --session continues one");
  EXPECT_EQ(command_error({"send", "--continue", "--title", "t", "m"}).message,
            "flag --title is for a new session, but --continue continues one");
  EXPECT_EQ(command_error({"send", "--session", "s", "--dir", "/", "m"}).message,
            "flag --dir is for a new session, or for --continue");
  EXPECT_EQ(command_error({"send", "--session", "", "m"}).message,
            "flag --session: \"\" is not a session's id");
  EXPECT_EQ(command_error({"send", "--permissions", "maybe", "m"}).message,
            "flag --permissions: \"maybe\" is not ask, allow or deny");
  EXPECT_TRUE(parse<SendOptions>({"send", "--continue", "--dir", "/", "m"}).is_continued);
}

TEST(CommandLine, SessionsAreListedOrOneIsShown) {
  EXPECT_EQ(parse<SessionsOptions>({"sessions"}).session, "");
  EXPECT_EQ(parse<SessionsOptions>({"sessions", "ses_1"}).session, "ses_1");
  EXPECT_EQ(parse<SessionsOptions>({"sessions", "--status", "running"}).query.status, "running");
  EXPECT_EQ(parse<SessionsOptions>({"sessions", "--limit", "7"}).query.limit, "7");
  EXPECT_NE(command_error({"sessions", "ses_1", "--agent", "demo"}).message, "");
  for (const char* limit : {"0", "1001", "-1", "x", ""})
    EXPECT_NE(command_error({"sessions", "--limit", limit}).message, "") << limit;
  EXPECT_EQ(command_error({"sessions", "a", "b"}).message, "unexpected argument \"b\"");
}

TEST(CommandLine, ChangesAreAPatchAListOrJson) {
  EXPECT_EQ(parse<ChangesOptions>({"changes", "s"}).form, ChangesForm::kPatch);
  EXPECT_EQ(parse<ChangesOptions>({"changes", "s", "--stat"}).form, ChangesForm::kStat);
  EXPECT_EQ(parse<ChangesOptions>({"changes", "s", "a.c", "--json"}).path, "a.c");
  EXPECT_NE(command_error({"changes", "s", "--stat", "--json"}).message, "");
  EXPECT_NE(command_error({"changes", "s", "a.c", "--stat"}).message, "");
  EXPECT_EQ(command_error({"changes"}).message, "SESSION is missing");
}

TEST(CommandLine, SessionsAreRenamedAndOrganized) {
  EXPECT_EQ(parse<OrganizeOptions>({"rename", "s", "A title"}).change,
            (boost::json::object{{"title", "A title"}}));
  EXPECT_EQ(parse<OrganizeOptions>({"organize", "s", "--pin", "--unarchive"}).change,
            (boost::json::object{{"is_pinned", true}, {"is_archived", false}}));
  EXPECT_EQ(parse<OrganizeOptions>({"organize", "s", "--no-labels"}).change,
            (boost::json::object{{"labels", boost::json::array()}}));
  EXPECT_NE(command_error({"rename", "s"}).message, "");
  EXPECT_NE(command_error({"organize", "s"}).message, "");
  EXPECT_NE(command_error({"organize", "s", "--label", "a b"}).message, "");
  EXPECT_NE(command_error({"organize", "s", "--label", "a", "--no-labels"}).message, "");
}

TEST(CommandLine, CancelAndEndNameASession) {
  EXPECT_EQ(parse<SessionActionOptions>({"cancel", "s"}).action, SessionAction::kCancel);
  EXPECT_EQ(parse<SessionActionOptions>({"end", "s"}).action, SessionAction::kEnd);
  EXPECT_EQ(command_error({"end"}).message, "SESSION is missing");
}

TEST(CommandLine, AnAnswerIsAWordOrText) {
  const auto word = parse<AnswerOptions>({"answer", "s", "allow"});
  EXPECT_EQ(word.word, "allow");
  EXPECT_EQ(word.permission, "");
  EXPECT_FALSE(word.is_confirmed);
  EXPECT_TRUE(parse<AnswerOptions>({"answer", "s", "allow", "--yes"}).is_confirmed);
  const auto named = parse<AnswerOptions>({"answer", "s", "perm_1", "deny"});
  EXPECT_EQ(named.permission, "perm_1");
  EXPECT_EQ(named.word, "deny");
  const auto text = parse<AnswerOptions>({"answer", "s", "perm_1", "--text", "a", "--text", "b c"});
  EXPECT_EQ(text.permission, "perm_1");
  EXPECT_EQ(text.texts, (Words{"a", "b c"}));
  EXPECT_EQ(text.word, "");
  EXPECT_NE(command_error({"answer", "s"}).message, "");
  EXPECT_NE(command_error({"answer", "s", "p", "allow", "--text", "a"}).message, "");
}

TEST(CommandLine, DoctorReadsTheServersOptions) {
  const auto options = parse<DoctorOptions>({"doctor", "--config", "/dev/null", "--data-dir", "/d"},
                                            {{"HOME", "/home/someone"}, {"PATH", "/bin"}});
  EXPECT_EQ(options.serve.data_dir, "/d");
  EXPECT_EQ(options.path, "/bin");
}

TEST(CommandLine, VerifyReadsItsFaultsAndPromises) {
  const auto options =
      parse<VerifyCommandOptions>({"verify", "--minutes", "2", "--seed", "7", "--only",
                                   "clean_stop", "--memory-limit", "64MiB"})
          .verify;
  EXPECT_EQ(options.duration, std::chrono::minutes(2));
  EXPECT_EQ(options.seed, 7u);
  EXPECT_EQ(options.only, std::vector{Promise::kCleanStop});
  EXPECT_EQ(options.memory_limit, 64u << 20);
  EXPECT_FALSE(options.server);
  EXPECT_EQ(parse<VerifyCommandOptions>({"verify", "--url", "http://localhost:1"})
                .verify.server->url.port,
            1);
  EXPECT_EQ(
      parse<VerifyCommandOptions>({"verify", "--url", "http://[::1]:2"}).verify.server->url.host,
      "::1");
  EXPECT_NE(command_error({"verify", "--only", "speed"}).message, "");
  EXPECT_NE(command_error({"verify", "--minutes", "1", "--seconds", "1"}).message, "");
  EXPECT_NE(command_error({"verify", "--url", "https://localhost"}).message, "");
  for (const char* url : {"http://example.org", "http://127.evil.example"})
    EXPECT_NE(command_error({"verify", "--url", url}).message, "") << url;
  EXPECT_NE(command_error({"verify", "--mutant", "mutant.none"}).message, "");
}

TEST(CommandLine, VerifyReadsTheNodesOfACluster) {
  const auto nodes_of = [](std::vector<std::string> arguments) {
    return parse<VerifyCommandOptions>(std::move(arguments)).verify.nodes;
  };
  EXPECT_EQ(nodes_of({"verify"}), 0u);
  EXPECT_EQ(nodes_of({"verify", "--cluster"}), 3u);
  EXPECT_EQ(nodes_of({"verify", "--cluster", "--nodes", "5", "--only", "nodes_agree"}), 5u);
  EXPECT_NE(command_error({"verify", "--nodes", "3"}).message, "");
  EXPECT_NE(command_error({"verify", "--cluster", "--nodes", "1"}).message, "");
  EXPECT_NE(command_error({"verify", "--cluster", "--url", "http://localhost:1"}).message, "");
  EXPECT_NE(command_error({"verify", "--cluster", "--only", "gaps_announced"}).message, "");
  EXPECT_NE(command_error({"verify", "--only", "nodes_agree"}).message, "");
}

TEST(CommandLine, McpBridgesUnlessItSetsUpAClient) {
  EXPECT_EQ(parse<McpStdioOptions>({"mcp", "--url", "http://o:1"}).server.url.host, "o");
  EXPECT_EQ(parse<McpSetupOptions>({"mcp", "--setup"}).client, "");
  const auto setup = parse<McpSetupOptions>({"mcp", "--setup", "zed", "--write", "--stdio"});
  EXPECT_EQ(setup.client, "zed");
  EXPECT_TRUE(setup.is_written);
  EXPECT_EQ(setup.transport, McpTransport::kStdio);
  EXPECT_TRUE(setup.is_default_url);
  EXPECT_FALSE(
      parse<McpSetupOptions>({"mcp", "--setup", "zed", "--url", "http://o"}).is_default_url);
  EXPECT_EQ(command_error({"mcp", "zed"}).hint, "did you mean oriel mcp --setup zed?");
  EXPECT_NE(command_error({"mcp", "--write"}).message, "");
  EXPECT_NE(command_error({"mcp", "--setup", "--write"}).message, "");
}

TEST(CommandLine, HookTakesAKindByEitherName) {
  EXPECT_EQ(parse<HookOptions>({"hook"}).kind, std::nullopt);
  EXPECT_EQ(parse<HookOptions>({"hook", "pre-tool-use"}).kind, HookKind::kPreToolUse);
  EXPECT_EQ(parse<HookOptions>({"hook", "PreToolUse", "--verbose"}).kind, HookKind::kPreToolUse);
  EXPECT_TRUE(parse<HookOptions>({"hook", "stop", "--verbose"}).is_verbose);
  EXPECT_EQ(parse<HookOptions>({"hook"}, {{"ORIEL_URL", "http://h:1"}}).server.url.port, 1);
  EXPECT_EQ(parse<HookOptions>({"hook"}).problem, std::nullopt);
}

TEST(CommandLine, HookNeverFailsBecauseThatWouldStopTheAgent) {
  EXPECT_EQ(parse<HookOptions>({"hook", "stp"}).problem->hint, "did you mean stop?");
  EXPECT_TRUE(parse<HookOptions>({"hook", "--verbose", "--bogus"}).problem);
  EXPECT_TRUE(parse<HookOptions>({"hook", "--verbose", "--bogus"}).is_verbose);
  EXPECT_TRUE(parse<HookOptions>({"hook", "stop", "stop"}).problem);
  EXPECT_TRUE(parse<HookOptions>({"hook", "--url"}).problem);
  EXPECT_TRUE(parse<HookOptions>({"hook"}, {{"ORIEL_URL", "nonsense"}}).problem);
}

TEST(CommandLine, HookKnowsWhenOrielRunsTheAgentItself) {
  EXPECT_FALSE(parse<HookOptions>({"hook"}).is_hosted);
  EXPECT_TRUE(parse<HookOptions>({"hook"}, {{"ORIEL_AGENT_ID", "oriel-1"}}).is_hosted);
}

TEST(CommandLine, HooksFindClaudeCodesSettings) {
  EXPECT_EQ(parse<HooksOptions>({"hooks", "status"}).file, "/home/someone/.claude/settings.json");
  EXPECT_EQ(parse<HooksOptions>({"hooks", "install"}, {{"CLAUDE_CONFIG_DIR", "/c"}}).file,
            "/c/settings.json");
  EXPECT_EQ(parse<HooksOptions>({"hooks", "remove", "--settings", "x.json"}, {}).file, "x.json");
  EXPECT_EQ(command_error({"hooks", "status"}, {}).hint, "name the file with --settings");
}

TEST(CommandLine, HooksRunThisProgramAndNameAnotherServer) {
  const std::string usual = parse<HooksOptions>({"hooks", "install"}).command;
  EXPECT_TRUE(usual.starts_with("/")) << usual;
  EXPECT_TRUE(usual.ends_with(" hook")) << usual;
  EXPECT_EQ(parse<HooksOptions>({"hooks", "install", "--url", "http://h:1/p"}).command,
            usual + " --url http://h:1/p");
}

TEST(CommandLine, HooksRequireAnAction) {
  EXPECT_NE(command_error({"hooks"}).message, "");
  EXPECT_EQ(command_error({"hooks", "instal"}).hint, "it is install, remove or status");
  EXPECT_NE(command_error({"hooks", "status", "--dry-run"}).message, "");
}

TEST(CommandLine, ImportResolvesRelativePaths) {
  const auto options = parse<ImportCommandOptions>({"import", "/a/../b", "c", "--days", "7"});
  EXPECT_EQ(options.paths,
            (std::vector<std::string>{"/b", (std::filesystem::current_path() / "c").string()}));
  EXPECT_EQ(options.days, 7U);
  EXPECT_FALSE(options.is_dry_run);
  EXPECT_TRUE(parse<ImportCommandOptions>({"import", "--dry-run"}).is_dry_run);
  EXPECT_TRUE(parse<ImportCommandOptions>({"import", "--cancel"}).is_cancel);
}

TEST(CommandLine, ImportRejectsContradictions) {
  for (const char* days : {"0", "-1", "x", "36501", ""})
    EXPECT_NE(command_error({"import", "--days", days}).message, "") << days;
  EXPECT_NE(command_error({"import", "--cancel", "--dry-run"}).message, "");
  EXPECT_NE(command_error({"import", "--cancel", "/a"}).message, "");
  EXPECT_NE(command_error({"import", ""}).message, "");
}

}  // namespace
}  // namespace oriel
