#include "journal/entry_judge.h"

#include "base/failpoint.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kAppliedDocument = "log/applied";
constexpr std::string_view kAuthorDocuments = "log/author/";
constexpr std::uint64_t kForgetEvery = 1 << 12;  // entries

// 0 if it is not one.
std::uint64_t parse_number(std::string_view text, int base) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

Applied parse_applied(std::string_view text) {
  const json::object body = parse_object(text);
  // Journals from before generations do not name theirs.
  return {.log = text_at(body, "log"),
          .generation = std::max<std::uint64_t>(parse_number(text_at(body, "generation"), 10), 1),
          .place = parse_number(text_at(body, "place"), 10),
          .chain = parse_number(text_at(body, "chain"), 16)};
}

std::string to_document(const LogPosition::Author& author) {
  return std::to_string(author.number) + " " + std::to_string(author.place);
}

LogPosition::Author parse_author(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const std::string_view place = text.substr(std::min(space + 1, text.size()));
  return {.number = parse_number(text.substr(0, space), 10), .place = parse_number(place, 10)};
}

// Also covers what became of the entry: nodes that judge differently must notice.
std::uint64_t next_chain(std::uint64_t chain, const Entry& entry, const EntryVerdict& verdict) {
  std::string link = hex(entry.digest);
  link += verdict.is_passed_over ? '-' : '+';
  for (const ProposalVerdict each : verdict.proposals)
    link += each == ProposalVerdict::kStored ? '1' : '0';
  return text_hash(link, chain);
}

// Judges the entries of one batch, with the documents that earlier ones of them have put.
class BatchJudge {
 public:
  BatchJudge(const EntryJudge::DocumentReader& read, const LogPosition& position)
      : read_(read), before_(position) {
    judgement_.position = position;
  }

  void judge(const Entry& entry) {
    EntryVerdict verdict;
    const bool is_shared = !entry.author.empty();
    if (is_shared) verdict.is_passed_over = !is_next(entry);
    if (!verdict.is_passed_over) {
      verdict.proposals.reserve(entry.proposals.size());
      for (const Proposal& proposal : entry.proposals)
        verdict.proposals.push_back(judge(proposal));
    }
    if (is_shared) advance(entry, verdict);
    judgement_.entries.push_back(std::move(verdict));
  }

  Judgement take() {
    if (judgement_.position.applied != before_.applied) {
      put_position();
    }
    return std::move(judgement_);
  }

 private:
  bool is_next(const Entry& entry) const {
    const auto known = judgement_.position.authors.find(entry.author);
    const std::uint64_t last =
        known == judgement_.position.authors.end() ? 0 : known->second.number;
    if (ORIEL_MUTANT(kStoreRepetitions) && entry.number <= last) return true;
    return entry.number == last + 1;
  }

  ProposalVerdict judge(const Proposal& proposal) {
    for (const Guard& guard : proposal.guards) {
      if (value_of(guard.key) != guard.value) return ProposalVerdict::kOvertaken;
    }
    judgement_.records.insert(judgement_.records.end(), proposal.records.begin(),
                              proposal.records.end());
    for (const Document& document : proposal.documents) {
      if (has_guards_) written_[document.key] = document.value;
      judgement_.documents.push_back(document);
    }
    return ProposalVerdict::kStored;
  }

  std::string value_of(const std::string& key) {
    if (!has_guards_) {
      // The first guard of the batch: from now on, what the batch writes is looked up.
      has_guards_ = true;
      for (const Document& document : judgement_.documents)
        written_[document.key] = document.value;
    }
    const auto written = written_.find(key);
    return written == written_.end() ? read_(key) : written->second;
  }

  void advance(const Entry& entry, const EntryVerdict& verdict) {
    LogPosition& position = judgement_.position;
    position.applied.place = entry.place;
    position.applied.chain = next_chain(position.applied.chain, entry, verdict);
    if (!verdict.is_passed_over) {
      position.authors.insert_or_assign(
          entry.author, LogPosition::Author{.number = entry.number, .place = entry.place});
    }
    if (entry.place % kChainMarkEvery == 0) {
      judgement_.marks.push_back({.place = entry.place, .chain = position.applied.chain});
    }
    if (entry.place % kForgetEvery == 0) forget_authors(entry.place);
  }

  void forget_authors(std::uint64_t place) {
    std::erase_if(judgement_.position.authors,
                  [&](const auto& known) { return known.second.place + kAuthorMemory < place; });
  }

  void put_position() {
    const LogPosition& after = judgement_.position;
    judgement_.documents.push_back(document_of(after.applied));
    for (const auto& [name, author] : after.authors) {
      const auto known = before_.authors.find(name);
      if (known == before_.authors.end() || known->second != author)
        judgement_.documents.push_back({key_of(name), to_document(author)});
    }
    for (const auto& [name, author] : before_.authors) {
      if (!after.authors.contains(name)) judgement_.documents.push_back({key_of(name), {}});
    }
  }

  static std::string key_of(std::string_view author) {
    return std::string(kAuthorDocuments) + std::string(author);
  }

  const EntryJudge::DocumentReader& read_;
  const LogPosition& before_;
  Judgement judgement_;
  bool has_guards_ = false;
  std::map<std::string, std::string> written_;  // by this batch, once it has guards
};

}  // namespace

Document document_of(const Applied& applied) {
  // As text: JSON numbers lose precision beyond 2^53.
  const json::object value{{"log", applied.log},
                           {"generation", std::to_string(applied.generation)},
                           {"place", std::to_string(applied.place)},
                           {"chain", hex(applied.chain)}};
  return {.key = std::string(kAppliedDocument), .value = json_text(value)};
}

Applied applied_in(std::span<const Document> documents) {
  EntryJudge judge({});
  judge.restore(documents);
  return judge.applied();
}

std::optional<EntryName> last_entry_in(std::span<const Document> documents) {
  const std::uint64_t place = applied_in(documents).place;
  for (const Document& document : documents) {
    if (!document.key.starts_with(kAuthorDocuments)) continue;
    const LogPosition::Author author = parse_author(document.value);
    if (author.place == place)
      return EntryName{.author = document.key.substr(kAuthorDocuments.size()),
                       .number = author.number};
  }
  return std::nullopt;
}

std::vector<Document> documents_of_next(const Applied& applied, std::uint64_t generation,
                                        std::span<const Document> stored) {
  std::vector<Document> documents{
      document_of({.log = applied.log, .generation = generation, .chain = applied.chain})};
  // Places of the earlier generation mean nothing in this one.
  for (const Document& document : stored) {
    if (document.key.starts_with(kAuthorDocuments)) documents.push_back({document.key, {}});
  }
  return documents;
}

void EntryJudge::restore(std::span<const Document> documents) {
  position_ = {};
  for (const Document& document : documents) {
    const std::string_view key = document.key;
    if (key == kAppliedDocument) position_.applied = parse_applied(document.value);
    if (!key.starts_with(kAuthorDocuments)) continue;
    const std::string name(key.substr(kAuthorDocuments.size()));
    position_.authors.emplace(name, parse_author(document.value));
  }
}

Judgement EntryJudge::judge(std::span<const Entry> entries) const {
  BatchJudge batch(read_, position_);
  for (const Entry& entry : entries)
    batch.judge(entry);
  return batch.take();
}

}  // namespace oriel
