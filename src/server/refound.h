#pragma once
// `oriel cluster refound`: see refound_log().

#include "base/error.h"
#include "server/serve_options.h"

#include <string>

namespace oriel {

// Returns a report for people. Errors: those of refound_log(), and kBadConfig if the options name
// no cluster or there is no journal. Throws std::runtime_error, also if the node runs.
Result<std::string> refound(const ServeOptions& options, bool is_forced);

}  // namespace oriel
