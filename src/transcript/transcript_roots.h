#pragma once
// Where transcripts may be. Their paths come from outside, so only regular files below configured
// directories are ever opened, and no symbolic link leads out of them.

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// An open file, closed at the end.
class OpenFile {
 public:
  OpenFile() = default;

  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}

  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  int descriptor() const { return descriptor_; }

  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// A value: copied to whoever opens files. open() blocks.
class TranscriptRoots {
 public:
  // Absolute directories; they need not exist yet. Those of a person's agents:
  // default_transcript_roots().
  explicit TranscriptRoots(std::vector<std::string> roots);

  const std::vector<std::string>& roots() const { return roots_; }

  // Whether the path, as it is written, is absolute, without "..", below a root and ends in .jsonl.
  // Says nothing of what is there, and does not touch the disk.
  Result<std::string> check(std::string_view path) const;

  // A root, or a directory or file below one; its path as it is written. Errors: path_not_allowed
  // (outside, or a symbolic link leads out), not_found. Blocks.
  Result<std::string> check_import_path(std::string_view path) const;

  // For reading. Errors: path_not_allowed (outside the roots, a symbolic link leads out, not a
  // regular file), not_found (nothing is there yet), cannot_open.
  Result<OpenFile> open(std::string_view path) const;

 private:
  const std::string* root_of(std::string_view path) const;
  bool holds(std::string_view path) const;

  std::vector<std::string> roots_;  // as written and as they really are, without a slash at the end
};

// Below that home: .claude/projects, .codex/sessions, .factory/sessions.
std::vector<std::string> default_transcript_roots(std::string_view home);

}  // namespace oriel
