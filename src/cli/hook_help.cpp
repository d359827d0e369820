#include "cli/help.h"

namespace oriel {

std::string hook_help() {
  return R"(Usage: oriel hook [KIND] [OPTIONS]

Hands one hook of an agent on to the server: reads its payload, JSON as Claude
Code gives it, from standard input and posts it as it is to /api/hooks/KIND.
`oriel hooks install` puts this command into Claude Code's settings.

KIND is session-start, session-end, user-prompt-submit, stop, notification,
pre-tool-use, post-tool-use or permission-request; without it the payload's
hook_event_name tells.

It prints nothing, takes a second at most whatever happens, and the agent does
not wait for the server. An agent that Oriel itself runs is seen anyway: its
hooks are not sent.

  --verbose           Wait for the server, and say on standard error what is
                      wrong; so it does when its input is a terminal
  --url URL           The server (ORIEL_URL; default http://127.0.0.1:7433)
  --token TOKEN       A token that may write; better given as ORIEL_TOKEN, which
                      other users of this machine cannot see

Exit code: always 0, since any other would hinder the agent.
)";
}

std::string import_help() {
  return R"(Usage: oriel import [PATH...] [OPTIONS]

Lets the server read the transcripts that Claude Code, Codex and Droid have left
on its machine, so that their past sessions appear with their turns. What is
known already is not read again, and a session that is watched is left alone.
PATH is a directory or a file below the server's --transcript-roots; without one
all of them are read, the newest file first.

Ctrl-C ends this command, not the import: `oriel import` shows it again.

  --days N         Files that were written to in the last N days (default: the
                   server's --import-days, 30)
  --dry-run        List what would be read, and read nothing
  --cancel         End the import that runs; the next one goes on from there
  --json           Print what the server says, at the end
  --url URL        The server (ORIEL_URL; default http://127.0.0.1:7433)
  --token TOKEN    A token that may write; better given as ORIEL_TOKEN, which
                   other users of this machine cannot see

Exit code: 0 when it is done; 1 when it failed or was cancelled, or the server
refuses or is away; 2 for a wrong option.
)";
}

std::string hooks_help() {
  return R"(Usage: oriel hooks install [--dry-run] [OPTIONS]
       oriel hooks remove [--dry-run] [OPTIONS]
       oriel hooks status [OPTIONS]

Lets Oriel see the Claude Code that you start yourself. install adds `oriel
hook` to the eight hooks in its settings that tell what it does, remove takes it
out again, and status says for each whether it is there, and whether the server
answers. All else in the file stays as it is; what it was before is kept beside
it, as settings.json.oriel-backup.

  --dry-run        Show what would change, and change nothing
  --settings FILE  The settings (default: settings.json in $CLAUDE_CONFIG_DIR,
                   else in ~/.claude); a project's own are in its directory, in
                   .claude/settings.json
  --url URL        The server (ORIEL_URL; default http://127.0.0.1:7433); one
                   that is not the default becomes a part of the hooks
  --token TOKEN    A token, for status. Claude Code has to be started with it in
                   the variable ORIEL_TOKEN when the server wants one

Exit code: 0 when it is done, and for status when all is well; 1 when not; 2 for
a wrong option.
)";
}

}  // namespace oriel
