#include "cli/help.h"

#include "base/text/printable.h"
#include "cli/arguments/commands.h"
#include "server/option_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace oriel {
namespace {

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Lines are wrapped anywhere: compare word by word.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string words;
  for (std::string word; in >> word;)
    words += word + " ";
  return words;
}

CommandSpec find_command(const std::string& name) {
  for (const CliCommand& command : cli_commands()) {
    if (command.spec.name == name) return command.spec;
  }
  return {};
}

TEST(Help, VersionIsOneLine) {
  EXPECT_TRUE(version_text().starts_with("oriel "));
  EXPECT_EQ(version_text().find('\n'), version_text().size() - 1);
}

TEST(Help, MainNamesEveryCommand) {
  for (const char* command :
       {"serve",  "send",  "sessions", "changes", "rename", "organize",  "answer",
        "cancel", "end",   "watch",    "publish", "mcp",    "hook",      "hooks",
        "import", "token", "doctor",   "check",   "verify", "completion"}) {
    EXPECT_TRUE(mentions(main_help(), std::string("\n  ") + command + " ")) << command;
    EXPECT_EQ(find_command(command).name, command);
  }
}

TEST(Help, EveryCommandShowsItsUsageAndOptions) {
  for (const CliCommand& command : cli_commands()) {
    const std::string help = command_help(command.spec);
    EXPECT_TRUE(help.starts_with("Usage: oriel " + command.spec.name + " ")) << help;
    EXPECT_TRUE(mentions(help, "\nExit code: ")) << help;
    for (const Option& option : command.spec.options)
      EXPECT_EQ(mentions(help, "\n  --" + option.name), !option.help.empty()) << option.name;
  }
}

TEST(Help, OptionsAreAligned) {
  const CommandSpec command{
      .name = "x",
      .group = "",
      .summary = "",
      .usage = {"[OPTIONS]", "ID"},
      .description = "First.\n\n  verbatim  line",
      .options = {{"a", "", "Short"}, {"bcd", "N", "Long " + std::string(70, 'x') + " end"}},
      .notes = "Last."};
  EXPECT_EQ(command_help(command),
            "Usage: oriel x [OPTIONS]\n"
            "       oriel x ID\n"
            "\n"
            "First.\n"
            "\n"
            "  verbatim  line\n"
            "\n"
            "  --a      Short\n"
            "  --bcd N  Long\n"
            "           " +
                std::string(70, 'x') +
                "\n"
                "           end\n"
                "\n"
                "Last.\n");
}

TEST(Help, ServeShowsEveryOptionWithKeyVariableAndDefault) {
  const std::string help = words_of(command_help(find_command("serve")));
  for (const ServeOption& option : serve_option_table()) {
    EXPECT_TRUE(mentions(help, "--" + option.flag + " " + option.value.placeholder + " "))
        << option.flag;
    EXPECT_TRUE(mentions(help, words_of("default " + option.value.default_text + "; key " +
                                        option.key + "; " + option.variable())))
        << option.flag;
  }
}

TEST(Help, FitsATerminalOfEightyColumns) {
  std::string all = main_help();
  for (const CliCommand& command : cli_commands())
    all += command_help(command.spec);
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(display_width(line), 80U) << line;
}

TEST(Help, ConfigurationPageShowsTheOptionsAsTheyAre) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../docs/configuration.md";
  std::ifstream file(page);
  ASSERT_TRUE(file) << page;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(
      mentions(text, "<!-- options begin -->\n\n" + options_markdown() + "<!-- options end -->"))
      << "put the output of `oriel serve --help-markdown` between the marks of "
         "docs/configuration.md";
}

TEST(Help, BashCompletionNamesCommandsAndFlags) {
  const std::string script = bash_completion();
  EXPECT_TRUE(mentions(script, "1:*) words='send sessions ")) << script;
  EXPECT_TRUE(mentions(script, "*:cancel) words='--url --token --help' ;;")) << script;
  EXPECT_FALSE(mentions(script, "--help-markdown"));
}

}  // namespace
}  // namespace oriel
