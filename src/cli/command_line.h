#pragma once
// From the words after `oriel` to a command that is ready to run: every value read, checked and
// filled in.

#include "cli/commands/doctor.h"
#include "cli/commands/import_command.h"
#include "cli/commands/publish.h"
#include "cli/commands/send.h"
#include "cli/commands/sessions_command.h"
#include "cli/commands/token_command.h"
#include "cli/commands/watch.h"
#include "cli/hooks/hook_command.h"
#include "cli/hooks/hooks_command.h"
#include "cli/mcp/mcp_command.h"
#include "cli/mcp/mcp_setup.h"
#include "server/load_options.h"
#include "server/serve_options.h"

#include <string>
#include <variant>
#include <vector>

namespace oriel {

struct ShowText {
  std::string text;
  bool is_asked_for = true;  // else the command line said nothing, and that is an error
};

using Command =
    std::variant<ShowText, ServeOptions, WatchOptions, PublishOptions, TokenOptions, SendOptions,
                 SessionsOptions, SessionActionOptions, AnswerOptions, DoctorOptions,
                 McpStdioOptions, McpSetupOptions, HookOptions, HooksOptions, ImportCommandOptions>;

// `arguments` without the program's name. Reads the config file when the command needs it. An error
// names the flag, variable or line, its value, and what is allowed.
Result<Command> parse_command_line(const std::vector<std::string>& arguments,
                                   const Environment& environment);

}  // namespace oriel
