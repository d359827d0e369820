#pragma once
// Results of the checks of `oriel doctor`.

#include "cli/render/terminal.h"

#include <string>
#include <vector>

namespace oriel {

enum class FindingLevel {
  kFine,
  kNote,    // something optional is missing
  kBroken,  // something required is missing, or something installed does not work
};

struct Finding {
  FindingLevel level = FindingLevel::kFine;
  std::string subject;  // "agent droid"
  std::string message;
  std::string remedy = {};  // empty if fine
};

Finding fine(std::string subject, std::string message);
Finding note(std::string subject, std::string message, std::string remedy);
Finding broken(std::string subject, std::string message, std::string remedy);

// One line each, with the remedy below it.
std::string format_findings(const std::vector<Finding>& findings, const Screen& screen);

}  // namespace oriel
