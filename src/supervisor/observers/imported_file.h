#pragma once
// The stored record of an imported transcript, so that the next import reads only new lines.

#include "base/error.h"
#include "transcript/transcript_finder.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

struct ImportedFile {
  std::string path;
  std::uint64_t size = 0;  // as of inode and modified_at: when it was opened
  std::uint64_t inode = 0;
  WallTime modified_at;
  std::uint64_t head = 0;    // hash of its beginning: Droid rewrites its first line
  std::uint64_t offset = 0;  // behind the last line that was read
  bool is_done = false;      // read to its end
  std::string session_id;    // Oriel's; empty: it has no turns

  bool operator==(const ImportedFile&) const = default;

  // Whether it was read to its end and has not changed since.
  bool is_unchanged(const FoundTranscript& found) const;
};

// "imports/<hash of the path>"; in a cluster "imports/<node>/<hash of the path>", because each node
// has its own files.
std::string import_document_key(std::string_view path, std::string_view node = {});

// The prefix of these keys.
std::string import_documents(std::string_view node = {});

std::string to_document(const ImportedFile& file);
Result<ImportedFile> parse_import_document(std::string_view text);

}  // namespace oriel
