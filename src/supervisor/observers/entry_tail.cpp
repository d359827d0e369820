#include "supervisor/observers/entry_tail.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxLogged = 3;           // skipped lines of one batch
constexpr std::size_t kPieceBytes = 256 << 10;  // the work of a shard without a pause

TranscriptTailOptions tail_options() {
  TranscriptTailOptions options;
  options.piece_bytes = kPieceBytes;
  return options;
}

}  // namespace

EntryTail::EntryTail(FileWatch& watch, BlockingThread& files, const TranscriptRoots& roots,
                     asio::any_io_executor shard, TranscriptPosition from,
                     TranscriptFormat fallback)
    : files_(files),
      tail_(watch, files, roots, shard, std::move(from), tail_options()),
      fallback_(fallback) {}

asio::awaitable<Result<std::optional<EntryBatch>>> EntryTail::next() {
  auto batch = co_await tail_.next();
  auto parsing = parse(std::move(batch));
  co_return co_await std::move(parsing);
}

asio::awaitable<Result<std::optional<EntryBatch>>> EntryTail::next_now() {
  auto batch = co_await tail_.next_now();
  auto parsing = parse(std::move(batch));
  co_return co_await std::move(parsing);
}

asio::awaitable<Result<std::optional<EntryBatch>>> EntryTail::parse(Result<TranscriptBatch> batch) {
  if (!batch) co_return batch.error();
  if (batch->lines.empty() && !batch->is_from_start) co_return std::optional<EntryBatch>();
  auto parse_lines = [lines = std::move(batch->lines), known = format_, fallback = fallback_] {
    return read_lines(lines, known, fallback);
  };
  ReadLines read = co_await files_.run(std::move(parse_lines));
  format_ = read.format;
  log_skipped(read.skipped);
  EntryBatch entries;
  entries.entries = std::move(read.entries);
  entries.position = std::move(batch->position);
  entries.is_from_start = batch->is_from_start;
  co_return std::optional<EntryBatch>(std::move(entries));
}

void EntryTail::log_skipped(const std::vector<SkippedLine>& skipped) const {
  const std::string& path = tail_.position().path;
  for (std::size_t i = 0; i < std::min(skipped.size(), kMaxLogged); ++i)
    log()->warn("transcript {}: skipped the line at byte {}: {}", path, skipped[i].offset,
                skipped[i].why);
  if (skipped.size() > kMaxLogged)
    log()->warn("transcript {}: skipped {} more lines", path, skipped.size() - kMaxLogged);
}

}  // namespace oriel
