#include "base/text/redactor.h"

#include "base/text/quote.h"

#include <boost/regex.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// An end that may begin a secret is not held longer: no secret is as long.
constexpr std::size_t kMaxHeldBytes = 64U << 10U;

std::string mask_of(std::string_view name) {
  return "[redacted:" + std::string(name) + "]";
}

std::size_t pair_of(char first, char second) {
  const auto a = static_cast<unsigned char>(first);
  const auto b = static_cast<unsigned char>(second);
  return ((a << 4U) ^ b) & 4095U;
}

// The value at the beginning of `text`.
SecretMatch match_value(const SecretValue& secret, std::string_view text) {
  const std::string_view value = secret.value;
  if (value.front() != text.front()) return {};
  if (text.starts_with(value)) return {.name = secret.name, .length = value.size()};
  return {.name = secret.name, .length = 0, .is_open = value.starts_with(text)};
}

}  // namespace

struct Redactor::Pattern {
  std::string name;
  boost::regex expression;
};

Result<void> check_pattern(const SecretPattern& pattern) {
  std::string problem;
  try {
    const boost::regex expression(pattern.expression, boost::regex::perl);
    if (boost::regex_match("", expression)) problem = "matches the empty text";
  } catch (const boost::regex_error& error) {
    problem = std::string("is not a regular expression: ") + error.what();
  }
  if (problem.empty()) return {};
  return Error{.kind = ErrorKind::kBadConfig,
               .message = quote(pattern.expression) + " " + problem,
               .hint = R"(write a regular expression such as "corp-[0-9a-f]{32}")"};
}

Redactor::Redactor(std::vector<SecretValue> values, const std::vector<SecretPattern>& patterns)
    : values_(std::move(values)) {
  std::erase_if(values_,
                [](const SecretValue& secret) { return secret.value.size() < kMinSecretBytes; });
  // If values begin alike, the longest one is masked.
  std::stable_sort(values_.begin(), values_.end(), [](const SecretValue& a, const SecretValue& b) {
    return a.value.size() > b.value.size();
  });
  for (const SecretValue& secret : values_)
    mark(secret.value);
  for (const std::string_view prefix : shape_prefixes())
    mark(prefix);
  for (const SecretPattern& pattern : patterns)
    patterns_.push_back({pattern.name, boost::regex(pattern.expression, boost::regex::perl)});
}

Redactor::~Redactor() = default;

void Redactor::mark(std::string_view beginning) {
  beginnings_[pair_of(beginning[0], beginning[1])] = true;
  firsts_[static_cast<unsigned char>(beginning[0])] = true;
}

// The longest secret at the beginning of `text`; open if any may be longer.
SecretMatch Redactor::match_at(std::string_view text, char before) const {
  SecretMatch best = match_shape(text, before);
  for (const SecretValue& secret : values_) {
    const SecretMatch match = match_value(secret, text);
    best.is_open = best.is_open || match.is_open;
    if (match.length <= best.length) continue;
    best.length = match.length;
    best.name = match.name;
  }
  return best;
}

Redactor::Scan Redactor::scan(std::string_view text, char before, Ending ending) const {
  Scan found{.hits = {}, .decided = text.size()};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_last = at + 1 == text.size();
    const bool is_candidate = is_last ? firsts_[static_cast<unsigned char>(text[at])]
                                      : beginnings_[pair_of(text[at], text[at + 1])];
    if (!is_candidate) continue;
    const SecretMatch match = match_at(text.substr(at), at == 0 ? before : text[at - 1]);
    if (match.is_open && ending == Ending::kContinues) {
      found.decided = at;
      break;
    }
    if (match.length == 0) continue;
    found.hits.push_back({.at = at, .length = match.length, .name = match.name});
    at += match.length - 1;
  }
  return found;
}

// Replaces each hit with its mask.
std::string Redactor::apply(const std::vector<Hit>& hits, std::string_view text) {
  std::string masked;
  std::size_t done = 0;
  for (const Hit& hit : hits) {
    masked.append(text, done, hit.at - done).append(mask_of(hit.name));
    done = hit.at + hit.length;
  }
  return masked.append(text, done);
}

std::optional<std::string> Redactor::masked(std::string_view text) const {
  const Scan found = scan(text, '\0', Ending::kWhole);
  std::optional<std::string> masked;
  if (!found.hits.empty()) masked = apply(found.hits, text);
  mask_patterns(text, masked);
  return masked;
}

void Redactor::mask(std::string& text) const {
  if (auto changed = masked(text)) text = *std::move(changed);
}

std::string Redactor::take_decided(std::string& text, char& before) const {
  Scan found = scan(text, before, Ending::kContinues);
  const std::size_t decided = std::min(found.decided, pattern_hold(text));
  const bool is_too_long = text.size() - decided > kMaxHeldBytes;
  const bool takes_all = is_too_long || decided == text.size();
  std::string taken = takes_all ? std::exchange(text, {}) : text.substr(0, decided);
  if (!takes_all) text.erase(0, taken.size());
  if (is_too_long || decided < found.decided) found = scan(taken, before, Ending::kWhole);
  if (!taken.empty()) before = taken.back();
  std::optional<std::string> masked;
  if (!found.hits.empty()) masked = apply(found.hits, taken);
  mask_patterns(taken, masked);
  if (masked) return *std::move(masked);
  return taken;
}

void Redactor::mask_interrupted(std::string& text) const {
  for (const SecretValue& secret : values_) {
    const std::size_t most = std::min(text.size(), secret.value.size() - 1);
    for (std::size_t length = most; length >= kMinSecretBytes; --length) {
      if (!text.ends_with(std::string_view(secret.value).substr(0, length))) continue;
      text.replace(text.size() - length, length, mask_of(secret.name));
      break;
    }
  }
  mask(text);
}

// Continues with `masked`, if it is set.
void Redactor::mask_patterns(std::string_view text, std::optional<std::string>& masked) const {
  for (const Pattern& pattern : patterns_) {
    try {
      const std::string_view current = masked ? std::string_view(*masked) : text;
      if (!boost::regex_search(current.begin(), current.end(), pattern.expression)) continue;
      masked = boost::regex_replace(std::string(current), pattern.expression, mask_of(pattern.name),
                                    boost::regex_constants::format_literal);
    } catch (const std::runtime_error&) {
      masked = mask_of(pattern.name);  // too complex to decide
    }
  }
}

// Where a match of a pattern begins that more text may complete or continue; else the text's size.
std::size_t Redactor::pattern_hold(std::string_view text) const {
  std::size_t hold = text.size();
  for (const Pattern& pattern : patterns_) {
    try {
      const char* const end = text.data() + text.size();
      const char* from = text.data();
      boost::cmatch match;
      while (from < end && boost::regex_search(from, end, match, pattern.expression,
                                               boost::match_default | boost::match_partial)) {
        if (match[0].second == end) {
          hold = std::min(hold, static_cast<std::size_t>(match[0].first - text.data()));
          break;
        }
        from = std::max(match[0].second, from + 1);
      }
    } catch (const std::runtime_error&) {
      return 0;
    }
  }
  return hold;
}

}  // namespace oriel
