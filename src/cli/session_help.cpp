#include "cli/help.h"

namespace oriel {
namespace {

constexpr const char* kServerOptions =
    R"(  --url URL           The server (ORIEL_URL; default http://127.0.0.1:7433)
  --token TOKEN       A token for it; better given as ORIEL_TOKEN, which other
                      users of this machine cannot see
)";

constexpr const char* kExitCodes = R"(
Exit code: 0 when it is done; 1 when the server refuses or is away; 2 for a
wrong option.
)";

}  // namespace

std::string send_help() {
  return std::string(R"(Usage: oriel send [OPTIONS] MESSAGE...

Sends a message to an agent and shows its answer as it comes. Without options a
new session begins in the current directory; what the agent asks is answered at
the keyboard. Ctrl-C cancels the task and waits for its end; Ctrl-C once more
leaves the agent to itself. A message of - is read from standard input. One to a
session that is at work waits until it is at rest.

On a terminal it shows text, thoughts and tool calls for a person; elsewhere (in
a pipe or file) each event is a JSON object a line.

  --session SESSION   Go on with this session
  --continue          Go on with the newest session of the directory
  --agent NAME        The agent of the new session (default: the server's)
  --dir DIR           Where the agent works (default: the current directory)
  --project NAME      The project of the new session. Without --dir the agent
                      then works where the server puts it
  --title TEXT        What the new session is about, for lists
  --permissions MODE  What becomes of what the agent asks: ask (a person), allow
                      or deny (at once); default: as the agent is configured
  --detach            Do not wait: print the session's id and end
  --json              JSON lines on a terminal, too
  --no-color          Plain text; so does the variable NO_COLOR
)") + kServerOptions +
         R"(
  oriel send "why does the build fail?"
  oriel send --continue "fix it, then run the tests"
  git diff | oriel send --agent claude -

Exit code: 0 when the task completed; 1 when it failed, or the server refuses or
is away; 2 for a wrong option; 130 when the task was cancelled.
)";
}

std::string sessions_help() {
  return std::string(R"(Usage: oriel sessions [OPTIONS]
       oriel sessions SESSION

Lists sessions, the newest first: on a terminal as a table, elsewhere (in a pipe
or file) a JSON object a line. With SESSION, tells all about one, and what it
asks. The beginning of a session's id is enough.

  --project NAME      Only sessions of this project
  --agent NAME        Only sessions of this agent
  --status STATUS     Only those that are idle, running, failed or completed
  --limit N           At most so many, the newest (default 100, at most 1000)
  --json              JSON lines on a terminal, too
  --no-color          Plain text; so does the variable NO_COLOR
)") + kServerOptions +
         kExitCodes;
}

std::string cancel_help() {
  return std::string(R"(Usage: oriel cancel SESSION [OPTIONS]

Cancels what the session's agent does now. The session stays, and takes further
messages. The beginning of its id is enough.

)") + kServerOptions +
         kExitCodes;
}

std::string end_help() {
  return std::string(R"(Usage: oriel end SESSION [OPTIONS]

Ends a session for good: its agent stops, and it takes no more messages. What
was said stays in the journal. The beginning of its id is enough.

)") + kServerOptions +
         kExitCodes;
}

std::string answer_help() {
  return std::string(R"(Usage: oriel answer SESSION [PERMISSION] allow|deny|OPTION
       oriel answer SESSION [PERMISSION] --text ANSWER...

Answers what an agent asks; `oriel sessions SESSION` shows it. PERMISSION may be
left out when one question waits. OPTION is one of its options, by number, id or
label. The beginning of an id is enough.

  --text ANSWER       The answer to a question; repeated when there are several.
                      A number stands for one of its choices
)") + kServerOptions +
         kExitCodes;
}

std::string mcp_help() {
  return std::string(R"(Usage: oriel mcp [OPTIONS]
       oriel mcp --setup [NAME] [--write] [--stdio] [OPTIONS]

Speaks the Model Context Protocol on standard input and output, a JSON-RPC
message a line, and passes it on to a running server. It is for MCP clients that
can only start commands; others reach the server at URL/mcp. A cut connection or
a restart of the server is bridged; while the server is away, each request is
answered by an error that says so.

  --setup             List the MCP clients that can be set up
  --setup NAME        Show what belongs into the configuration of this client:
                      the server's URL where it takes one, else this command
  --write             Write it there. All else in the file stays; what it was is
                      kept in FILE.oriel-backup
  --stdio             The command, also for a client that takes a URL
)") + kServerOptions +
         R"(
  oriel mcp --setup claude-code --write
  oriel mcp --setup zed --stdio

Exit code: 0 at the end of its input, or on SIGINT and SIGTERM; with --setup 1
when a file cannot be written; 2 for a wrong option.
)";
}

std::string doctor_help() {
  return R"(Usage: oriel doctor [OPTIONS]

Looks whether everything is there that Oriel needs, and says what to do about
what is not: agents and their versions, sandboxes, git, the data directory,
tokens, and the address. Changes nothing; the server may run or not.

  --start         Really start each agent, up to its readiness for messages; it
                  may take a minute each
  --data-dir DIR  The server's data directory; found as `oriel serve` finds it
  --config FILE   The server's config file, likewise
  --no-color      Plain text; so does the variable NO_COLOR

✓ is fine, · may be missing, ✗ is broken.

Exit code: 0 when nothing is broken; 1 when something is; 2 for a wrong option.
)";
}

}  // namespace oriel
