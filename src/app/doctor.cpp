#include "app/doctor.h"

#include "agent/known_agents.h"
#include "app/complain.h"
#include "app/doctor_checks.h"

#include <algorithm>
#include <ostream>

namespace oriel {

int doctor(const DoctorOptions& options, const Screen& screen, std::ostream& out) {
  std::vector<Finding> findings;
  for (const AgentSpec& agent : known_agents())
    findings.push_back(check_agent(agent, options.path));
  findings.push_back(check_any_agent(findings));
  for (const SandboxKind kind :
       {SandboxKind::kBubblewrap, SandboxKind::kPodman, SandboxKind::kDocker}) {
    findings.push_back(check_sandbox(kind, options.path));
  }
  findings.push_back(check_git(options.path));
  findings.push_back(check_data_dir(options.serve.data_dir));
  findings.push_back(check_tokens(options.serve));
  findings.push_back(check_listen(options.serve));
  out << format_findings(findings, screen) << std::flush;
  const bool is_broken = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.level == FindingLevel::kBroken;
  });
  return is_broken ? kExitFailure : 0;
}

}  // namespace oriel
