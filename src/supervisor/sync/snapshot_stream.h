#pragma once
// The files of a workspace as input of git fast-import. Oriel reads them itself: while it does, an
// agent may replace a directory by a link, which git would follow.

#include "base/error.h"
#include "base/time.h"
#include "posix/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace oriel {

struct SnapshotLimits {
  std::uint64_t file_bytes = 100 << 20;  // git servers accept no more
  std::uint64_t all_bytes = 1 << 30;
};

struct SnapshotCommit {
  std::string reference;  // that the commit becomes
  std::string parent;     // a commit; empty: none
  std::string message;
  WallTime time;
};

// Blocks. A file that disappears meanwhile is left out, a link is stored as a link, and nothing
// outside the workspace is read.
class SnapshotStream {
 public:
  // `names` are relative to the workspace.
  SnapshotStream(const std::filesystem::path& workspace, std::vector<std::string> names,
                 const SnapshotCommit& commit, SnapshotLimits limits);

  // The next piece, about a MiB; empty: complete. Error: workspace_failed, if a file is too large,
  // cannot be read or becomes shorter meanwhile.
  Result<std::string> next();

 private:
  Result<void> add_next(std::string& piece);
  Result<void> add_file(const std::string& name, std::string& piece);
  Result<void> add_content(std::string& piece);
  void add_link(const std::string& name, std::string& piece) const;

  FileDescriptor root_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;  // of names_
  std::string start_;     // before the first file
  const SnapshotLimits limits_;
  std::uint64_t total_ = 0;
  FileDescriptor file_;     // whose content is being read
  std::uint64_t rest_ = 0;  // of it
};

}  // namespace oriel
