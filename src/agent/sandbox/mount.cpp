#include "agent/sandbox/mount.h"

#include <algorithm>
#include <iterator>

namespace oriel {
namespace {

std::vector<std::string> words_of(const Mount& mount) {
  const std::string target = mount.target.string();
  const std::string source = mount.source.string();
  const std::string suffix = mount.is_optional ? "-try" : "";
  switch (mount.kind) {
    case MountKind::kReadOnly:
      return {"--ro-bind" + suffix, source, target};
    case MountKind::kWritable:
      return {"--bind" + suffix, source, target};
    case MountKind::kEmpty:
      return {"--tmpfs", target};
    case MountKind::kMasked:
      return {"--ro-bind", "/dev/null", target};
    case MountKind::kLink:
      return {"--symlink", source, target};
  }
  return {};
}

}  // namespace

Mount show(const std::filesystem::path& path) {
  return {.kind = MountKind::kReadOnly, .target = path, .source = path};
}

Mount share(const std::filesystem::path& path) {
  return {.kind = MountKind::kWritable, .target = path, .source = path};
}

bool is_within(const std::filesystem::path& path, const std::filesystem::path& directory) {
  const auto [rest, ignored] =
      std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return rest == directory.end();
}

bool is_shown(const std::vector<Mount>& mounts, const std::filesystem::path& path) {
  return std::any_of(mounts.begin(), mounts.end(), [&](const Mount& mount) {
    const bool shows = mount.kind == MountKind::kReadOnly || mount.kind == MountKind::kWritable;
    return shows && is_within(path, mount.target);
  });
}

std::vector<Mount> in_order(std::vector<Mount> mounts) {
  std::stable_sort(mounts.begin(), mounts.end(),
                   [](const Mount& a, const Mount& b) { return a.target < b.target; });
  std::vector<Mount> ordered;
  for (Mount& mount : mounts) {
    if (!ordered.empty() && ordered.back().target == mount.target) ordered.pop_back();
    ordered.push_back(std::move(mount));
  }
  return ordered;
}

std::vector<std::string> bwrap_words(const std::vector<Mount>& mounts) {
  std::vector<std::string> words;
  for (const Mount& mount : mounts) {
    std::vector<std::string> more = words_of(mount);
    std::move(more.begin(), more.end(), std::back_inserter(words));
  }
  return words;
}

}  // namespace oriel
