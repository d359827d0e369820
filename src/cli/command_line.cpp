#include "cli/command_line.h"

#include "base/text/nearest.h"
#include "base/text/quote.h"
#include "cli/help.h"

namespace oriel {
namespace {

Error unknown_command(const std::string& word) {
  std::vector<Spelling> spellings;
  for (const char* flag : {"--help", "--version"})
    spellings.push_back({.spelling = flag, .name = std::string("oriel ") + flag});
  for (const CliCommand& command : cli_commands())
    spellings.push_back({.spelling = command.spec.name, .name = "oriel " + command.spec.name});
  const std::string what = word.starts_with('-') ? "unknown flag " : "unknown command ";
  return bad_option(what + quote(word),
                    did_you_mean(nearest(word, spellings), "oriel --help lists all commands"));
}

Result<Command> parse_command(const CliCommand& command, const std::vector<std::string>& words,
                              const Environment& environment) {
  const auto arguments = parse_arguments(command.spec, words);
  if (arguments && arguments->wants_help) return ShowText{.text = command_help(command.spec)};
  auto read =
      arguments ? command.read(*arguments, environment) : Result<Command>(arguments.error());
  if (!read && command.recover != nullptr) return command.recover(read.error(), words);
  return read;
}

Result<Command> show_help(const std::vector<std::string>& words) {
  if (words.empty()) return ShowText{.text = main_help()};
  for (const CliCommand& command : cli_commands())
    if (words.front() == command.spec.name) return ShowText{.text = command_help(command.spec)};
  return unknown_command(words.front());
}

}  // namespace

const std::vector<CliCommand>& cli_commands() {
  static const std::vector<CliCommand> kCommands = {
      make_send_command(),    make_sessions_command(), make_changes_command(),
      make_rename_command(),  make_organize_command(), make_search_command(),
      make_answer_command(),  make_cancel_command(),   make_end_command(),
      make_import_command(),  make_hooks_command(),    make_hook_command(),
      make_watch_command(),   make_publish_command(),  make_mcp_command(),
      make_serve_command(),   make_token_command(),    make_login_link_command(),
      make_audit_command(),   make_doctor_command(),   make_check_command(),
      make_cluster_command(), make_verify_command(),   make_completion_command()};
  return kCommands;
}

Result<Command> parse_command_line(const std::vector<std::string>& arguments,
                                   const Environment& environment) {
  if (arguments.empty()) return ShowText{.text = main_help(), .is_asked_for = false};
  const std::string& word = arguments.front();
  for (const CliCommand& command : cli_commands()) {
    if (word == command.spec.name)
      return parse_command(command, {arguments.begin() + 1, arguments.end()}, environment);
  }
  if (word == "help") return show_help({arguments.begin() + 1, arguments.end()});
  if (word == "--help" || word == "-h") return ShowText{.text = main_help()};
  if (word == "--version" || word == "-V") return ShowText{.text = version_text()};
  return unknown_command(word);
}

}  // namespace oriel
