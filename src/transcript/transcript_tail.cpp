#include "transcript/transcript_tail.h"

#include "runtime/deadline.h"
#include "transcript/transcript_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace oriel {
namespace {

std::uint64_t inode_at(const std::string& path) {
  struct stat facts {};

  return stat(path.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

}  // namespace

TranscriptTail::TranscriptTail(FileWatch& watch, BlockingThread& files,
                               const TranscriptRoots& roots, const asio::any_io_executor& shard,
                               TranscriptPosition from, TranscriptTailOptions options)
    : watch_(watch),
      files_(files),
      roots_(roots),
      position_(std::move(from)),
      options_(options),
      splitter_(position_.offset, options.max_line),
      changed_(shard) {}

void TranscriptTail::wake() {
  is_changed_ = true;
  changed_.notify();
}

void TranscriptTail::release() {
  is_released_ = true;
  wake();
}

// Runs on the blocking thread. A file that was replaced is read to its end first.
TranscriptTail::Look TranscriptTail::look(const TranscriptRoots& roots,
                                          const LookRequest& request) {
  Look found;
  int descriptor = request.descriptor;
  std::uint64_t offset = request.offset;

  struct stat facts {};

  if (descriptor >= 0 && fstat(descriptor, &facts) == 0) {
    const bool is_at_end = static_cast<std::uint64_t>(facts.st_size) <= offset;
    const std::uint64_t there = is_at_end ? inode_at(request.position.path) : facts.st_ino;
    if (there != facts.st_ino && there != 0) descriptor = -1;
  }
  if (descriptor < 0) {
    Result<FileDescriptor> opened = roots.open(request.position.path);
    if (!opened) {
      if (opened.error().kind != ErrorKind::kNotFound) found.error = opened.error();
      return found;
    }
    found.file = std::move(*opened);
    descriptor = found.file.get();
  }
  if (fstat(descriptor, &facts) != 0) return found;
  found.inode = facts.st_ino;
  const bool is_other = request.position.inode != 0 && request.position.inode != found.inode;
  const bool is_shorter = static_cast<std::uint64_t>(facts.st_size) < offset;
  found.is_from_start = is_other || is_shorter || !is_line_end(descriptor, request.position.offset);
  if (found.is_from_start) offset = 0;
  found.bytes.resize(request.max_bytes);
  const ssize_t size =
      pread(descriptor, found.bytes.data(), found.bytes.size(), static_cast<off_t>(offset));
  found.bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  if (size < 0)
    found.error = Error{.kind = ErrorKind::kCannotRead,
                        .message = "cannot read the transcript " + request.position.path + ": " +
                                   std::strerror(errno),
                        .hint = "check the disk and the file system"};
  return found;
}

asio::awaitable<Result<TranscriptBatch>> TranscriptTail::read() {
  bool is_from_start = false;
  for (;;) {
    is_changed_ = false;
    LookRequest request{.position = position_,
                        .offset = splitter_.read_offset(),
                        .descriptor = file_.get(),
                        .max_bytes = options_.piece_bytes};
    auto work = [&roots = roots_, request = std::move(request)] { return look(roots, request); };
    auto looking = files_.run(std::move(work));
    Look found = co_await std::move(looking);
    if (found.error) co_return *std::move(found.error);
    if (found.file) file_ = std::move(found.file);
    if (found.is_from_start) {
      splitter_ = JsonlSplitter(0, options_.max_line);
      is_from_start = true;
    }
    if (found.inode != 0) position_.inode = found.inode;
    TranscriptBatch batch;
    batch.lines = splitter_.push(found.bytes);
    position_.offset = splitter_.taken_offset();
    batch.position = position_;
    batch.is_from_start = is_from_start;
    if (!batch.lines.empty() || found.bytes.empty()) co_return batch;
  }
}

void TranscriptTail::watch() {
  if (!ticket_.is_watched()) ticket_ = watch_.watch(position_.path, [this] { wake(); });
}

asio::awaitable<void> TranscriptTail::wait() {
  if (is_changed_) co_return;
  const auto limit = ticket_.is_watched() ? options_.poll_watched_every : options_.poll_every;
  try {
    auto changed = changed_.wait();
    co_await with_deadline(limit, std::move(changed));
  } catch (const TimedOut&) {
  }
}

asio::awaitable<Result<TranscriptBatch>> TranscriptTail::next_now() {
  watch();
  auto reading = read();
  co_return co_await std::move(reading);
}

asio::awaitable<Result<TranscriptBatch>> TranscriptTail::next() {
  for (;;) {
    watch();
    auto reading = read();
    Result<TranscriptBatch> batch = co_await std::move(reading);
    const bool is_released = std::exchange(is_released_, false);
    if (!batch || !batch->lines.empty() || batch->is_from_start || is_released) co_return batch;
    co_await wait();
  }
}

}  // namespace oriel
