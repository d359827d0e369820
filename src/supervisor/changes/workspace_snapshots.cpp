#include "supervisor/changes/workspace_snapshots.h"

#include "base/log.h"
#include "base/text/text_hash.h"
#include "supervisor/now.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxReads = 2;
constexpr std::size_t kMaxWaiting = 64;
constexpr std::size_t kMaxListed = 16 << 20;  // bytes of git's list
constexpr std::string_view kRecordSuffix = ".json";

// Git knows the empty tree without having it.
constexpr const char* kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

std::string reference_of(const std::string& session_id, const char* which) {
  return "refs/oriel/" + session_id + "/" + which;
}

fs::path record_of(const fs::path& place, const std::string& session_id) {
  return place / (session_id + std::string(kRecordSuffix));
}

Error no_snapshot(const std::string& problem) {
  return {.kind = ErrorKind::kWorkspaceFailed, .message = problem, .hint = ""};
}

LeftOut left_out_of(std::vector<std::string> paths) {
  LeftOut left_out{.paths = {}, .count = paths.size()};
  paths.resize(std::min(paths.size(), kMaxLeftOutPaths));
  left_out.paths = std::move(paths);
  return left_out;
}

bool is_empty_directory(const fs::path& directory) {
  std::error_code ec;
  const bool is_empty = fs::is_empty(directory, ec);
  return !ec && is_empty;
}

std::vector<std::string> diff_words(const char* form, const Comparison& compared) {
  return {"--literal-pathspecs", "diff-tree",  "-r", "-M",           "--no-ext-diff",
          "--no-textconv",       "--no-color", form, compared.start, compared.now};
}

// Removes the record, and the repository if no other session uses it. Returns whether it is used.
bool remove_record(const fs::path& place, const std::string& session_id) {
  std::error_code ec;
  fs::remove(record_of(place, session_id), ec);
  for (const fs::directory_entry& entry : fs::directory_iterator(place, ec)) {
    if (entry.path().extension() == kRecordSuffix) return true;
  }
  fs::remove_all(place, ec);
  return false;
}

}  // namespace

WorkspaceSnapshots::WorkspaceSnapshots(const asio::any_io_executor& shard, SnapshotOptions options)
    : options_(std::move(options)), slots_(shard, kMaxReads, kMaxWaiting) {}

asio::awaitable<void> WorkspaceSnapshots::take_start(std::string session_id, fs::path workspace) {
  if (options_.directory.empty()) co_return;
  const fs::path place = place_of(workspace);
  const fs::path file = record_of(place, session_id);
  // So that nobody removes the repository meanwhile.
  SnapshotRecord record{.problem = "the snapshot of the start was interrupted"};
  auto announce = [file, record] { return write_snapshot_record(file, record); };
  co_await blocking_.run(std::move(announce));
  record.problem.clear();
  auto look = [workspace] { return is_empty_directory(workspace); };
  record.is_empty = co_await blocking_.run(std::move(look));
  if (options_.max_bytes == 0) {
    record.problem = "snapshots of workspaces are switched off (--max-snapshot-bytes 0)";
  } else if (!record.is_empty) {
    std::string reference = reference_of(session_id, "start");
    auto taking = take(place / "git", std::move(workspace), std::move(reference), wall_now(),
                       options_.start_limit);
    auto taken = co_await std::move(taking);
    if (taken)
      record.start_left_out = *std::move(taken);
    else
      record.problem = taken.error().message;
  }
  if (!record.problem.empty())
    log()->info("session {}: no snapshot of its workspace: {}", session_id, record.problem);
  auto write = [file, record = std::move(record)] { return write_snapshot_record(file, record); };
  const auto written = co_await blocking_.run(std::move(write));
  if (!written) log()->warn("session {}: {}", session_id, describe(written.error()));
}

asio::awaitable<Result<Comparison>> WorkspaceSnapshots::compare(std::string session_id,
                                                                fs::path workspace,
                                                                std::string snapshot) {
  if (options_.directory.empty()) co_return no_snapshot("snapshots are switched off");
  const SteadyTime arrived = now().steady;
  const fs::path place = place_of(workspace);
  const fs::path file = record_of(place, session_id);
  auto slot = co_await slots_.take();
  if (!slot) co_return slot.error();
  auto read = [file] { return read_snapshot_record(file); };
  auto record = co_await blocking_.run(read);
  if (!record) co_return record.error();
  if (!*record) co_return no_snapshot("this node has no snapshot of it at the start");
  if (!(*record)->problem.empty()) co_return no_snapshot((*record)->problem);
  std::string problem;
  const auto last = last_started_.find(session_id);
  const bool is_fresh = last != last_started_.end() && last->second >= arrived;
  const bool is_wanted = !snapshot.empty() && (*record)->now == snapshot;
  if (!is_fresh && !is_wanted) {
    last_started_[session_id] = now().steady;
    auto taking = take_now(session_id, std::move(workspace));
    const auto taken = co_await std::move(taking);
    if (!taken) problem = taken.error().message;
    record = co_await blocking_.run(read);
    if (!record) co_return record.error();
  }
  if (!*record || (*record)->now.empty()) co_return no_snapshot(problem);
  const SnapshotRecord& known = **record;
  Comparison compared{.repository = place / "git",
                      .start = known.is_empty ? kEmptyTree : reference_of(session_id, "start"),
                      .now = known.now,
                      .as_of = known.now_time.value_or(WallTime()),
                      .is_current = problem.empty(),
                      .left_out = known.now_left_out};
  compared.left_out.count += known.start_left_out.count;
  for (const std::string& path : known.start_left_out.paths) {
    auto& paths = compared.left_out.paths;
    if (std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
    else
      --compared.left_out.count;
  }
  co_return compared;
}

asio::awaitable<Result<void>> WorkspaceSnapshots::take_now(std::string session_id,
                                                           fs::path workspace) {
  const fs::path place = place_of(workspace);
  const WallTime time = wall_now();
  std::string reference = reference_of(session_id, "now");
  auto taking = take(place / "git", std::move(workspace), reference, time, options_.read_limit);
  auto left_out = co_await std::move(taking);
  if (!left_out) co_return left_out.error();
  BareRepository repository = open(place / "git", options_.read_limit);
  std::vector<std::string> resolve = {"rev-parse", "--verify", "--quiet", std::move(reference)};
  auto resolving = repository.git(std::move(resolve));
  auto commit = co_await std::move(resolving);
  if (!commit) co_return commit.error();
  std::vector<std::string> tidy = {"gc", "--auto", "--quiet"};
  auto tidying = repository.git(std::move(tidy));
  co_await std::move(tidying);
  auto note = [file = record_of(place, session_id), commit = *std::move(commit), time,
               left_out = *std::move(left_out)]() -> Result<void> {
    auto record = read_snapshot_record(file);
    if (!record) return record.error();
    if (!*record) return no_snapshot("the session is gone");
    (*record)->now = std::string(trimmed(commit));
    (*record)->now_time = time;
    (*record)->now_left_out = left_out;
    return write_snapshot_record(file, **record);
  };
  co_return co_await blocking_.run(std::move(note));
}

asio::awaitable<Result<LeftOut>> WorkspaceSnapshots::take(fs::path repository_directory,
                                                          fs::path workspace, std::string reference,
                                                          WallTime time,
                                                          std::chrono::milliseconds limit) {
  BareRepository repository = open(repository_directory, limit);
  auto look = [head = repository_directory / "HEAD"] {
    std::error_code ec;
    return fs::exists(head, ec);
  };
  if (!co_await blocking_.run(std::move(look))) {
    const auto made = co_await repository.make();
    if (!made) co_return made.error();
  }
  SnapshotCommit commit{.reference = std::move(reference),
                        .parent = {},
                        .message = "Snapshot of a workspace",
                        .time = time};
  auto taking = repository.take_snapshot(std::move(workspace), std::move(commit));
  auto left_out = co_await std::move(taking);
  if (!left_out) co_return left_out.error();
  co_return left_out_of(*std::move(left_out));
}

asio::awaitable<Result<std::vector<FileChange>>> WorkspaceSnapshots::list(Comparison compared) {
  std::vector<std::string> words = diff_words("-z", compared);
  words.insert(words.begin() + 2, {"--raw", "--numstat"});
  BareRepository repository = open(compared.repository, options_.read_limit);
  ProgramPipe pipe{.max_output = kMaxListed};
  auto running = repository.git(std::move(words), std::move(pipe));
  auto listed = co_await std::move(running);
  if (!listed) co_return listed.error();
  auto parse = [output = *std::move(listed), left_out = std::move(compared.left_out)] {
    auto changes = parse_diff_tree(output);
    if (!changes) return changes;
    // What is left out now may have been small before: it is not deleted.
    std::erase_if(*changes, [&](const FileChange& change) {
      const auto& paths = left_out.paths;
      return change.kind == ChangeKind::kDeleted &&
             std::find(paths.begin(), paths.end(), change.path) != paths.end();
    });
    return changes;
  };
  co_return co_await blocking_.run(std::move(parse));
}

asio::awaitable<Result<std::string>> WorkspaceSnapshots::patch(Comparison compared,
                                                               std::vector<std::string> paths,
                                                               std::size_t max_bytes) {
  std::vector<std::string> words = diff_words("--patch", compared);
  words.emplace_back("--");
  std::move(paths.begin(), paths.end(), std::back_inserter(words));
  BareRepository repository = open(compared.repository, options_.read_limit);
  ProgramPipe pipe{.max_output = max_bytes, .cuts_output = true};
  auto running = repository.git(std::move(words), std::move(pipe));
  co_return co_await std::move(running);
}

asio::awaitable<void> WorkspaceSnapshots::forget(std::string session_id, fs::path workspace) {
  if (options_.directory.empty()) co_return;
  last_started_.erase(session_id);
  const fs::path place = place_of(workspace);
  auto remove = [place, session_id] { return remove_record(place, session_id); };
  if (!co_await blocking_.run(std::move(remove))) co_return;
  BareRepository repository = open(place / "git", options_.read_limit);
  for (const char* which : {"start", "now"}) {
    std::vector<std::string> words = {"update-ref", "-d", reference_of(session_id, which)};
    auto running = repository.git(std::move(words));
    co_await std::move(running);
  }
}

asio::awaitable<void> WorkspaceSnapshots::forget_unknown(
    std::function<bool(const std::string& id)> is_session) {
  auto look = [directory = options_.directory, is_session = std::move(is_session)] {
    std::error_code ec;
    for (const fs::directory_entry& place : fs::directory_iterator(directory, ec)) {
      std::vector<std::string> unknown;
      for (const fs::directory_entry& entry : fs::directory_iterator(place.path(), ec)) {
        const bool is_record = entry.path().extension() == kRecordSuffix;
        std::string id = entry.path().stem().string();
        if (is_record && !is_session(id)) unknown.push_back(std::move(id));
      }
      for (const std::string& id : unknown)
        remove_record(place.path(), id);
    }
  };
  co_await blocking_.run(std::move(look));
}

BareRepository WorkspaceSnapshots::open(fs::path repository, std::chrono::milliseconds limit) {
  const RepositoryLimits limits{.snapshot = {.file_bytes = kMaxSnapshotFile,
                                             .all_bytes = options_.max_bytes,
                                             .files = options_.max_files,
                                             .unfit = UnfitFile::kIsLeftOut},
                                .until = now().steady + limit};
  return {std::move(repository), "index-" + std::to_string(++numbers_), "", blocking_, limits};
}

fs::path WorkspaceSnapshots::place_of(const fs::path& workspace) const {
  return options_.directory / hex(text_hash(workspace.string()));
}

}  // namespace oriel
