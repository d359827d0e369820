#pragma once
// What `oriel doctor` finds.

#include "cli/render/terminal.h"

#include <string>
#include <vector>

namespace oriel {

enum class FindingLevel {
  kFine,
  kNote,    // something that may be missing is missing
  kBroken,  // Oriel, or something that is there, does not work
};

struct Finding {
  FindingLevel level = FindingLevel::kFine;
  std::string subject;  // "agent droid"
  std::string message;
  std::string remedy = {};  // what to do about it; empty when fine
};

Finding fine(std::string subject, std::string message);
Finding note(std::string subject, std::string message, std::string remedy);
Finding broken(std::string subject, std::string message, std::string remedy);

// A line each, the remedy below it.
std::string format_findings(const std::vector<Finding>& findings, const Screen& screen);

}  // namespace oriel
