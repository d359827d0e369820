#pragma once
// The files of a workspace as input of git fast-import. Oriel reads them itself: while it does, an
// agent may replace a directory by a link, which git would follow.

#include "base/error.h"
#include "base/time.h"
#include "posix/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace oriel {

// What happens to a file that is too large or cannot be read.
enum class UnfitFile { kFails, kIsLeftOut };

struct SnapshotLimits {
  std::uint64_t file_bytes = 100 << 20;  // git servers accept no more
  std::uint64_t all_bytes = 1 << 30;
  std::size_t files = std::numeric_limits<std::size_t>::max();
  UnfitFile unfit = UnfitFile::kFails;
};

struct SnapshotCommit {
  std::string reference;  // that the commit becomes
  std::string parent;     // a commit; empty: none
  std::string message;
  WallTime time;
};

// Blocks. A file that disappears meanwhile is no part of it, a link is stored as a link, and
// nothing outside the workspace is read.
class SnapshotStream {
 public:
  // `names` are relative to the workspace.
  SnapshotStream(const std::filesystem::path& workspace, std::vector<std::string> names,
                 const SnapshotCommit& commit, SnapshotLimits limits);

  // The next piece, about a MiB; empty: complete. Error: workspace_failed, if a file is too large,
  // cannot be read or becomes shorter meanwhile.
  Result<std::string> next();

  // The names of files that did not fit.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  Result<void> add_next(std::string& piece);
  Result<void> add_file(const std::string& name, std::string& piece);
  Result<void> add_content(std::string& piece);
  Result<void> leave_out(const std::string& name, const std::string& problem);
  void add_link(const std::string& name, std::string& piece) const;

  FileDescriptor root_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;  // of names_
  std::string start_;     // before the first file
  const SnapshotLimits limits_;
  std::uint64_t total_ = 0;
  FileDescriptor file_;     // whose content is being read
  std::uint64_t rest_ = 0;  // of it
  std::vector<std::string> left_out_;
};

}  // namespace oriel
