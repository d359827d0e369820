#include "supervisor/observers/file_import.h"

#include "base/id.h"
#include "base/text/text_hash.h"
#include "supervisor/observers/redact_observed.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kUuidLength = 36;

// By the path, until a line shows it.
TranscriptFormat format_at(std::string_view path) {
  if (path.find("/.codex/") != std::string_view::npos) return TranscriptFormat::kCodex;
  if (path.find("/.factory/") != std::string_view::npos) return TranscriptFormat::kDroid;
  return TranscriptFormat::kClaude;
}

// A hash of the first line, or of its first kHeadBytes.
std::uint64_t head_of(int descriptor) {
  std::array<char, kHeadBytes> bytes{};
  const ssize_t count = pread(descriptor, bytes.data(), bytes.size(), 0);
  const std::string_view head(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text_hash(head.substr(0, head.find('\n')));
}

// Whether all entries belong to an agent that another agent has started.
bool is_sub_agent(const std::vector<TranscriptEntry>& entries) {
  const auto is_own = [](const TranscriptEntry& entry) { return !entry.is_sidechain; };
  return !entries.empty() && std::none_of(entries.begin(), entries.end(), is_own);
}

void add_documents(const ObservedStep& step, const std::string& session_id,
                   std::vector<Document>& documents) {
  for (const Turn& turn : step.turns)
    documents.push_back(
        {.key = turn_document_key(session_id, turn.turn_id), .value = to_document(turn)});
  for (const std::string& turn_id : step.withdrawn)
    documents.push_back({.key = turn_document_key(session_id, turn_id), .value = {}});
}

}  // namespace

FileImport::FileImport(FoundTranscript found, std::optional<ImportedFile> before,
                       std::vector<ProjectSpec> projects, std::shared_ptr<const Redactor> redactor,
                       std::string node)
    : found_(std::move(found)),
      before_(std::move(before)),
      projects_(std::move(projects)),
      redactor_(std::move(redactor)),
      node_(std::move(node)),
      format_(format_at(found_.path)) {}

Result<std::string> FileImport::open(const TranscriptRoots& roots) {
  Result<FileDescriptor> opened = roots.open(found_.path);
  if (!opened) return opened.error();
  file_ = std::move(*opened);

  struct stat facts {};

  // The file may have grown since it was found, or been replaced.
  if (fstat(file_.get(), &facts) == 0) {
    found_.size = static_cast<std::uint64_t>(facts.st_size);
    if (found_.inode != facts.st_ino) found_.modified_at = {};
    found_.inode = facts.st_ino;
  }
  head_ = head_of(file_.get());
  const bool is_known = before_ && !before_->session_id.empty() && before_->head == head_ &&
                        continues(before_->offset, before_->inode);
  start_ = is_known ? before_->offset : 0;
  reader_.emplace(file_.get(), start_, found_.size, format_);
  Result<TranscriptPiece> piece = reader_->next();
  while (piece && piece->read.entries.empty() && !piece->is_last) {
    const std::uint64_t bytes = piece->bytes;
    std::vector<SkippedLine> skipped = std::move(piece->read.skipped);
    piece = reader_->next();
    if (!piece) break;
    piece->bytes += bytes;
    std::move(piece->read.skipped.begin(), piece->read.skipped.end(), std::back_inserter(skipped));
    piece->read.skipped = std::move(skipped);
  }
  if (!piece) return piece.error();
  format_ = piece->read.format.value_or(format_);
  std::string id = is_known ? before_->session_id : native_id(piece->read.entries);
  first_ = *std::move(piece);
  return {boost::system::in_place_value, std::move(id)};
}

// Whether this is the file that was read up to the offset, unchanged before it.
bool FileImport::continues(std::uint64_t offset, std::uint64_t inode) const {
  return inode == found_.inode && offset > 0 && offset <= found_.size &&
         is_line_end(file_.get(), offset);
}

std::string FileImport::native_id(const std::vector<TranscriptEntry>& entries) const {
  if (entries.empty() || is_sub_agent(entries)) return {};
  std::string id = std::filesystem::path(found_.path).stem().string();
  // Claude Code names the file after its session; lines copied into it may name another one.
  if (format_ != TranscriptFormat::kClaude) {
    const auto said = std::find_if(entries.begin(), entries.end(),
                                   [](const auto& entry) { return !entry.session_id.empty(); });
    if (said != entries.end())
      id = said->session_id;
    else if (format_ == TranscriptFormat::kCodex && id.size() > kUuidLength)
      id = id.substr(id.size() - kUuidLength);
  }
  // Oriel's own ids begin like this.
  return is_name(id) && !id.starts_with("ses_") ? id : "";
}

void FileImport::join(ObservedState session, const std::vector<Turn>& turns) {
  if (session.agent.empty()) session.agent = name_of(format_);
  const TranscriptPosition& position = session.transcript.position;
  // It was observed up to this position.
  if (start_ == 0 && position.path == found_.path && continues(position.offset, position.inode)) {
    start_ = position.offset;
    reader_.emplace(file_.get(), start_, found_.size, format_);
    first_.reset();
  }
  agent_ = std::make_unique<ObservedAgent>(std::move(session), turns);
}

Result<TranscriptPiece> FileImport::take_piece() {
  if (!first_) return reader_->next();
  TranscriptPiece piece = *std::move(first_);
  first_.reset();
  return piece;
}

void FileImport::find_project_in(const std::vector<TranscriptEntry>& entries) {
  if (!agent_->state().project_id.empty()) return;
  const auto with_cwd = std::find_if(entries.begin(), entries.end(),
                                     [](const auto& entry) { return !entry.cwd.empty(); });
  if (with_cwd != entries.end()) agent_->join_project(project_at(with_cwd->cwd, projects_));
}

Result<ImportStep> FileImport::next(Moment now) {
  Result<TranscriptPiece> piece = take_piece();
  if (!piece) return piece.error();
  ImportStep step;
  step.bytes = piece->bytes + (is_first_ ? start_ : 0);
  step.skipped = std::move(piece->read.skipped);
  step.is_last = piece->is_last;
  step.file = {.path = found_.path,
               .size = found_.size,
               .inode = found_.inode,
               .modified_at = found_.modified_at,
               .head = head_,
               .offset = piece->offset,
               .is_done = piece->is_last,
               .session_id = {}};
  if (agent_) take(std::move(piece->read.entries), now, step);
  is_first_ = false;
  // A file without turns so far is read from its beginning after a crash.
  if (step.state || step.is_last)
    step.documents.push_back(
        {.key = import_document_key(found_.path, node_), .value = to_document(step.file)});
  return step;
}

void FileImport::take(std::vector<TranscriptEntry> entries, Moment now, ImportStep& step) {
  redact(entries, *redactor_);
  find_project_in(entries);
  const ObservedState& session = agent_->state();
  const std::uint64_t before = session.turns.count;
  const EntryBatch batch{
      .entries = std::move(entries),
      .position = {.path = found_.path, .inode = found_.inode, .offset = step.file.offset},
      .is_from_start = is_first_ && start_ == 0 && before > 0,
      .is_import = true};
  const ObservedStep observed = agent_->on_entries(batch, now);
  step.turns = session.turns.count - std::min(before, session.turns.count);
  has_changes_ = has_changes_ || !observed.turns.empty();
  add_documents(observed, session.session_id, step.documents);
  if (step.is_last && has_changes_) {
    ObservedStep end = agent_->end_import(now);
    add_documents(end, session.session_id, step.documents);
    step.events = std::move(end.events);
  }
  if (session.turns.count == 0) return;
  step.state = session;
  step.file.session_id = session.session_id;
  step.documents.push_back(
      {.key = observed_document_key(session.session_id), .value = to_document(session)});
}

}  // namespace oriel
