#pragma once
// All commands of `oriel`: how each is declared, and the options it runs with.

#include "cli/arguments/arguments.h"
#include "cli/commands/audit_command.h"
#include "cli/commands/changes_command.h"
#include "cli/commands/check_command.h"
#include "cli/commands/cluster_command.h"
#include "cli/commands/doctor.h"
#include "cli/commands/import_command.h"
#include "cli/commands/login_command.h"
#include "cli/commands/publish.h"
#include "cli/commands/search_command.h"
#include "cli/commands/send.h"
#include "cli/commands/sessions_command.h"
#include "cli/commands/token_command.h"
#include "cli/commands/verify_command.h"
#include "cli/commands/watch.h"
#include "cli/hooks/hook_command.h"
#include "cli/hooks/hooks_command.h"
#include "cli/mcp/mcp_command.h"
#include "cli/mcp/mcp_setup.h"
#include "posix/environment.h"
#include "server/serve_options.h"

#include <string>
#include <variant>
#include <vector>

namespace oriel {

struct ShowText {
  std::string text;
  bool is_asked_for = true;  // false: the command line is empty, which is an error
};

using Command =
    std::variant<ShowText, ServeOptions, WatchOptions, PublishOptions, TokenOptions, SendOptions,
                 SessionsOptions, ChangesOptions, OrganizeOptions, SearchCommandOptions,
                 SessionActionOptions, AnswerOptions, DoctorOptions, McpStdioOptions,
                 McpSetupOptions, HookOptions, HooksOptions, ImportCommandOptions, LoginLinkOptions,
                 AuditOptions, CheckOptions, ClusterStatusOptions, ClusterRefoundOptions,
                 VerifyCommandOptions>;

struct CliCommand {
  CommandSpec spec;

  // Checks what rules of single options cannot.
  Result<Command> (*read)(const Arguments& arguments, const Environment& environment);

  // Turns an error into a command, for callers that must not get an exit code but 0.
  Command (*recover)(const Error& problem, const std::vector<std::string>& words) = nullptr;
};

CliCommand make_send_command();
CliCommand make_sessions_command();
CliCommand make_changes_command();
CliCommand make_rename_command();
CliCommand make_organize_command();
CliCommand make_search_command();
CliCommand make_answer_command();
CliCommand make_cancel_command();
CliCommand make_end_command();
CliCommand make_import_command();
CliCommand make_hooks_command();
CliCommand make_hook_command();
CliCommand make_watch_command();
CliCommand make_publish_command();
CliCommand make_mcp_command();
CliCommand make_serve_command();
CliCommand make_token_command();
CliCommand make_login_link_command();
CliCommand make_audit_command();
CliCommand make_doctor_command();
CliCommand make_check_command();
CliCommand make_cluster_command();
CliCommand make_verify_command();
CliCommand make_completion_command();

// In the order of `oriel --help`.
const std::vector<CliCommand>& cli_commands();

}  // namespace oriel
