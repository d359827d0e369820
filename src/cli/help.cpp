#include "cli/help.h"

#include "server/serve_options.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr std::size_t kHelpColumns = 80;
constexpr std::size_t kIndent = 6;

// Words of `text` in lines that end before kHelpColumns, each indented.
std::string wrap(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    if (column == 0 || column + 1 + length > kHelpColumns) {
      if (!out.empty()) out += '\n';
      out.append(kIndent, ' ');
      column = kIndent;
    } else {
      out += ' ';
      ++column;
    }
    out += text.substr(0, length);
    column += length;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return out + "\n";
}

std::string option_help(const ServeOption& option) {
  return fmt::format("  --{} {}\n", option.flag, option.placeholder) + wrap(option.help + ".") +
         wrap(fmt::format("default {}; key {}; {}", option.default_text, option.key,
                          option.variable()));
}

}  // namespace

std::string version_text() {
  return "oriel " ORIEL_VERSION "\n";
}

std::string main_help() {
  return "Oriel " ORIEL_VERSION R"(: coding agents at work, for everyone to see.
Agents run in sessions that anybody can send messages to, answer and cancel. All
they do, and what other programs publish, is kept in order in one journal, and
reaches everyone who watches as it happens: browsers, curl, terminals. Whoever
was away goes on where they left off.

Usage: oriel COMMAND [OPTIONS]

Working with agents
  send       Send a message to an agent, and see what it does
  sessions   List sessions, or show one
  answer     Answer what an agent asks
  cancel     Cancel what an agent does now
  end        End a session

Agents that you start yourself
  import     Let past sessions appear, from their transcripts
  hooks      Let Claude Code in your terminal be seen, too
  hook       What it then runs at each step; not for people

Watching and publishing
  watch      Show events live, across every cut
  publish    Send one event
  mcp        Be an MCP server for programs that start commands; set clients up

Running the server
  serve      Run the server
  token      Create, list and revoke tokens, which open the server to others
  doctor     Find out what is missing, and what to do about it

Some examples, with `oriel serve` running in another terminal
  oriel send "which tests are slow?"
  oriel send --continue "make the slowest one faster"
  oriel watch --types build,deploy
  oriel publish deploy --project shop --text "version 42 is out"

`oriel COMMAND --help` tells all about a command; `oriel --version` the version.
)";
}

std::string serve_help() {
  std::string help = R"(Usage: oriel serve [OPTIONS]

Runs the server until SIGINT or SIGTERM. Once it is ready it prints one line on
standard output, "Oriel is ready: URL"; its log goes to standard error.

An option is set by its flag, else by its environment variable, else by its key
in oriel.toml, else it has its default. Durations are written 500ms, 30s, 2m, 1h
or 30d; sizes 1000, 64KiB, 10MiB or 4GiB.

  --config FILE
      The config file, in TOML. Without it ./oriel.toml is read when it exists.
      ORIEL_CONFIG
)";
  std::string group;
  for (const ServeOption& option : serve_option_table()) {
    if (option.group != group) help += "\n" + option.group + "\n";
    group = option.group;
    help += option_help(option);
  }
  return help + R"(
Exit code: 0 after an orderly end, 1 when it cannot serve, 2 for a wrong option.
)";
}

std::string watch_help() {
  return R"(Usage: oriel watch [OPTIONS]

Shows events as they happen: on a terminal a colored line each, elsewhere (in a
pipe or file) a JSON object a line, {"id":"...","event":"...","data":{...}}.
After a cut it reconnects by itself and goes on after the last event it has
shown; what the server no longer holds by then is shown as a gap.

  --url URL           The server (ORIEL_URL; default http://127.0.0.1:7433)
  --token TOKEN       A token for it; better given as ORIEL_TOKEN, which other
                      users of this machine cannot see
  --types A,B         Only events of these types
  --project A,B       Only events of these projects
  --session A,B       Only events of these sessions; each of the three may be
                      repeated, and all that are given must match
  --since CURSOR      Begin after this event's id, or with the oldest event that
                      is held: start (default: from now on)
  --count N           End after N events
  --timeout DURATION  Reconnect when not even a heartbeat came for so long
                      (default 90s)
  --json              JSON lines on a terminal, too
  --no-color          Plain lines; so does the variable NO_COLOR

Exit code: 0 after --count events, on Ctrl-C, or when the reader of its pipe has
gone; 1 when the server refuses; 2 for a wrong option.
)";
}

std::string publish_help() {
  return R"(Usage: oriel publish TYPE [OPTIONS]

Sends one event and prints its id, which `oriel watch --since` takes.

  --project NAME  The project it belongs to
  --session NAME  The session it belongs to
  --text TEXT     What people read
  --data JSON     What programs read; - takes it from standard input
  --url URL       The server (ORIEL_URL; default http://127.0.0.1:7433)
  --token TOKEN   A token that may write; better given as ORIEL_TOKEN, which
                  other users of this machine cannot see

TYPE and the names are 1 to 128 of A-Z a-z 0-9 . _ : -

Exit code: 0 once the event is stored; 1 when the server refuses or is away; 2
for a wrong option.
)";
}

std::string token_help() {
  return R"(Usage: oriel token create NAME [--read-only]
       oriel token list
       oriel token revoke ID_OR_NAME

Without tokens the server listens on loopback only and serves everyone there.
Once there is a token, every request but /health needs one, and the server may
listen on other addresses. A running server sees changes by itself.

create prints the secret, once: Oriel keeps only its hash.

  --read-only     The token may watch but not publish
  --data-dir DIR  The server's data directory; found as `oriel serve` finds it
  --config FILE   The server's config file, likewise

Exit code: 0 when it is done; 1 when it cannot be; 2 for a wrong option.
)";
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
                        option.placeholder, option.key, option.variable(), option.default_text,
                        option.allowed, option.help);
    const bool is_last = &option == &serve_option_table().back();
    if (is_last || (&option)[1].group != group) text += "\n";
  }
  return text;
}

}  // namespace oriel
