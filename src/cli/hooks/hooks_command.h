#pragma once
// `oriel hooks`: puts `oriel hook` into Claude Code's settings, takes it out again, and tells
// whether all is well.

#include "client/server_access.h"

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

enum class HooksAction { kInstall, kRemove, kStatus };

struct HooksOptions {
  HooksAction action = HooksAction::kStatus;
  std::filesystem::path file;  // the settings
  bool is_dry_run = false;     // shows the change, and leaves the file alone
  std::string command;         // that each hook is to run
  ServerAccess server;
};

// The lines that went and came, as diff -u would mark them.
std::string changed_lines(const std::string& before, const std::string& after);

// Returns the exit code: 1 when the file or the server is not as it should be.
int hooks_command(const HooksOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
