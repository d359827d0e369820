#include "cli/help.h"

#include "base/printable.h"
#include "server/serve_options.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace oriel {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Help, VersionIsOneLine) {
  EXPECT_TRUE(version_text().starts_with("oriel "));
  EXPECT_EQ(version_text().find('\n'), version_text().size() - 1);
}

TEST(Help, MainNamesEveryCommand) {
  for (const char* command : {"serve", "send", "sessions", "answer", "cancel", "end", "watch",
                              "publish", "mcp", "hook", "hooks", "import", "token", "doctor"}) {
    EXPECT_TRUE(has(main_help(), std::string("\n  ") + command + " ")) << command;
  }
}

TEST(Help, ServeShowsEveryOptionWithKeyVariableAndDefault) {
  // Lines are wrapped anywhere: compare word by word.
  std::istringstream words(serve_help());
  std::string help;
  for (std::string word; words >> word;)
    help += word + " ";
  for (const ServeOption& option : serve_option_table()) {
    EXPECT_TRUE(has(help, "--" + option.flag + " " + option.placeholder + " ")) << option.flag;
    EXPECT_TRUE(has(help, "default " + option.default_text + "; key " + option.key + "; " +
                              option.variable() + " "))
        << option.flag;
  }
}

TEST(Help, FitsATerminalOfEightyColumns) {
  for (const std::string& help :
       {main_help(), serve_help(), watch_help(), publish_help(), token_help(), send_help(),
        sessions_help(), answer_help(), cancel_help(), end_help(), doctor_help(), mcp_help(),
        hook_help(), hooks_help(), import_help()}) {
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(display_width(line), 80U) << line;
  }
}

TEST(Help, ConfigurationPageShowsTheOptionsAsTheyAre) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../docs/configuration.md";
  std::ifstream file(page);
  ASSERT_TRUE(file) << page;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(has(text, "<!-- options begin -->\n\n" + options_markdown() + "<!-- options end -->"))
      << "put the output of `oriel serve --help-markdown` between the marks of "
         "docs/configuration.md";
}

}  // namespace
}  // namespace oriel
