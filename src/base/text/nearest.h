#pragma once
// "Did you mean": finds the valid name most similar to a misspelled one.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oriel {

// A correct or common spelling of a name: {"heartbeat", "sse.heartbeat"}.
struct Spelling {
  std::string spelling;
  std::string name;
};

// The name whose spelling differs least from `word`; none when all differ in more than a third of
// their letters.
std::optional<std::string> nearest(std::string_view word, std::span<const Spelling> spellings);

// For an error's hint: "did you mean --heartbeat?", or `otherwise`.
std::string did_you_mean(const std::optional<std::string>& name, std::string otherwise);

}  // namespace oriel
