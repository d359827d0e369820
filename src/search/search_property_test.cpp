// Searches compared with a scan of everything that was said.

#include "search/search_testing.h"

#include <random>
#include <sstream>

namespace oriel {
namespace {

class R_SEARCH_2_Model : public SearchFixture {};

const std::vector<std::string> kVocabulary = {"a",    "ab", "abc", "b",   "bc", "Code",
                                              "code", "x1", "42",  "NOT", "or", "exit"};
const std::vector<std::string> kSeparators = {" ", "\n", "_", "/", ".", ", ", "\"", "*", ": "};

struct Said {
  std::string session_id;
  SearchKind kind = SearchKind::kMessage;
  Sequence sequence = 0;
  std::vector<std::string> words;
};

// Letters and digits in lower case, as the index sees words.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      words.back() += static_cast<char>(std::tolower(c));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool has_phrase(const std::vector<std::string>& text, const SearchWord& wanted) {
  const std::vector<std::string> phrase = words_of(wanted.text);
  for (std::size_t at = 0; at + phrase.size() <= text.size(); ++at) {
    bool is_match = true;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      const bool is_last = i + 1 == phrase.size();
      const std::string& word = text[at + i];
      is_match &= wanted.is_prefix && is_last ? word.starts_with(phrase[i]) : word == phrase[i];
    }
    if (is_match) return true;
  }
  return false;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }

  const std::string& one_of(const std::vector<std::string>& list) {
    return list[below(list.size())];
  }

  std::string text(std::size_t max_words) {
    std::string text;
    for (std::size_t i = below(max_words) + 1; i > 0; --i)
      text += one_of(kVocabulary) + one_of(kSeparators);
    return text;
  }

  std::string query() {
    std::string query;
    for (std::size_t i = below(3) + 1; i > 0; --i) {
      switch (below(4)) {
        case 0:
          query += "\"" + one_of(kVocabulary) + " " + one_of(kVocabulary) + "\" ";
          break;
        case 1:
          query += "ab* ";
          break;
        case 2:
          query += one_of(kVocabulary) + "_" + one_of(kVocabulary) + " ";
          break;
        default:
          query += one_of(kVocabulary) + " ";
      }
    }
    return query;
  }

 private:
  std::mt19937 random_;
};

TEST_F(R_SEARCH_2_Model, ResultsAreThoseOfAScan) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Generator generator(seed);
    is_in_memory_ = true;
    sessions_.clear();
    start({}, make_memory_engine({.max_bytes = 1 << 30}));
    std::vector<Said> said;
    for (int i = 0; i < 60; ++i) {
      Said one{.session_id = "ses_" + std::to_string(generator.below(5)), .words = {}};
      const std::string text = generator.text(8);
      switch (generator.below(3)) {
        case 0:
          one.sequence = say(one.session_id, text);
          break;
        case 1:
          one.kind = SearchKind::kToolResult;
          one.sequence =
              append(one.session_id, event::ToolResult{.id = "", .name = "", .output = text});
          break;
        default:
          one.kind = SearchKind::kError;
          one.sequence = append(one.session_id, event::TaskError{.message = text});
      }
      one.words = words_of(text);
      said.push_back(std::move(one));
    }
    SearchedSessions visible = sessions_;
    visible.erase("ses_" + std::to_string(generator.below(5)));
    for (int i = 0; i < 60; ++i) {
      const std::string text = generator.query();
      SearchQuery wanted = query(text);
      wanted.limit = 100;
      wanted.sessions = std::make_shared<const SearchedSessions>(visible);
      if (generator.below(3) == 0) wanted.kinds = {SearchKind::kError, SearchKind::kMessage};
      std::vector<Sequence> expected;
      for (auto one = said.rbegin(); one != said.rend(); ++one) {
        const bool is_kind = wanted.kinds.empty() || one->kind != SearchKind::kToolResult;
        const bool has_all = std::ranges::all_of(
            wanted.words, [&](const SearchWord& word) { return has_phrase(one->words, word); });
        if (is_kind && has_all && visible.contains(one->session_id))
          expected.push_back(one->sequence);
      }
      std::vector<Sequence> found;
      for (const SearchHit& hit : search(wanted).hits)
        found.push_back(hit.entry.sequence);
      EXPECT_EQ(found, expected) << "seed " << seed << ": " << text;
    }
    stop();
  }
}

}  // namespace
}  // namespace oriel
