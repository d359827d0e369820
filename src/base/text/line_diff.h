#pragma once
// The difference of two texts, line by line.

#include <string_view>
#include <vector>

namespace oriel {

enum class DiffKind { kSame, kAdded, kRemoved };

struct DiffLine {
  DiffKind kind = DiffKind::kSame;
  std::string_view text;

  bool operator==(const DiffLine&) const = default;
};

// Every line of both texts. Changes of more than 1500 lines show all removed lines, then all added
// ones, to bound the time.
std::vector<DiffLine> diff_lines(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after);

}  // namespace oriel
