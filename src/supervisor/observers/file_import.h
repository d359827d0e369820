#pragma once
// One transcript on its way in: opened, known by what it says of itself, and read piece by piece
// into the turns of its session. All blocks, and nothing of it knows the journal.

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

// What follows from a piece: to be stored in one append.
struct ImportStep {
  std::vector<SessionEvent> events;
  std::vector<Document> documents;
  std::optional<ObservedState> state;  // of the session, as it is then; none: there is none
  ImportedFile file;                   // likewise; one of the documents
  std::uint64_t bytes = 0;             // of the file
  std::uint64_t turns = 0;             // new ones
  std::vector<SkippedLine> skipped;
  bool is_last = false;
};

// Used by one thread at a time.
class FileImport {
 public:
  // `before` is what the last import knew of it.
  FileImport(FoundTranscript found, std::optional<ImportedFile> before,
             std::vector<ProjectSpec> projects);

  // The agent's own id of the session that it is of; empty: it is of none (a sub-agent's, or
  // without a word). Errors as of TranscriptRoots::open, cannot_read.
  Result<std::string> open(const TranscriptRoots& roots);

  // The session and its turns as they are known; a new one has its ids alone.
  void join(ObservedState session, const std::vector<Turn>& turns);

  // Reads on, after join(), until the last step. Of a file without a session: what there is to
  // remember of it.
  Result<ImportStep> next(Moment now);

 private:
  bool goes_on(std::uint64_t offset, std::uint64_t inode) const;
  Result<TranscriptPiece> take_piece();
  std::string native_id(const std::vector<TranscriptEntry>& entries) const;
  void find_project_in(const std::vector<TranscriptEntry>& entries);
  void take(std::vector<TranscriptEntry> entries, Moment now, ImportStep& step);

  FoundTranscript found_;
  std::optional<ImportedFile> before_;
  std::vector<ProjectSpec> projects_;
  FileDescriptor file_;
  std::uint64_t head_ = 0;
  std::uint64_t start_ = 0;  // where reading began
  TranscriptFormat format_ = TranscriptFormat::kClaude;
  std::optional<TranscriptReader> reader_;
  std::optional<TranscriptPiece> first_;  // read to know whose it is, and not taken yet
  std::unique_ptr<ObservedAgent> agent_;  // none: it is of no session
  bool is_first_ = true;
  bool has_news_ = false;  // a turn is new or has changed
};

}  // namespace oriel
