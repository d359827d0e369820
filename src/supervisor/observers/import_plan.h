#pragma once
// The transcripts that an import reads, with the results of earlier imports. Values.

#include "base/time.h"
#include "supervisor/observers/imported_file.h"
#include "transcript/transcript_finder.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace oriel {

using KnownFiles = std::map<std::string, ImportedFile>;  // by path

struct ImportPlan {
  struct File {
    FoundTranscript found;
    bool is_unchanged = false;  // since the last import
  };

  std::vector<File> files;  // the newest first
  std::uint64_t files_old = 0;
  bool is_cut = false;  // as in FoundTranscripts

  static constexpr std::size_t kMaxShown = 1000;
};

// Reads the files that were written to since `since`.
ImportPlan plan_import(FoundTranscripts found, const KnownFiles& known, WallTime since);

boost::json::object to_json(const ImportPlan& plan);  // the first kMaxShown files, and the totals

}  // namespace oriel
