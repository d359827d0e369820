#include "cli/commands/doctor.h"

#include "agent/known_agents.h"
#include "cli/commands/agent_checks.h"
#include "cli/commands/server_checks.h"
#include "cli/report_error.h"
#include "posix/cgroup.h"
#include "server/agent_config.h"
#include "server/load_options.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <system_error>

namespace oriel {
namespace {

constexpr std::chrono::seconds kStartLimit{60};  // some agents take 15 s for their first start

// An empty directory to start agents in.
class EmptyDirectory {
 public:
  EmptyDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "oriel-doctor-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), "cannot create " + pattern);
    path_ = pattern;
  }

  ~EmptyDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  EmptyDirectory(const EmptyDirectory&) = delete;
  EmptyDirectory& operator=(const EmptyDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<Finding> check_agents(const DoctorOptions& options) {
  std::vector<Finding> findings;
  std::vector<AgentSpec> usable;
  for (AgentSpec agent : merge_agents(known_agents(), options.serve.agents)) {
    agent.hidden = secret_directories(options.serve);
    agent.hidden_files = secret_files(options.serve);
    agent.oriel_socket = secret_socket(options.serve);
    findings.push_back(check_agent(agent, options.path));
    if (findings.back().level == FindingLevel::kFine) usable.push_back(agent);
  }
  findings.push_back(check_any_agent(findings));
  for (const AgentSpec& agent : usable) {
    findings.push_back(check_reach(agent, own_environment()));
    if (auto memory = check_memory(agent, agent_cgroups())) findings.push_back(*std::move(memory));
  }
  if (!options.wants_start) return findings;
  const EmptyDirectory workspace;
  for (AgentSpec& agent : usable) {
    const EmptyDirectory home;
    agent.private_home = home.path();
    findings.push_back(check_start(agent, workspace.path(), kStartLimit));
  }
  return findings;
}

}  // namespace

int doctor(const DoctorOptions& options, const Screen& screen, std::ostream& out) {
  std::vector<Finding> findings = check_agents(options);
  for (const SandboxKind kind :
       {SandboxKind::kBubblewrap, SandboxKind::kPodman, SandboxKind::kDocker}) {
    findings.push_back(check_sandbox(kind, options.path));
  }
  findings.push_back(check_git(options.path));
  findings.push_back(check_data_dir(options.serve.data_dir));
  if (auto config = check_config(options.serve)) findings.push_back(*std::move(config));
  findings.push_back(check_tokens(options.serve));
  findings.push_back(check_listen(options.serve));
  out << format_findings(findings, screen) << std::flush;
  const bool is_broken = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.level == FindingLevel::kBroken;
  });
  return is_broken ? kExitFailure : 0;
}

}  // namespace oriel
