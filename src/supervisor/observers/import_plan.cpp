#include "supervisor/observers/import_plan.h"

#include <boost/json/array.hpp>

#include <utility>

namespace oriel {

namespace json = boost::json;

ImportPlan plan_import(FoundTranscripts found, const KnownFiles& known, WallTime since) {
  ImportPlan plan;
  plan.is_cut = found.is_cut;
  for (FoundTranscript& file : found.files) {
    if (file.modified_at < since) {
      ++plan.files_old;
      continue;
    }
    const auto before = known.find(file.path);
    const bool is_unchanged = before != known.end() && before->second.is_unchanged(file);
    plan.files.push_back({.found = std::move(file), .is_unchanged = is_unchanged});
  }
  return plan;
}

json::object to_json(const ImportPlan& plan) {
  json::array files;
  std::uint64_t bytes = 0;
  std::uint64_t unchanged = 0;
  for (const ImportPlan::File& file : plan.files) {
    bytes += file.found.size;
    unchanged += file.is_unchanged ? 1 : 0;
    if (files.size() == ImportPlan::kMaxShown) continue;
    files.push_back({{"path", file.found.path},
                     {"size", file.found.size},
                     {"modified_at", format_time(file.found.modified_at)},
                     {"is_unchanged", file.is_unchanged}});
  }
  return {{"files", std::move(files)},   {"files_total", plan.files.size()},
          {"bytes_total", bytes},        {"files_unchanged", unchanged},
          {"files_old", plan.files_old}, {"is_cut", plan.is_cut}};
}

}  // namespace oriel
