#pragma once
// Masks secrets in text as [redacted:NAME]: given values, well-known shapes (secret_shapes.h) and
// the operator's own patterns. Pure.

#include "base/error.h"
#include "base/text/secret_shapes.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A secret value, such as that of an environment variable.
struct SecretValue {
  std::string name;
  std::string value;

  bool operator==(const SecretValue&) const = default;
};

// A regular expression (Perl syntax) of the operator.
struct SecretPattern {
  std::string name;
  std::string expression;

  bool operator==(const SecretPattern&) const = default;
};

// Fails for a malformed expression and one that matches the empty text.
Result<void> check_pattern(const SecretPattern& pattern);

// Shorter values are not masked: they occur in ordinary text.
constexpr std::size_t kMinSecretBytes = 8;

// Immutable, so usable on any thread.
class Redactor {
 public:
  // The patterns must have passed check_pattern().
  explicit Redactor(std::vector<SecretValue> values = {},
                    const std::vector<SecretPattern>& patterns = {});
  ~Redactor();
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;

  // The text with every secret masked; none if it has no secret.
  std::optional<std::string> masked(std::string_view text) const;

  // Masks in place.
  void mask(std::string& text) const;

  // For text that continues: removes and returns the decided part, masked, and keeps the shortest
  // end that may begin a secret. `before` is the character before the text, initially NUL, and is
  // updated.
  std::string take_decided(std::string& text, char& before) const;

  // Masks a text that ends unexpectedly, including the beginning of a known value at its end.
  void mask_interrupted(std::string& text) const;

 private:
  struct Pattern;

  struct Hit {
    std::size_t at;
    std::size_t length;
    std::string_view name;
  };

  struct Scan {
    std::vector<Hit> hits;
    std::size_t decided = 0;  // where an open secret begins, else the size of the text
  };

  enum class Ending { kWhole, kContinues };

  SecretMatch match_at(std::string_view text, char before) const;
  Scan scan(std::string_view text, char before, Ending ending) const;
  static std::string apply(const std::vector<Hit>& hits, std::string_view text);
  void mark(std::string_view beginning);
  void mask_patterns(std::string_view text, std::optional<std::string>& masked) const;
  std::size_t pattern_hold(std::string_view text) const;

  std::vector<SecretValue> values_;
  std::vector<Pattern> patterns_;
  std::array<bool, 4096> beginnings_{};  // by pair_of() the first two characters of secrets
  std::array<bool, 256> firsts_{};       // the first character
};

}  // namespace oriel
