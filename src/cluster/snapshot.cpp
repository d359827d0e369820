#include "cluster/snapshot.h"

#include "base/id.h"
#include "base/log.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"
#include "cluster/snapshot_file.h"
#include "posix/file_descriptor.h"
#include "runtime/thread_priority.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace oriel {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr const char* kSnapshotSubjects = "oriel.snapshot.";
constexpr std::size_t kMaxWaiting = 64;  // requests; the rest asks again
constexpr std::size_t kMaxWaitingBytes = 1 << 20;
constexpr std::chrono::milliseconds kPieceDeadline{3000};
constexpr std::chrono::milliseconds kMakingPause{50};
constexpr int kTries = 5;  // of one request

// A request: {} begins a snapshot, {"id", "offset"} asks for a piece, {"id", "done"} ends it.
// An answer: a JSON object in one line, then the bytes of the piece.

std::string problem_answer(const std::string& problem) {
  return json_text(json::object{{"problem", problem}}) + "\n";
}

Error no_snapshot(const std::string& node, const std::string& reason) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "the node " + node + " gave no snapshot: " + reason,
          .hint = "this is tried again"};
}

Error file_failed(const fs::path& file) {
  return {.kind = ErrorKind::kFileFailed,
          .message = "cannot write " + file.string() + ": " + std::strerror(errno),
          .hint = "check the disk of --data-dir"};
}

Error damaged(const std::string& node) {
  return {.kind = ErrorKind::kCannotRead,
          .message = "the snapshot of the node " + node + " was damaged on its way",
          .hint = "this is tried again"};
}

std::uint64_t count_in(const json::object& from, std::string_view key) {
  const std::int64_t number = number_of(member(from, key)).value_or(0);
  return number > 0 ? static_cast<std::uint64_t>(number) : 0;
}

// Fetches one snapshot.
class SnapshotFetch {
 public:
  SnapshotFetch(NatsConnection& connection, const std::string& node, const fs::path& file,
                const std::stop_token& stop)
      : connection_(connection), node_(node), file_(file), stop_(stop) {}

  Result<void> run() {
    const auto begun = ask({});
    if (!begun) return begun.error();
    id_ = text_at(begun->head, "id");
    const auto fetched = receive();
    const json::object done{{"id", id_}, {"done", true}};
    connection_.publish(kSnapshotSubjects + node_, json_text(done));
    return fetched;
  }

 private:
  struct Answer {
    json::object head;
    std::string bytes;
  };

  Result<Answer> ask(const json::object& request) {
    std::string reason;
    for (int i = 0; i < kTries && !stop_.stop_requested(); ++i) {
      auto reply =
          connection_.request(kSnapshotSubjects + node_, json_text(request), kPieceDeadline);
      if (reply && !reply->is_no_responders) return parse(reply->body);
      reason = reply ? "it is not there" : reply.error().message;
      std::this_thread::sleep_for(kMakingPause);
    }
    if (stop_.stop_requested()) return stopped();
    return no_snapshot(node_, reason);
  }

  Result<Answer> parse(const std::string& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return damaged(node_);
    Answer answer{.head = parse_object(std::string_view(text).substr(0, end)),
                  .bytes = text.substr(end + 1)};
    if (answer.head.empty()) return damaged(node_);
    if (const std::string problem = text_at(answer.head, "problem"); !problem.empty())
      return no_snapshot(node_, problem);
    return answer;
  }

  static Error stopped() {
    return {.kind = ErrorKind::kStopping, .message = "this node is stopping", .hint = {}};
  }

  Result<void> receive() {
    const FileDescriptor out(open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!out) return file_failed(file_);
    std::uint64_t written = 0;
    while (true) {
      const auto answer = ask({{"id", id_}, {"offset", written}});
      if (!answer) return answer.error();
      if (is_true(member(answer->head, "making"))) {
        std::this_thread::sleep_for(kMakingPause);
        continue;
      }
      if (!write(out, answer->bytes)) return file_failed(file_);
      written += answer->bytes.size();
      const std::uint64_t size = count_in(answer->head, "size");
      if (written > size || (answer->bytes.empty() && written < size)) return damaged(node_);
      if (written == size) return check(text_at(answer->head, "digest"));
    }
  }

  bool write(const FileDescriptor& out, std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(out.get(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  Result<void> check(const std::string& digest) {
    if (hex(snapshot_digest(file_)) != digest) return damaged(node_);
    return {};
  }

  NatsConnection& connection_;
  const std::string& node_;
  const fs::path& file_;
  const std::stop_token& stop_;
  std::string id_;
};

}  // namespace

SnapshotServer::SnapshotServer(NatsConnection& connection, Journal& journal,
                               SnapshotServerOptions options)
    : connection_(connection),
      journal_(journal),
      options_(std::move(options)),
      directory_(options_.directory) {
  // Those who watch this node come first.
  maker_.post(lower_thread_priority);
  server_.post(lower_thread_priority);
  connection_.subscribe(kSnapshotSubjects + options_.node,
                        gate_.guard([this](NatsMessage message) { requested(std::move(message)); }),
                        kMaxWaitingBytes);
}

SnapshotServer::OwnDirectory::OwnDirectory(fs::path owned) : path(std::move(owned)) {
  fs::remove_all(path);
}

SnapshotServer::OwnDirectory::~OwnDirectory() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void SnapshotServer::tidy() {
  const SteadyTime now = std::chrono::steady_clock::now();
  std::vector<std::string> unused;
  {
    const MutexLock lock(mutex_);
    for (const auto& [id, file] : files_) {
      if (file.progress != Progress::kMaking && now - file.used > options_.idle)
        unused.push_back(id);
    }
  }
  for (const std::string& id : unused)
    end(id);
}

// On a thread of the library.
void SnapshotServer::requested(NatsMessage message) {
  if (waiting_.fetch_add(1) >= kMaxWaiting) {
    --waiting_;
    return;
  }
  server_.post([this, message = std::move(message)] {
    const std::string answer = answer_to(message.body);
    if (!message.reply.empty()) connection_.publish(message.reply, answer);
    --waiting_;
  });
}

std::string SnapshotServer::answer_to(const std::string& request) {
  try {
    const json::object body = parse_object(request);
    const std::string id = text_at(body, "id");
    if (id.empty()) return begin();
    if (!is_true(member(body, "done"))) return piece(id, count_in(body, "offset"));
    end(id);
    return json_text(json::object{{"id", id}}) + "\n";
  } catch (const std::exception& failure) {
    log()->warn("cluster: a snapshot for another node failed: {}", failure.what());
    return problem_answer(failure.what());
  }
}

std::string SnapshotServer::begin() {
  const std::string id = random_id();
  fs::create_directories(directory_.path);
  const fs::path path = directory_.path / (id + ".db");
  {
    const MutexLock lock(mutex_);
    if (files_.size() >= options_.max_files) return problem_answer("others are taking theirs");
    files_[id] = {.path = path, .used = std::chrono::steady_clock::now()};
  }
  maker_.post([this, id, path] { make(id, path); });
  return json_text(json::object{{"id", id}}) + "\n";
}

void SnapshotServer::make(const std::string& id, const fs::path& path) {
  File made;
  try {
    journal_.copy_to(path);
    made = {.path = path,
            .progress = Progress::kReady,
            .size = fs::file_size(path),
            .digest = snapshot_digest(path)};
  } catch (const std::exception& failure) {
    log()->warn("cluster: a snapshot for another node failed: {}", failure.what());
    made = {.path = path, .progress = Progress::kFailed, .problem = failure.what()};
  }
  made.used = std::chrono::steady_clock::now();
  {
    const MutexLock lock(mutex_);
    const auto found = files_.find(id);
    if (found != files_.end()) {
      found->second = std::move(made);
      return;
    }
  }
  // Its node has given up meanwhile.
  std::error_code ignored;
  fs::remove(path, ignored);
}

std::string SnapshotServer::piece(const std::string& id, std::uint64_t offset) {
  File file;
  {
    const MutexLock lock(mutex_);
    const auto found = files_.find(id);
    if (found == files_.end()) return problem_answer("this one was removed");
    found->second.used = std::chrono::steady_clock::now();
    file = found->second;
  }
  if (file.progress == Progress::kFailed) return problem_answer(file.problem);
  if (file.progress == Progress::kMaking) return json_text(json::object{{"making", true}}) + "\n";
  const FileDescriptor in(open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string bytes(kSnapshotPiece, '\0');
  const ssize_t count = pread(in.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (count < 0) return problem_answer(std::strerror(errno));
  bytes.resize(static_cast<std::size_t>(count));
  const json::object head{{"size", file.size}, {"digest", hex(file.digest)}};
  return json_text(head) + "\n" + bytes;
}

void SnapshotServer::end(const std::string& id) {
  fs::path path;
  {
    const MutexLock lock(mutex_);
    const auto found = files_.find(id);
    if (found == files_.end()) return;
    path = found->second.path;
    files_.erase(found);
  }
  std::error_code ignored;
  fs::remove(path, ignored);
}

Result<void> fetch_snapshot(NatsConnection& connection, const std::string& node,
                            const std::filesystem::path& file, const std::stop_token& stop) {
  const Result<void> fetched = SnapshotFetch(connection, node, file, stop).run();
  if (fetched) return fetched;
  std::error_code ignored;
  fs::remove(file, ignored);
  return fetched;
}

}  // namespace oriel
