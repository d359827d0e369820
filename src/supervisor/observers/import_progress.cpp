#include "supervisor/observers/import_progress.h"

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

json::value time_or_null(const std::optional<WallTime>& time) {
  if (!time) return nullptr;
  return json::value(format_time(*time));
}

json::object to_json(const ImportSkip& skip) {
  json::object object{{"path", skip.path}, {"offset", nullptr}, {"why", skip.why}};
  if (skip.offset) object["offset"] = *skip.offset;
  return object;
}

}  // namespace

void ImportProgress::skip(ImportSkip skip) {
  if (skip.offset) ++lines_skipped;
  if (skipped.size() < kMaxSkipped) skipped.push_back(std::move(skip));
}

json::object to_json(const ImportProgress& progress) {
  json::array skipped;
  for (const ImportSkip& skip : progress.skipped)
    skipped.push_back(to_json(skip));
  return {{"state", name_of(progress.state)},
          {"folders", json::value_from(progress.folders)},
          {"started_at", time_or_null(progress.started_at)},
          {"ended_at", time_or_null(progress.ended_at)},
          {"files_total", progress.files_total},
          {"files_done", progress.files_done},
          {"bytes_total", progress.bytes_total},
          {"bytes_done", progress.bytes_done},
          {"files_unchanged", progress.files_unchanged},
          {"files_watched", progress.files_watched},
          {"files_empty", progress.files_empty},
          {"files_failed", progress.files_failed},
          {"files_left", progress.files_left},
          {"files_old", progress.files_old},
          {"sessions", progress.sessions},
          {"turns", progress.turns},
          {"lines_skipped", progress.lines_skipped},
          {"skipped", std::move(skipped)},
          {"error", progress.error}};
}

}  // namespace oriel
