#pragma once
// The rule by which every node judges the entries of its log: which of their proposals are stored.
// It depends on the entries and on stored documents only, so that all nodes come to the same
// result, however the entries are grouped.

#include "journal/event_log.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class ProposalVerdict {
  kStored,
  kOvertaken,  // a guard does not hold
};

struct EntryVerdict {
  bool is_passed_over = false;  // its number is not the author's next one
  std::vector<ProposalVerdict> proposals = {};
};

// How far the log has been applied, and which number of each author came last.
struct LogPosition {
  struct Author {
    std::uint64_t number = 0;
    std::uint64_t place = 0;

    bool operator==(const Author&) const = default;
  };

  Applied applied;
  std::map<std::string, Author, std::less<>> authors;
};

// What judging a batch of entries leads to: one transaction.
struct Judgement {
  NewRecords records;
  std::vector<Document> documents;
  std::vector<EntryVerdict> entries;
  LogPosition position;          // after them; part of `documents`
  std::vector<ChainMark> marks;  // passed by them, rising
};

// The key prefix of the documents that describe the log's position.
inline constexpr std::string_view kLogDocuments = "log/";

// The document from which a journal goes on after this place of a log.
Document document_of(const Applied& applied);

// The position that stored documents of kLogDocuments describe.
Applied applied_in(std::span<const Document> documents);

// The author and number of the entry at that position; none: it was passed over.
struct EntryName {
  std::string author;
  std::uint64_t number = 0;

  bool operator==(const EntryName&) const = default;
};

std::optional<EntryName> last_entry_in(std::span<const Document> documents);

// What a journal that has applied this much stores to go on in another generation of its log:
// `stored` are its documents of kLogDocuments.
std::vector<Document> documents_of_next(const Applied& applied, std::uint64_t generation,
                                        std::span<const Document> stored);

// After so many entries without one of its own, an author is forgotten.
inline constexpr std::uint64_t kAuthorMemory = 1 << 20;

// Pure. One thread.
class EntryJudge {
 public:
  // Returns the value of a stored document; empty: there is none.
  using DocumentReader = std::function<std::string(const std::string& key)>;

  explicit EntryJudge(DocumentReader read) : read_(std::move(read)) {}

  // Continues where the stored documents of kLogDocuments say.
  void restore(std::span<const Document> documents);

  // Judges the entries that follow. Changes nothing: see stored().
  Judgement judge(std::span<const Entry> entries) const;

  // The judgement has been stored.
  void stored(const Judgement& judgement) { position_ = judgement.position; }

  const Applied& applied() const { return position_.applied; }

 private:
  DocumentReader read_;
  LogPosition position_;
};

}  // namespace oriel
