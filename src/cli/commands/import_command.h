#pragma once
// `oriel import`: lets the server read transcripts of the past, and shows how far it is.

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
  std::vector<std::string> paths;     // absolute; none: all that the server may read
  std::optional<std::uint64_t> days;  // none: as the server is configured
  bool is_dry_run = false;
  bool is_cancel = false;
  bool is_json = false;
  std::chrono::milliseconds look_every{100};
};

// Returns the exit code: 1 when the server refuses or is away, or the import fails or is cancelled.
// On a terminal that can be controlled (`is_live`) a line is drawn again and again.
int import_command(const ImportCommandOptions& options, bool is_live, std::ostream& out,
                   std::ostream& err);

}  // namespace oriel
