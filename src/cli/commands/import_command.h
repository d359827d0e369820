#pragma once
// `oriel import`: lets the server import transcripts and shows the progress.

#include "cli/render/terminal.h"
#include "client/server_access.h"

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

struct ImportCommandOptions {
  ServerAccess server;
  std::vector<std::string> paths;     // absolute; none: all transcript roots
  std::optional<std::uint64_t> days;  // none: the server's default
  bool is_dry_run = false;
  bool is_cancel = false;
  bool is_json = false;
  std::chrono::milliseconds poll_every{100};
};

// Returns the exit code: 1 if the server rejects the request or cannot be reached, or the import
// fails or is cancelled. If `is_live`, the progress line is redrawn in place.
int import_command(const ImportCommandOptions& options, bool is_live, std::ostream& out,
                   std::ostream& err);

}  // namespace oriel
