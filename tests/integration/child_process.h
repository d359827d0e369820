#pragma once
// A program under test. It cannot outlive its object, nor the test program if that dies.

#include "deadline.h"
#include "temp_dir.h"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Command {
  std::vector<std::string> words = {};  // the program's path, then its arguments
  Environment environment = {};         // beside the test's own, without its ORIEL_*
  std::string input = {};               // what it reads on standard input
};

// Runs in an empty directory, which is its HOME too, so that nothing on this machine configures it.
class TestProcess {
 public:
  explicit TestProcess(const Command& command);
  ~TestProcess();  // kills it
  TestProcess(const TestProcess&) = delete;
  TestProcess& operator=(const TestProcess&) = delete;

  void signal(int number);

  // Its exit code, or 128 + the signal that ended it; none if it still runs after that time.
  std::optional<int> wait_exit(Milliseconds within = kPatience);

  bool is_running() { return !wait_exit(Milliseconds{0}).has_value(); }

  pid_t pid() const { return pid_; }

  // What it has written so far.
  std::string out() const { return read_file(dir_.path() / "stdout"); }

  std::string err() const { return read_file(dir_.path() / "stderr"); }

 private:
  TempDir dir_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

struct Finished {
  int exit_code = -1;
  std::string out;
  std::string err;
};

// Runs a command to its end; throws if it does not come.
Finished run(const Command& command);

// The same for the program under test: run_oriel({"token", "list"}).
Finished run_oriel(std::vector<std::string> arguments, std::string input = {});

// `oriel` and these arguments.
Command oriel_command(std::vector<std::string> arguments);

}  // namespace oriel
