#include "claude_at_home.h"

#include <cstdlib>
#include <stdexcept>

namespace oriel {

namespace fs = std::filesystem;

void ClaudeCodeTest::SetUp() {
  const std::string problem = why_not_installed(claude());
  if (problem.empty()) return;
  if (std::getenv("ORIEL_AGENTS_NEEDED") != nullptr) FAIL() << problem;
  GTEST_SKIP() << problem;
}

ClaudeAtHome::ClaudeAtHome(fs::path home) : home_(std::move(home)), model_("127.0.0.1") {
  fs::create_directories(project());
  fs::create_directories(transcripts());
  write_file(project() / "notes.txt", "alpha\n");
  write_file(home_ / ".claude/settings.json",
             R"-({"permissions": {"allow": ["Bash(cat:*)", "Bash(sleep:*)"]}})-");
}

void ClaudeAtHome::install_hooks(const std::string& server_url) const {
  const Finished installed = run_oriel(
      {"hooks", "install", "--settings", home_ / ".claude/settings.json", "--url", server_url});
  if (installed.exit_code != 0) throw std::runtime_error("oriel hooks install: " + installed.err);
}

Command ClaudeAtHome::print_mode(const std::string& prompt,
                                 const std::vector<std::string>& more) const {
  std::vector<std::string> words = {
      "/usr/bin/env", "-i", "-C", project(), "PATH=/usr/bin:/bin", "HOME=" + home_.string()};
  for (const auto& [name, value] : claude().settle(home_, model_.url()))
    words.push_back(name + "=" + value);
  words.insert(words.end(), {claude().program, "-p", prompt});
  words.insert(words.end(), more.begin(), more.end());
  return {.words = std::move(words), .environment = {}, .input = {}};
}

}  // namespace oriel
