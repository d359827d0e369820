#include "cli/command_line.h"
#include "cli/mcp/mcp_probe.h"
#include "cli/report_error.h"
#include "posix/environment.h"
#include "server/serve.h"

#include <iostream>
#include <unistd.h>

namespace oriel {
namespace {

int run(const ShowText& show) {
  (show.is_asked_for ? std::cout : std::cerr) << show.text << std::flush;
  return show.is_asked_for ? 0 : kExitUsage;
}

int run(const ServeOptions& options) {
  return serve(options);
}

int run(const WatchOptions& options) {
  return watch(options);
}

int run(const PublishOptions& options) {
  return publish(options, std::cin, std::cout, std::cerr);
}

int run(const LoginLinkOptions& options) {
  return login_link_command(options, isatty(STDOUT_FILENO) != 0, std::cout, std::cerr);
}

int run(const AuditOptions& options) {
  return audit_command(options, std::cout, std::cerr);
}

int run(const CheckOptions& options) {
  return check_command(options, std::cout, std::cerr);
}

int run(const ClusterStatusOptions& options) {
  return cluster_command(options, std::cout, std::cerr);
}

int run(const ClusterRefoundOptions& options) {
  return refound_command(options, std::cout, std::cerr);
}

int run(const TokenOptions& options) {
  return token_command(options, std::cout, std::cerr);
}

int run(const SendOptions& options) {
  return send(options, std::cin, std::cout, std::cerr);
}

int run(const SessionsOptions& options) {
  return show_sessions(options, standard_output(options.is_colored), std::cout, std::cerr);
}

int run(const ChangesOptions& options) {
  return show_changes(options, standard_output(options.is_colored), std::cout, std::cerr);
}

int run(const OrganizeOptions& options) {
  return organize_session(options, std::cout, std::cerr);
}

int run(const SearchCommandOptions& options) {
  return search_command(options, standard_output(options.is_colored), std::cout, std::cerr);
}

int run(const SessionActionOptions& options) {
  return act_on_session(options, std::cout, std::cerr);
}

int run(const AnswerOptions& options) {
  const bool has_terminal = is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
  std::istream* const keyboard = has_terminal ? &std::cin : nullptr;
  return answer_permission(options, standard_output(options.is_colored), keyboard, std::cout,
                           std::cerr);
}

int run(const DoctorOptions& options) {
  return doctor(options, standard_output(options.is_colored), std::cout);
}

int run(const McpStdioOptions& options) {
  return serve_mcp_stdio(options);
}

int run(const McpSetupOptions& options) {
  McpSetupOptions probing = options;
  probing.probe = probe_mcp;
  return mcp_setup(probing, std::cout, std::cerr);
}

int run(const HookOptions& options) {
  return hook(options, std::cerr);
}

int run(const HooksOptions& options) {
  return hooks_command(options, std::cout, std::cerr);
}

int run(const ImportCommandOptions& options) {
  return import_command(options, can_be_controlled(STDOUT_FILENO), std::cout, std::cerr);
}

int run(const VerifyCommandOptions& options) {
  return verify_command(options, std::cout, std::cerr);
}

int run_command_line(const std::vector<std::string>& arguments) {
  const auto command = parse_command_line(arguments, own_environment());
  if (!command) return report_error(std::cerr, command.error(), kExitUsage);
  return std::visit([](const auto& options) { return run(options); }, *command);
}

}  // namespace
}  // namespace oriel

int main(int argc, char** argv) {
  try {
    return oriel::run_command_line({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& problem) {
    const oriel::Error error{
        .kind = oriel::ErrorKind::kFailed, .message = problem.what(), .hint = {}};
    return oriel::report_error(std::cerr, error, oriel::kExitFailure);
  }
}
