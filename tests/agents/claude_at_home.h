#pragma once
// Claude Code as a person starts it, in a home of its own, with `oriel hooks install` in its
// settings and a scripted model.

#include "agent_fixture.h"
#include "child_process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

// Skips its tests where Claude Code is not installed; a failure where it is needed.
class ClaudeCodeTest : public testing::Test {
 protected:
  void SetUp() override;
};

class ClaudeAtHome {
 public:
  explicit ClaudeAtHome(std::filesystem::path home);

  // Its hooks go to this server. Throws if they cannot be installed.
  void install_hooks(const std::string& server_url) const;

  // `claude -p PROMPT` with further arguments, in project(), with nothing of the test's
  // environment.
  Command print_mode(const std::string& prompt, const std::vector<std::string>& more = {}) const;

  std::filesystem::path project() const { return home_ / "project"; }

  std::filesystem::path transcripts() const { return home_ / ".claude/projects"; }

 private:
  std::filesystem::path home_;
  ModelServer model_;
};

}  // namespace oriel
