#include "app/help.h"

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
