#include "base/text/quote.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"

namespace oriel {
namespace {

Result<Command> read_setup(const Arguments& arguments, ServerAccess access,
                           const Environment& environment) {
  const bool has_name = !arguments.positionals.empty();
  if (arguments.has("write") && !has_name)
    return bad_option("flag --write needs the name of a client", "oriel mcp --setup lists them");
  const bool is_default_url = access.url == default_url();
  return Command(McpSetupOptions{
      .server = std::move(access),
      .client = has_name ? arguments.positionals.front() : "",
      .is_written = arguments.has("write"),
      .transport = arguments.has("stdio") ? McpTransport::kStdio : McpTransport::kHttp,
      .is_default_url = is_default_url,
      .program = own_program(),
      .environment = environment});
}

Result<Command> read_mcp(const Arguments& arguments, const Environment& environment) {
  auto access = read_access(arguments, environment);
  if (!access) return access.error();
  if (arguments.has("setup")) return read_setup(arguments, std::move(*access), environment);
  for (const char* flag : {"write", "stdio"}) {
    if (arguments.has(flag))
      return bad_option(std::string("flag --") + flag + " is only for --setup NAME");
  }
  if (!arguments.positionals.empty()) {
    const std::string& name = arguments.positionals.front();
    return bad_option("unexpected argument " + quote(name),
                      "did you mean oriel mcp --setup " + name + "?");
  }
  return Command(McpStdioOptions{.server = std::move(*access)});
}

}  // namespace

CliCommand make_mcp_command() {
  return {
      .spec =
          {.name = "mcp",
           .group = kEventCommands,
           .summary = "Bridge MCP over stdio to the server; set MCP clients up",
           .usage = {"[OPTIONS]", "--setup [NAME] [--write] [--stdio] [OPTIONS]"},
           .description =
               "Speaks the Model Context Protocol on standard input and output, one JSON-RPC "
               "message per line, and forwards it to a running server. It is for MCP clients that "
               "can only start commands; others connect to URL/mcp. It survives broken connections "
               "and restarts of the server; while the server cannot be reached, each request is "
               "answered with an error that says so.",
           .options = {{"setup", "",
                        "List the MCP clients that can be set up; with NAME, show the "
                        "configuration for this client: the server's URL if it supports one, else "
                        "this command"},
                       {"write", "",
                        "Write the configuration into the client's file. The rest of the file is "
                        "kept, and the previous version is saved as FILE.oriel-backup"},
                       {"stdio", "", "Configure this command, even if the client supports URLs"},
                       url_option(),
                       token_option()},
           .notes = "  oriel mcp --setup claude-code --write\n"
                    "  oriel mcp --setup zed --stdio\n\n"
                    "Exit code: 0 at the end of its input, or on SIGINT and SIGTERM; with --setup "
                    "1 if a file cannot be written; 2 for an invalid option.",
           .positionals = {"NAME"}},
      .read = read_mcp};
}

}  // namespace oriel
