#pragma once
// Each command's words, read and checked; and what several of them share.

#include "cli/arguments.h"
#include "cli/command_line.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

using Words = std::vector<std::string>;

constexpr const char* kNameRule = "a name: 1 to 128 of A-Z a-z 0-9 . _ : -";

Error bad_option(std::string message, std::string hint = {});
Error bad_flag(const std::string& flag, std::string_view value, const std::string& allowed);

// From --url and --token, or ORIEL_URL and ORIEL_TOKEN.
Result<ServerAccess> read_access(const Arguments& arguments, const Environment& environment);

// The program that runs. Others start it from anywhere, with any PATH.
std::filesystem::path own_program();

// `flags` may hold "config" beside the server's own.
Result<ServeOptions> read_serve_options(std::map<std::string, std::string> flags,
                                        const Environment& environment);

Result<Command> parse_serve(const Words& words, const Environment& environment);
Result<Command> parse_mcp(const Words& words, const Environment& environment);
Result<Command> parse_token(const Words& words, const Environment& environment);
Result<Command> parse_doctor(const Words& words, const Environment& environment);
Result<Command> parse_watch(const Words& words, const Environment& environment);
Result<Command> parse_publish(const Words& words, const Environment& environment);
Result<Command> parse_send(const Words& words, const Environment& environment);
Result<Command> parse_sessions(const Words& words, const Environment& environment);
Result<Command> parse_cancel(const Words& words, const Environment& environment);
Result<Command> parse_end(const Words& words, const Environment& environment);
Result<Command> parse_answer(const Words& words, const Environment& environment);
Result<Command> parse_hook(const Words& words, const Environment& environment);
Result<Command> parse_import(const Words& words, const Environment& environment);
Result<Command> parse_hooks(const Words& words, const Environment& environment);

}  // namespace oriel
