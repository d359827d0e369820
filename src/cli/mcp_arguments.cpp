#include "base/quote.h"
#include "cli/help.h"
#include "cli/parse_commands.h"

namespace oriel {
Result<Command> parse_mcp(const Words& words, const Environment& environment) {
  const auto arguments = parse_arguments({.command = "mcp",
                                          .values = {"url", "token"},
                                          .lists = {},
                                          .switches = {"setup", "write", "stdio"},
                                          .positionals = {"NAME"}},
                                         words);
  if (!arguments) return arguments.error();
  if (arguments->wants_help) return ShowText{.text = mcp_help()};
  auto access = read_access(*arguments, environment);
  if (!access) return access.error();
  const bool has_name = !arguments->positionals.empty();
  if (arguments->has("setup")) {
    if (arguments->has("write") && !has_name)
      return bad_option("flag --write needs to know whose file", "oriel mcp --setup lists clients");
    const auto none = read_access(Arguments(), {});
    const bool is_default_url = access->url == none->url;
    return Command(McpSetupOptions{
        .server = std::move(*access),
        .client = has_name ? arguments->positionals.front() : "",
        .is_written = arguments->has("write"),
        .transport = arguments->has("stdio") ? McpTransport::kStdio : McpTransport::kHttp,
        .is_default_url = is_default_url,
        .program = own_program(),
        .environment = environment});
  }
  for (const char* flag : {"write", "stdio"}) {
    if (arguments->has(flag))
      return bad_option(std::string("flag --") + flag + " belongs to --setup NAME");
  }
  if (has_name)
    return bad_option("unexpected argument " + quote(arguments->positionals.front()),
                      "did you mean oriel mcp --setup " + arguments->positionals.front() + "?");
  return Command(McpStdioOptions{.server = std::move(*access)});
}

}  // namespace oriel
