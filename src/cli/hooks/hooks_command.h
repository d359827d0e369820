#pragma once
// `oriel hooks`: installs `oriel hook` in Claude Code's settings, removes it, and shows its status.

#include "client/server_access.h"

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

enum class HooksAction { kInstall, kRemove, kStatus };

struct HooksOptions {
  HooksAction action = HooksAction::kStatus;
  std::filesystem::path file;  // the settings file
  bool is_dry_run = false;     // show the change without making it
  std::string command;         // of each hook
  ServerAccess server;
};

// The removed and added lines, marked as by diff -u.
std::string changed_lines(const std::string& before, const std::string& after);

// Returns the exit code: 1 if the file or the server has a problem.
int hooks_command(const HooksOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
