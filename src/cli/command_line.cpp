#include "cli/command_line.h"

#include "base/nearest.h"
#include "base/quote.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

#include <array>

namespace oriel {
namespace {

struct CommandName {
  const char* name;
  Result<Command> (*parse)(const Words&, const Environment&);
};

constexpr std::array<CommandName, 14> kCommands = {{{"serve", parse_serve},
                                                    {"send", parse_send},
                                                    {"sessions", parse_sessions},
                                                    {"answer", parse_answer},
                                                    {"cancel", parse_cancel},
                                                    {"end", parse_end},
                                                    {"watch", parse_watch},
                                                    {"publish", parse_publish},
                                                    {"mcp", parse_mcp},
                                                    {"import", parse_import},
                                                    {"hooks", parse_hooks},
                                                    {"hook", parse_hook},
                                                    {"token", parse_token},
                                                    {"doctor", parse_doctor}}};

Error unknown_command(const std::string& word) {
  std::vector<Spelling> spellings;
  for (const char* flag : {"--help", "--version"})
    spellings.push_back({.spelling = flag, .name = std::string("oriel ") + flag});
  for (const CommandName& command : kCommands)
    spellings.push_back({.spelling = command.name, .name = std::string("oriel ") + command.name});
  const std::string what = word.starts_with('-') ? "unknown flag " : "unknown command ";
  return bad_option(what + quote(word),
                    did_you_mean(nearest(word, spellings), "oriel --help shows all commands"));
}

}  // namespace

Result<Command> parse_command_line(const std::vector<std::string>& arguments,
                                   const Environment& environment) {
  if (arguments.empty()) return ShowText{.text = main_help(), .is_asked_for = false};
  const std::string& word = arguments.front();
  for (const CommandName& command : kCommands) {
    if (word == command.name)
      return command.parse({arguments.begin() + 1, arguments.end()}, environment);
  }
  if (word == "--help" || word == "-h" || word == "help") return ShowText{.text = main_help()};
  if (word == "--version" || word == "-V") return ShowText{.text = version_text()};
  return unknown_command(word);
}

}  // namespace oriel
