#pragma once
// `oriel changes`: what a session has changed in its workspace.

#include "cli/render/terminal.h"
#include "client/session_api.h"

#include <iosfwd>
#include <string>

namespace oriel {

enum class ChangesForm { kPatch, kStat, kJson };

struct ChangesOptions {
  ServerAccess server;
  std::string session;
  std::string path;  // only this file; empty: all
  ChangesForm form = ChangesForm::kPatch;
  bool is_colored = true;
};

// Writes the changes to `out`, and what they do not show to `err`. Returns the exit code: 1 if the
// server rejects the request or cannot be reached.
int show_changes(const ChangesOptions& options, const Screen& screen, std::ostream& out,
                 std::ostream& err);

}  // namespace oriel
