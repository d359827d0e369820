#include "cli/commands/finding.h"

#include <algorithm>

namespace oriel {
namespace {

struct Mark {
  std::string sign;
  std::string color;
};

Mark mark_of(FindingLevel level) {
  switch (level) {
    case FindingLevel::kFine:
      return {"✓", "32"};
    case FindingLevel::kNote:
      return {"·", "33"};
    case FindingLevel::kBroken:
      break;
  }
  return {"✗", "31"};
}

}  // namespace

Finding fine(std::string subject, std::string message) {
  return {
      .level = FindingLevel::kFine, .subject = std::move(subject), .message = std::move(message)};
}

Finding note(std::string subject, std::string message, std::string remedy) {
  return {.level = FindingLevel::kNote,
          .subject = std::move(subject),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

Finding broken(std::string subject, std::string message, std::string remedy) {
  return {.level = FindingLevel::kBroken,
          .subject = std::move(subject),
          .message = std::move(message),
          .remedy = std::move(remedy)};
}

std::string format_findings(const std::vector<Finding>& findings, const Screen& screen) {
  std::size_t widest = 0;
  for (const Finding& finding : findings)
    widest = std::max(widest, display_width(printable(finding.subject)));
  std::string out;
  for (const Finding& finding : findings) {
    const Mark mark = mark_of(finding.level);
    const std::string subject = printable(finding.subject);
    out += paint(screen.is_colored, mark.color, mark.sign) + " " + subject +
           std::string(widest - display_width(subject) + 2, ' ') + printable(finding.message) +
           "\n";
    if (finding.remedy.empty()) continue;
    out += std::string(widest + 4, ' ') +
           paint(screen.is_colored, "2", "→ " + printable(finding.remedy)) + "\n";
  }
  return out;
}

}  // namespace oriel
