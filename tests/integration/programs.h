#pragma once
// The programs under test: those of the build that these tests are of, or of the build directory
// that ORIEL_TESTED_BUILD names, so that tests which are built once try builds with other
// sanitizers.

#include <string>

namespace oriel {

std::string oriel_program();
std::string demo_agent_program();

}  // namespace oriel
