#include "cli/help.h"

#include "base/text/printable.h"
#include "cli/arguments/commands.h"
#include "server/option_table.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kHelpWidth = 80;
constexpr std::size_t kBlockIndent = 6;     // of an option's help below its flag
constexpr std::size_t kMaxLabelWidth = 22;  // of flags that have their help beside them

// The words of `text`, wrapped before kHelpWidth. Lines after the first are indented; the first one
// starts in that column already.
std::string wrap(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t width = display_width(word);
    if (column > indent && column + 1 + width > kHelpWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return out + '\n';
}

// Paragraphs, separated by empty lines. One that starts with a space keeps its lines.
std::string format_paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view paragraph = text.substr(0, text.find("\n\n"));
    out += '\n';
    out += paragraph.starts_with(' ') ? std::string(paragraph) + '\n' : wrap(paragraph, 0);
    text.remove_prefix(std::min(paragraph.size() + 2, text.size()));
  }
  return out;
}

std::string label(const Option& option) {
  return "--" + option.name + (option.value.empty() ? "" : " " + option.value);
}

// Each line of the help is wrapped on its own.
std::string option_help(const Option& option, std::size_t label_width) {
  const bool is_beside = label_width <= kMaxLabelWidth;
  const std::size_t indent = is_beside ? label_width + 4 : kBlockIndent;
  std::string out =
      is_beside ? fmt::format("  {:<{}}  ", label(option), label_width) : "  " + label(option);
  if (!is_beside) out += '\n' + std::string(indent, ' ');
  std::string_view lines = option.help;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    if (line.data() != option.help.data()) out += std::string(indent, ' ');
    out += wrap(line, indent);
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
  return out;
}

std::string options_help(const std::vector<Option>& options) {
  std::size_t label_width = 0;
  for (const Option& option : options)
    label_width = std::max(label_width, label(option).size());
  std::string out;
  std::string group;
  for (const Option& option : options) {
    if (option.help.empty()) continue;
    if (option.group != group || out.empty()) out += '\n';
    if (option.group != group) out += option.group + '\n';
    group = option.group;
    out += option_help(option, label_width);
  }
  return out;
}

std::string command_list() {
  std::string out;
  std::string group;
  for (const CliCommand& command : cli_commands()) {
    if (command.spec.group != group) out += '\n' + command.spec.group + '\n';
    group = command.spec.group;
    out += fmt::format("  {:<10} {}\n", command.spec.name, command.spec.summary);
  }
  return out;
}

}  // namespace

std::string version_text() {
  return "oriel " ORIEL_VERSION "\n";
}

std::string main_help() {
  return "Oriel " ORIEL_VERSION R"( runs coding agents and streams everything they do, live and
without losing an event, to browsers, terminals, programs and MCP clients.

Usage: oriel COMMAND [OPTIONS]
)" + command_list() +
         R"(
Examples, with `oriel serve` running in another terminal:
  oriel send "which tests are slow?"
  oriel send --continue "make the slowest one faster"
  oriel watch --types build,deploy
  oriel publish deploy --project shop --text "version 42 is out"

`oriel COMMAND --help` describes a command, `oriel --version` the version.
)";
}

std::string command_help(const CommandSpec& command) {
  std::string out;
  for (const std::string& usage : command.usage) {
    out += fmt::format("{} oriel {} {}\n", out.empty() ? "Usage:" : "      ", command.name, usage);
  }
  return out + format_paragraphs(command.description) + options_help(command.options) +
         format_paragraphs(command.notes);
}

std::string options_markdown() {
  std::string text;
  std::string group;
  for (const ServeOption& option : serve_option_table()) {
    if (option.group != group) {
      text += fmt::format(
          "### {}\n\n| Flag | Key | Environment | Default | Allowed | Meaning |\n"
          "|---|---|---|---|---|---|\n",
          option.group);
    }
    group = option.group;
    text += fmt::format("| `--{} {}` | `{}` | `{}` | {} | {} | {} |\n", option.flag,
                        option.value.placeholder, option.key, option.variable(),
                        option.value.default_text, option.value.allowed, option.help);
    const bool is_last = &option == &serve_option_table().back();
    if (is_last || (&option)[1].group != group) text += "\n";
  }
  return text;
}

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const CliCommand& command : cli_commands()) {
    names += command.spec.name + " ";
    cases += "    *:" + command.spec.name + ") words='";
    for (const Option& option : command.spec.options) {
      if (!option.help.empty()) cases += "--" + option.name + " ";
    }
    cases += "--help' ;;\n";
  }
  return R"bash(# Add to ~/.bashrc: eval "$(oriel completion bash)"
_oriel() {
  local words
  case $COMP_CWORD:${COMP_WORDS[1]} in
    1:*) words=')bash" +
         names + "--help --version' ;;\n" + cases + R"bash(  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _oriel oriel
)bash";
}

}  // namespace oriel
