#pragma once
// The import of one transcript: finds its session, and creates turns piece by piece. Blocks.

#include "base/text/redactor.h"
#include "journal/journal_engine.h"
#include "observed/observed_agent.h"
#include "supervisor/observers/imported_file.h"
#include "supervisor/sessions/workspace.h"
#include "transcript/transcript_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// The outcome of one piece, stored in one append.
struct ImportStep {
  std::vector<SessionEvent> events;
  std::vector<Document> documents;
  std::optional<ObservedState> state;  // of the session after the piece; none: it has no turns
  ImportedFile file;                   // after the piece; also among the documents
  std::uint64_t bytes = 0;             // read
  std::uint64_t turns = 0;             // new
  std::vector<SkippedLine> skipped;
  bool is_last = false;
};

// Used by one thread at a time.
class FileImport {
 public:
  // `before` is the record of the last import; `node` is this one's name in a cluster.
  FileImport(FoundTranscript found, std::optional<ImportedFile> before,
             std::vector<ProjectSpec> projects, std::shared_ptr<const Redactor> redactor,
             std::string node = {});

  // Returns the agent's own id of the session. Empty: the file has none, because it belongs to a
  // sub-agent or has no entries. Errors as of TranscriptRoots::open, cannot_read.
  Result<std::string> open(const TranscriptRoots& roots);

  // Sets the session and its turns; a new session has its ids only.
  void join(ObservedState session, const std::vector<Turn>& turns);

  // The next piece, until the last; after join() if the file has a session. Without one the steps
  // only remember the file.
  Result<ImportStep> next(Moment now);

 private:
  bool continues(std::uint64_t offset, std::uint64_t inode) const;
  Result<TranscriptPiece> take_piece();
  std::string native_id(const std::vector<TranscriptEntry>& entries) const;
  void find_project_in(const std::vector<TranscriptEntry>& entries);
  void take(std::vector<TranscriptEntry> entries, Moment now, ImportStep& step);

  FoundTranscript found_;
  std::optional<ImportedFile> before_;
  std::vector<ProjectSpec> projects_;
  std::shared_ptr<const Redactor> redactor_;
  std::string node_;
  FileDescriptor file_;
  std::uint64_t head_ = 0;
  std::uint64_t start_ = 0;  // offset of the first byte that is read
  TranscriptFormat format_ = TranscriptFormat::kClaude;
  std::optional<TranscriptReader> reader_;
  std::optional<TranscriptPiece> first_;  // read by open(), not taken yet
  std::unique_ptr<ObservedAgent> agent_;  // null: the file has no session
  bool is_first_ = true;
  bool has_changes_ = false;  // a turn is new or has changed
};

}  // namespace oriel
