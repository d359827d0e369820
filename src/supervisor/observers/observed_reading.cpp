// How a runner follows its agent's transcript.

#include "base/log.h"
#include "runtime/deadline.h"
#include "supervisor/now.h"
#include "supervisor/observers/observed_runner.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

// A transcript that may not be read is looked at again now and then.
constexpr std::chrono::seconds kLookAgain{15};
constexpr std::size_t kMaxReported = 3;         // lines of one batch
constexpr std::size_t kPieceBytes = 256 << 10;  // what a shard takes without a pause

}  // namespace

asio::awaitable<void> ObservedRunner::follow() {
  while (true) {
    if (!agent_) {
      tail_.reset();
      co_await reader_changed_.wait();
      continue;
    }
    if (!agent_->state().transcript.wanted_path.empty()) co_await follow_wanted();
    if (!agent_) continue;
    if (!tail_ && !agent_->state().transcript.position.path.empty()) open_tail();
    if (!tail_) {
      co_await reader_changed_.wait();
      continue;
    }
    co_await read_on();
  }
}

// The transcript before it is read to its end first.
asio::awaitable<void> ObservedRunner::follow_wanted() {
  while (tail_) {
    auto batch = co_await tail_->next_now();
    if (!batch || batch->lines.empty() || !agent_) break;
    co_await take_batch(*std::move(batch));
  }
  tail_.reset();
  if (agent_) perform(agent_->follow_wanted(now()));
}

asio::awaitable<void> ObservedRunner::read_on() {
  auto batch = co_await tail_->next();
  if (batch) {
    co_await take_batch(*std::move(batch));
    co_return;
  }
  complain(batch.error());
  tail_.reset();
  try {
    auto changed = reader_changed_.wait();
    co_await with_deadline(kLookAgain, std::move(changed));
  } catch (const TimedOut&) {
  }
}

asio::awaitable<void> ObservedRunner::take_batch(TranscriptBatch batch) {
  const bool is_news = !batch.lines.empty() || batch.is_from_start;
  if (!is_news || !agent_) co_return;
  const auto otherwise = parse_transcript_format(agent_->state().agent);
  auto parse = [lines = std::move(batch.lines), known = format_,
                otherwise = otherwise.value_or(TranscriptFormat::kClaude)] {
    return read_lines(lines, known, otherwise);
  };
  ReadLines read = co_await context_.files.run(std::move(parse));
  format_ = read.format;
  report(read.skipped);
  if (!agent_) co_return;
  const auto with_cwd = std::find_if(read.entries.begin(), read.entries.end(),
                                     [](const auto& entry) { return !entry.cwd.empty(); });
  if (with_cwd != read.entries.end()) co_await find_project_of(with_cwd->cwd);
  if (!agent_) co_return;
  active_at_ = now().steady;
  const EntryBatch entries{.entries = std::move(read.entries),
                           .position = std::move(batch.position),
                           .is_from_start = batch.is_from_start,
                           .is_import = false};
  attempt([&] { return agent_->on_entries(entries, now()); });
  co_await stored();
}

void ObservedRunner::open_tail() {
  TranscriptTailOptions options;
  options.piece_bytes = kPieceBytes;
  format_.reset();
  tail_ = std::make_unique<TranscriptTail>(context_.watch, context_.files, context_.roots, shard_,
                                           agent_->state().transcript.position, options);
}

// A hook says that something has happened.
void ObservedRunner::wake_reader() {
  if (tail_ && agent_->state().transcript.wanted_path.empty())
    tail_->wake();
  else if (tail_)
    tail_->release();
  reader_changed_.notify();
}

void ObservedRunner::report(const std::vector<SkippedLine>& skipped) const {
  for (std::size_t i = 0; i < std::min(skipped.size(), kMaxReported); ++i)
    log()->warn("transcript {}: the line at byte {} is skipped: {}", tail_->position().path,
                skipped[i].offset, skipped[i].why);
  if (skipped.size() > kMaxReported)
    log()->warn("transcript {}: {} more lines are skipped", tail_->position().path,
                skipped.size() - kMaxReported);
}

void ObservedRunner::complain(const Error& error) {
  if (complained_ == error.message) return;
  complained_ = error.message;
  log()->warn("session {}: {}", first_.session_id, describe(error));
}

}  // namespace oriel
