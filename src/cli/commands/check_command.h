#pragma once
// `oriel check`: checks the journal's file, and repairs it.

#include <filesystem>
#include <iosfwd>

namespace oriel {

struct CheckOptions {
  std::filesystem::path data_dir;
  bool is_repair = false;
  bool is_json = false;
};

// Returns the exit code: 1 if the journal is damaged, or cannot be checked or repaired.
int check_command(const CheckOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
