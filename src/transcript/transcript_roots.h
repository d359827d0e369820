#pragma once
// The directories in which transcripts may be. Paths come from clients, so that only regular files
// below these directories are opened, and no symbolic link leads out of them.

#include "base/error.h"
#include "posix/file_descriptor.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A value.
class TranscriptRoots {
 public:
  // Absolute directories, which need not exist yet. Reads the file system.
  explicit TranscriptRoots(std::vector<std::string> roots);

  const std::vector<std::string>& roots() const { return roots_; }

  // Checks that the path is absolute, has no "..", is below a root and ends in .jsonl; returns it
  // in its normal form. Does not touch the disk. Error: path_not_allowed.
  Result<std::string> check(std::string_view path) const;

  // Checks that the path is a root, or a directory or file below one; returns it in its normal
  // form. Errors: path_not_allowed (outside, or a symbolic link leads out), not_found. Blocks.
  Result<std::string> check_import_path(std::string_view path) const;

  // Opens a transcript for reading. Errors: path_not_allowed (outside the roots, a symbolic link
  // leads out, not a regular file), not_found, cannot_open. Blocks.
  Result<FileDescriptor> open(std::string_view path) const;

 private:
  const std::string* root_of(std::string_view path) const;
  bool contains(std::string_view path) const;

  std::vector<std::string> roots_;  // as configured and canonical, without a slash at the end
};

// Of the known agents, below a home directory.
std::vector<std::string> default_transcript_roots(std::string_view home);

}  // namespace oriel
