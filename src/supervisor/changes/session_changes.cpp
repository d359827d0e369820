#include "supervisor/changes/session_changes.h"

#include "base/event/event_json.h"
#include "base/text/quote.h"
#include "supervisor/changes/changes_json.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxPatchBytes = 1 << 20;     // that git writes
constexpr std::size_t kMaxRecordedBytes = 8 << 20;  // of edits
constexpr std::size_t kMaxRecordedPages = 64;
constexpr const char* kFromEvents =
    "These are the edits that the agent reported; what its commands changed is not shown.";

Error no_such_change(const std::string& path) {
  return {.kind = ErrorKind::kUnknownFile,
          .message = "path: " + quote(path) + " is not among the changes of this session",
          .hint = "GET /api/sessions/ID/changes lists them"};
}

const FileChange* find_change(const std::vector<FileChange>& files, const std::string& path) {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const FileChange& file) { return file.path == path; });
  return found == files.end() ? nullptr : &*found;
}

std::vector<std::string> paths_of(const FileChange& change) {
  if (change.old_path.empty()) return {change.path};
  return {change.old_path, change.path};
}

ChangesOrigin origin_of(const Comparison& compared) {
  ChangesOrigin origin{.source = "git",
                       .snapshot = compared.now,
                       .as_of = compared.as_of,
                       .is_current = compared.is_current,
                       .note = {},
                       .left_out = compared.left_out};
  if (!compared.is_current)
    origin.note = "The workspace cannot be read: this is the last that Oriel saw of it.";
  return origin;
}

}  // namespace

asio::awaitable<Result<ChangesAnswer>> SessionChanges::show(ChangesOf of, ChangesQuery query) {
  const SessionState& session = *of.session;
  if (session.is_observed) {
    auto showing = show_recorded(std::move(of), std::move(query),
                                 "Oriel observes this agent and takes no snapshots for it.");
    co_return co_await std::move(showing);
  }
  auto comparing = snapshots_.compare(session.session_id, session.workspace, query.snapshot);
  auto compared = co_await std::move(comparing);
  if (!compared && compared.error().kind == ErrorKind::kTooManyRequests) co_return compared.error();
  auto work =
      compared ? show_compared(std::move(of), std::move(query), *std::move(compared))
               : show_recorded(std::move(of), std::move(query),
                               "The workspace is not compared: " + compared.error().message + ".");
  co_return co_await std::move(work);
}

asio::awaitable<Result<ChangesAnswer>> SessionChanges::show_compared(ChangesOf of,
                                                                     ChangesQuery query,
                                                                     Comparison compared) {
  auto files = co_await snapshots_.list(compared);
  if (!files) co_return files.error();
  ChangesOrigin origin = origin_of(compared);
  if (query.part == ChangesPart::kFiles) {
    auto make = [of = std::move(of), origin = std::move(origin), files = *std::move(files)] {
      const auto branch = read_branch(of.session->workspace, of.link);
      return changes_json(*of.session, origin, files, branch);
    };
    auto json = co_await blocking_.run(std::move(make));
    co_return ChangesAnswer{.json = std::move(json)};
  }
  std::vector<std::string> paths;
  if (!query.path.empty()) {
    const FileChange* const change = find_change(*files, query.path);
    if (change == nullptr) co_return no_such_change(query.path);
    paths = paths_of(*change);
  }
  auto reading = snapshots_.patch(std::move(compared), std::move(paths), kMaxPatchBytes);
  auto patch = co_await std::move(reading);
  if (!patch) co_return patch.error();
  auto make = [of = std::move(of), origin = std::move(origin), path = std::move(query.path),
               patch = *std::move(patch)]() mutable {
    const bool is_cut = patch.size() == kMaxPatchBytes;
    return diff_json(*of.session, origin, path, std::move(patch), is_cut, of.redactor.get());
  };
  auto json = co_await blocking_.run(std::move(make));
  co_return ChangesAnswer{.json = std::move(json)};
}

// Events are masked already.
asio::awaitable<Result<ChangesAnswer>> SessionChanges::show_recorded(ChangesOf of,
                                                                     ChangesQuery query,
                                                                     std::string why) {
  auto reading = read_recorded(*of.session);
  const Recorded recorded = co_await std::move(reading);
  ChangesOrigin origin{.source = "events",
                       .snapshot = {},
                       .as_of = of.session->updated_at,
                       .is_current = true,
                       .note = why + " " + kFromEvents + recorded.note};
  auto make = [of = std::move(of), query = std::move(query), origin = std::move(origin),
               edits = recorded.edits]() -> Result<ChangesAnswer> {
    const std::vector<FileChange> files = edits->files();
    if (query.part == ChangesPart::kFiles)
      return ChangesAnswer{.json = changes_json(*of.session, origin, files, std::nullopt)};
    const bool is_one = !query.path.empty();
    if (is_one && find_change(files, query.path) == nullptr) return no_such_change(query.path);
    std::string patch = is_one ? edits->patch_of(query.path) : edits->patch();
    return ChangesAnswer{
        .json = diff_json(*of.session, origin, query.path, std::move(patch), false, nullptr)};
  };
  co_return co_await blocking_.run(std::move(make));
}

asio::awaitable<SessionChanges::Recorded> SessionChanges::read_recorded(
    const SessionState& session) {
  Recorded recorded{.edits = std::make_shared<RecordedEdits>(session.workspace), .note = {}};
  SessionQuery query{.session_id = session.session_id,
                     .after_index = -1,
                     .types = {"tool_call", "tool_result", "permission"},
                     .max_records = 5000,
                     .max_bytes = 4 << 20};
  for (std::size_t pages = 0;; ++pages) {
    SessionPage page = co_await journal_.read_session(query);
    if (pages == 0 && page.oldest_index > 0) recorded.note = " The oldest events are purged.";
    query.after_index = page.scanned_until;
    const bool is_last = page.records.empty() || page.scanned_until >= page.last_index;
    auto take = [edits = recorded.edits, records = std::move(page.records)] {
      for (const RecordPtr& record : records) {
        if (edits->bytes() <= kMaxRecordedBytes) edits->take(parse_event(*record));
      }
    };
    co_await blocking_.run(std::move(take));
    if (is_last) break;
    if (pages + 1 < kMaxRecordedPages && recorded.edits->bytes() <= kMaxRecordedBytes) continue;
    recorded.note += " The session has more edits than are shown.";
    break;
  }
  co_return recorded;
}

}  // namespace oriel
