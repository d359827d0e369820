#include "demo/request.h"

#include "base/text/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace oriel {
namespace {

using std::string_view;
using Milliseconds = std::chrono::milliseconds;

constexpr string_view kSpace = " \t\r\n";
constexpr Milliseconds kLongestWait = std::chrono::minutes(10);

struct Verb {
  string_view word;
  DemoAction action;
};

constexpr auto kWork = std::to_array<Verb>({
    {"list", DemoAction::kList},
    {"ls", DemoAction::kList},
    {"read", DemoAction::kRead},
    {"show", DemoAction::kRead},
    {"open", DemoAction::kRead},
    {"cat", DemoAction::kRead},
    {"search", DemoAction::kSearch},
    {"find", DemoAction::kSearch},
    {"grep", DemoAction::kSearch},
    {"count", DemoAction::kCount},
    {"write", DemoAction::kWrite},
    {"create", DemoAction::kWrite},
    {"ask", DemoAction::kAsk},
    {"help", DemoAction::kHelp},
});

constexpr auto kFaults = std::to_array<Verb>({
    {"fail", DemoAction::kFail},
    {"crash", DemoAction::kCrash},
    {"exit", DemoAction::kExit},
    {"hang", DemoAction::kHang},
    {"flood", DemoAction::kFlood},
    {"babble", DemoAction::kBabble},
    {"longline", DemoAction::kLongLine},
    {"garbage", DemoAction::kGarbage},
    {"invalid-utf8", DemoAction::kInvalidUtf8},
    {"half-line", DemoAction::kHalfLine},
    {"stray", DemoAction::kStray},
});

constexpr auto kCourtesies =
    std::to_array<string_view>({"please", "hello", "hi", "can", "could", "would", "you"});
// What may stand between a verb and the thing it is about.
constexpr auto kFillers = std::to_array<string_view>(
    {"me", "the", "a", "all", "file", "files", "lines", "words", "and", "of", "in", "for", "word"});

string_view trimmed(string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

string_view first_word(string_view text) {
  return text.substr(0, text.find_first_of(kSpace));
}

string_view after_first_word(string_view text) {
  return trimmed(text.substr(first_word(text).size()));
}

string_view last_word(string_view text) {
  return text.substr(text.find_last_of(kSpace) + 1);
}

// In lower case, without the punctuation behind it.
std::string plain(string_view word) {
  return lower_case(word.substr(0, word.find_last_not_of(".,:;!?") + 1));
}

bool contains(std::span<const string_view> words, string_view word) {
  return std::find(words.begin(), words.end(), plain(word)) != words.end();
}

string_view without_leading(std::span<const string_view> words, string_view text) {
  while (!text.empty() && contains(words, first_word(text)))
    text = after_first_word(text);
  return text;
}

std::optional<DemoAction> find_action(std::span<const Verb> verbs, string_view word) {
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [name = plain(word)](Verb verb) { return verb.word == name; });
  return found == verbs.end() ? std::nullopt : std::optional(found->action);
}

std::optional<std::uint64_t> parse_number(string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// "5s", "5" or "500ms".
std::optional<Milliseconds> parse_wait(string_view text) {
  std::uint64_t unit = 1000;
  if (text.ends_with("ms")) {
    unit = 1;
    text.remove_suffix(2);
  } else if (text.ends_with("s")) {
    text.remove_suffix(1);
  }
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(kLongestWait.count());
  return Milliseconds(std::min(*number, most) * unit > most ? most : *number * unit);
}

struct Pace {
  string_view rest;  // of the prompt, without the words about it
  bool is_slow = false;
  Milliseconds wait_first = {};
};

// "slow", "slow 5s" or "slowly" at the front.
Pace leading_pace(string_view text) {
  const std::string word = plain(first_word(text));
  if (word != "slow" && word != "slowly") return {.rest = text};
  const string_view rest = after_first_word(text);
  const auto wait = parse_wait(first_word(rest));
  if (!wait) return {.rest = rest, .is_slow = true};
  return {.rest = after_first_word(rest), .is_slow = true, .wait_first = *wait};
}

// "slowly" at the end.
Pace trailing_pace(string_view text) {
  if (text.empty() || plain(last_word(text)) != "slowly") return {.rest = text};
  return {.rest = trimmed(text.substr(0, text.size() - last_word(text).size())), .is_slow = true};
}

string_view unquoted(string_view text) {
  for (const char mark : {'"', '\'', '`'}) {
    if (text.size() >= 2 && text.front() == mark && text.back() == mark) {
      return text.substr(1, text.size() - 2);
    }
  }
  return text;
}

// Any word may be searched for, so that only what others follow is a filler.
string_view searched_words(string_view rest) {
  constexpr auto kIntroductions = std::to_array<string_view>({"for", "the", "word"});
  while (contains(kIntroductions, first_word(rest)) && !after_first_word(rest).empty())
    rest = after_first_word(rest);
  return rest;
}

// "- /path (type, 12 bytes)" of each line below "Attached files:".
std::vector<std::string> attached_files(string_view prompt) {
  constexpr string_view kHeading = "\n\nAttached files:\n";
  std::vector<std::string> files;
  const std::size_t heading = prompt.rfind(kHeading);
  if (heading == prompt.npos) return files;
  for (string_view rest = prompt.substr(heading + kHeading.size()); !rest.empty();) {
    const string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t facts = line.rfind(" (");
    if (line.starts_with("- /") && facts != line.npos)
      files.emplace_back(line.substr(2, facts - 2));
  }
  return files;
}

}  // namespace

DemoRequest understand(string_view prompt) {
  if (std::vector<std::string> files = attached_files(prompt); !files.empty())
    return {.action = DemoAction::kReadAttached, .files = std::move(files)};
  const Pace pace = leading_pace(without_leading(kCourtesies, trimmed(prompt)));
  const string_view verb = first_word(pace.rest);
  const string_view rest = after_first_word(pace.rest);
  DemoRequest request{.is_slow = pace.is_slow, .wait_first = pace.wait_first};
  if (const auto fault = find_action(kFaults, verb)) {
    request.amount = parse_number(rest);
    if (rest.empty() || request.amount) request.action = *fault;
    return request;
  }
  request.action = find_action(kWork, verb).value_or(DemoAction::kOverview);
  if (request.action == DemoAction::kOverview) {
    request.is_slow |= trailing_pace(rest).is_slow;
  } else if (request.action == DemoAction::kSearch) {
    request.subject = unquoted(searched_words(rest));
  } else if (request.action == DemoAction::kWrite) {
    const string_view file_and_text = without_leading(kFillers, rest);
    const std::size_t colon = std::min(file_and_text.find(':'), file_and_text.size());
    request.subject = unquoted(trimmed(file_and_text.substr(0, colon)));
    request.text = trimmed(file_and_text.substr(std::min(colon + 1, file_and_text.size())));
  } else {
    const Pace last = trailing_pace(rest);
    request.is_slow |= last.is_slow;
    request.subject = unquoted(without_leading(kFillers, last.rest));
  }
  return request;
}

}  // namespace oriel
