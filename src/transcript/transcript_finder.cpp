#include "transcript/transcript_finder.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

class Finder {
 public:
  void look(const fs::path& path, int depth) {
    if (++entries_ > FoundTranscripts::kMaxEntries) {
      found_.is_cut = true;
      return;
    }

    struct stat facts {};

    if (lstat(path.c_str(), &facts) != 0) return;  // removed meanwhile
    if (S_ISDIR(facts.st_mode) && depth < FoundTranscripts::kMaxDepth) list(path, depth);
    if (!S_ISREG(facts.st_mode) || path.extension() != ".jsonl") return;
    // A root may appear twice: as it is written and as its canonical path.
    if (!seen_.emplace(facts.st_dev, facts.st_ino).second) return;
    const auto since = std::chrono::seconds(facts.st_mtim.tv_sec) +
                       std::chrono::nanoseconds(facts.st_mtim.tv_nsec);
    found_.files.push_back(
        {.path = path.string(),
         .size = static_cast<std::uint64_t>(facts.st_size),
         .inode = facts.st_ino,
         .modified_at = WallTime(std::chrono::floor<std::chrono::milliseconds>(since))});
  }

  FoundTranscripts take() {
    std::sort(found_.files.begin(), found_.files.end(), [](const auto& a, const auto& b) {
      return std::tie(b.modified_at, a.path) < std::tie(a.modified_at, b.path);
    });
    return std::move(found_);
  }

 private:
  void list(const fs::path& directory, int depth) {
    std::error_code problem;
    fs::directory_iterator entries(directory, problem);
    if (problem) found_.unreadable.push_back(directory.string());
    for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
      if (found_.is_cut) return;
      look(entries->path(), depth + 1);
    }
  }

  FoundTranscripts found_;
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::size_t entries_ = 0;
};

}  // namespace

FoundTranscripts find_transcripts(const std::vector<std::string>& paths) {
  Finder finder;
  for (const std::string& start : paths) {
    std::error_code problem;
    // It was checked that such a link does not lead out of the roots.
    fs::path path = start;
    if (fs::is_symlink(path, problem)) path = fs::canonical(path, problem);
    if (!problem) finder.look(path, 0);
  }
  return finder.take();
}

}  // namespace oriel
