#include "programs.h"

#include <cstdlib>
#include <filesystem>

namespace oriel {
namespace {

std::string tested(const char* program) {
  const std::filesystem::path built(program);
  const char* const build = std::getenv("ORIEL_TESTED_BUILD");
  return build == nullptr ? built : std::filesystem::path(build) / built.filename();
}

}  // namespace

std::string oriel_program() {
  return tested(ORIEL_BINARY);
}

std::string demo_agent_program() {
  return tested(ORIEL_DEMO_AGENT);
}

}  // namespace oriel
