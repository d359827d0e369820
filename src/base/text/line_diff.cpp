#include "base/text/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace oriel {
namespace {

constexpr std::size_t kMaxCompared = 1500;

using Lines = std::span<const std::string_view>;

void append(std::vector<DiffLine>& out, DiffKind kind, Lines lines) {
  for (const std::string_view line : lines)
    out.push_back({kind, line});
}

// By the longest common subsequence: its length for each pair of rests of the two texts.
std::vector<std::uint16_t> common_lengths(Lines a, Lines b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::uint16_t> lengths((a.size() + 1) * width);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      lengths[i * width + j] =
          a[i] == b[j] ? static_cast<std::uint16_t>(lengths[(i + 1) * width + j + 1] + 1)
                       : std::max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  return lengths;
}

void append_changes(std::vector<DiffLine>& out, Lines a, Lines b) {
  if (a.empty() || b.empty() || a.size() > kMaxCompared || b.size() > kMaxCompared) {
    append(out, DiffKind::kRemoved, a);
    append(out, DiffKind::kAdded, b);
    return;
  }
  const std::vector<std::uint16_t> lengths = common_lengths(a, b);
  const std::size_t width = b.size() + 1;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      out.push_back({DiffKind::kSame, a[i]});
      ++i;
      ++j;
    } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
      out.push_back({DiffKind::kRemoved, a[i++]});
    } else {
      out.push_back({DiffKind::kAdded, b[j++]});
    }
  }
  append(out, DiffKind::kRemoved, a.subspan(i));
  append(out, DiffKind::kAdded, b.subspan(j));
}

}  // namespace

std::vector<DiffLine> diff_lines(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head])
    ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const Lines a(before);
  const Lines b(after);
  std::vector<DiffLine> out;
  append(out, DiffKind::kSame, a.first(head));
  append_changes(out, a.subspan(head, a.size() - head - tail),
                 b.subspan(head, b.size() - head - tail));
  append(out, DiffKind::kSame, a.last(tail));
  return out;
}

}  // namespace oriel
