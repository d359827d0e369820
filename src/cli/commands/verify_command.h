#pragma once
// `oriel verify`: proves what Oriel promises, on a server that is killed, cut off and restarted.

#include "verify/verify_options.h"

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

struct VerifyCommandOptions {
  VerifyOptions verify;             // `directory` may be empty: a temporary one
  std::filesystem::path json = {};  // file for the report; empty: none
  bool lists_failpoints = false;    // instead of a verification
};

// Prints the report on `out` and the progress on `err`. Returns the exit code: 0 if all promises
// are kept. A temporary directory is kept if one is broken.
int verify_command(VerifyCommandOptions options, std::ostream& out, std::ostream& err);

}  // namespace oriel
