#include "supervisor/changes/change_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <utility>

namespace oriel {
namespace {

// The next part up to a NUL, which is removed.
std::string_view take_part(std::string_view& rest) {
  const std::size_t end = rest.find('\0');
  if (end == rest.npos) throw std::invalid_argument("it ends within a name");
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return part;
}

// ":100644 100644 SHA SHA M", and the names.
FileChange take_raw(std::string_view& rest) {
  const std::string_view head = take_part(rest);
  const std::size_t space = head.rfind(' ');
  const char status = space + 1 < head.size() ? head[space + 1] : '?';
  FileChange change{.path = std::string(take_part(rest))};
  switch (status) {
    case 'A':
      change.kind = ChangeKind::kAdded;
      break;
    case 'D':
      change.kind = ChangeKind::kDeleted;
      break;
    case 'R':
      change.kind = ChangeKind::kRenamed;
      change.old_path = std::exchange(change.path, std::string(take_part(rest)));
      break;
    case 'M':
    case 'T':
      break;
    default:
      throw std::invalid_argument("unknown status " + std::string(head));
  }
  return change;
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (ec != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument("not a number");
  return number;
}

// "9\t6\tNAME", or for a renamed file "9\t6\t" and both names. "-" counts the lines of a binary.
void take_count(std::string_view& rest, std::map<std::string, FileChange>& changes) {
  std::string_view part = take_part(rest);
  const std::size_t first = part.find('\t');
  const std::size_t second = first == part.npos ? first : part.find('\t', first + 1);
  if (second == part.npos) throw std::invalid_argument("no counts");
  const std::string_view added = part.substr(0, first);
  const std::string_view removed = part.substr(first + 1, second - first - 1);
  std::string path(part.substr(second + 1));
  if (path.empty()) {
    take_part(rest);
    path = take_part(rest);
  }
  const auto found = changes.find(path);
  if (found == changes.end()) throw std::invalid_argument("counts of an unknown file");
  if (added != "-")
    found->second.lines = LineCounts{.added = number_in(added), .removed = number_in(removed)};
}

}  // namespace

std::string_view name_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kAdded:
      return "added";
    case ChangeKind::kModified:
      return "modified";
    case ChangeKind::kDeleted:
      return "deleted";
    case ChangeKind::kRenamed:
      return "renamed";
  }
  return "modified";
}

Result<std::vector<FileChange>> parse_diff_tree(std::string_view output) {
  std::map<std::string, FileChange> by_path;
  try {
    while (!output.empty()) {
      if (!output.starts_with(':')) {
        take_count(output, by_path);
        continue;
      }
      FileChange change = take_raw(output);
      std::string path = change.path;
      by_path.insert_or_assign(std::move(path), std::move(change));
    }
  } catch (const std::invalid_argument& problem) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("git's list of changes: ") + problem.what(),
                 .hint = ""};
  }
  std::vector<FileChange> changes;
  changes.reserve(by_path.size());
  for (auto& [path, change] : by_path)
    changes.push_back(std::move(change));
  return changes;
}

}  // namespace oriel
