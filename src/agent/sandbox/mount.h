#pragma once
// The mounts of a bubblewrap sandbox. Pure.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class MountKind {
  kReadOnly,
  kWritable,
  kEmpty,   // a private directory in memory
  kMasked,  // hides a file of the host
  kLink,    // a symbolic link to `source`
};

struct Mount {
  MountKind kind = MountKind::kReadOnly;
  std::filesystem::path target;       // as the agent sees it
  std::filesystem::path source = {};  // on this host; not for kEmpty and kMasked
  bool is_optional = false;           // left out if the source is missing

  bool operator==(const Mount&) const = default;
};

// The same path inside and outside.
Mount show(const std::filesystem::path& path);
Mount share(const std::filesystem::path& path);

// Whether `path` is `directory` or below it.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& directory);

// Whether one of the mounts shows this path of the host.
bool is_shown(const std::vector<Mount>& mounts, const std::filesystem::path& path);

// Sorted with parents before children; of two mounts with the same target, the later one is kept.
std::vector<Mount> in_order(std::vector<Mount> mounts);

// The arguments of bwrap.
std::vector<std::string> bwrap_words(const std::vector<Mount>& mounts);

}  // namespace oriel
