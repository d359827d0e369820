#pragma once
// The part of the options that is about sessions: those that Oriel runs, those that it observes,
// and the files that people send to them.

#include "server/serve_options.h"

#include <vector>

namespace oriel {

void add_session_options(std::vector<ServeOption>& table);

}  // namespace oriel
