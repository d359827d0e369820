#include "base/text/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace oriel {
namespace {

constexpr std::size_t kMaxWord = 64;  // longer ones are no typing errors

// Levenshtein: how many letters must be added, left out or changed.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const Spelling> spellings) {
  if (word.size() > kMaxWord) return std::nullopt;
  const Spelling* best = nullptr;
  std::size_t best_distance = 0;
  for (const Spelling& candidate : spellings) {
    const std::size_t distance = edit_distance(word, candidate.spelling);
    const std::size_t allowed = std::max<std::size_t>(1, candidate.spelling.size() / 3);
    if (distance > allowed || (best != nullptr && distance >= best_distance)) continue;
    best = &candidate;
    best_distance = distance;
  }
  if (best == nullptr) return std::nullopt;
  return best->name;
}

std::string did_you_mean(const std::optional<std::string>& name, std::string otherwise) {
  return name ? "did you mean " + *name + "?" : std::move(otherwise);
}

}  // namespace oriel
