#pragma once
// Options and rules that several commands share.

#include "base/id.h"
#include "cli/arguments/arguments.h"
#include "client/server_access.h"
#include "posix/environment.h"

#include <filesystem>

namespace oriel {

inline constexpr const char* kAgentCommands = "Work with agents";
inline constexpr const char* kObserveCommands = "Observe agents that you start yourself";
inline constexpr const char* kEventCommands = "Watch and publish events";
inline constexpr const char* kServerCommands = "Run the server";

inline constexpr ValueRule kNameRule = {"a name: 1 to 128 of A-Z a-z 0-9 . _ : -", is_name};

// --url and --token, for commands that talk to a server.
Option url_option();
Option token_option();
Option color_option();

inline constexpr const char* kRequestExitCodes =
    "Exit code: 0 on success; 1 if the server rejects the request or cannot be reached; 2 for an "
    "invalid option.";

// From --url and --token, or ORIEL_URL and ORIEL_TOKEN.
Result<ServerAccess> read_access(const Arguments& arguments, const Environment& environment);

// Where a server listens by default.
http::Url default_url();

// The path of this program. Others start it from anywhere, with any PATH.
std::filesystem::path own_program();

}  // namespace oriel
