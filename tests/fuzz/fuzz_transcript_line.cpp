// Any transcript line and hook body is parsed or rejected, and the observed agent continues: each
// turn is created once, and its documents survive a round trip.

#include "check.h"
#include "observed/hook.h"
#include "observed/observed_agent.h"
#include "transcript/jsonl_splitter.h"
#include "transcript/transcript_entry.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace oriel {
namespace {

// A minimal runner of an agent: stores the documents of each step.
class Runner {
 public:
  Runner() : agent_(first_state()) {}

  void take(TranscriptFormat format, const JsonlLine& line, std::uint64_t offset) {
    TranscriptLine parsed = parse_transcript_line(format, line.text);
    ORIEL_CHECK(parsed.entries.empty() || parsed.skipped.empty());
    for (const TranscriptEntry& entry : parsed.entries)
      ORIEL_CHECK(entry.kind != EntryKind::kQuestion || !entry.tool_name.empty());
    EntryBatch batch;
    batch.entries = std::move(parsed.entries);
    batch.position = {.path = "/t/a.jsonl", .inode = 1, .offset = offset};
    keep(agent_.on_entries(batch, now()));
  }

  void take(HookKind kind, std::string_view body) {
    const Result<HookEvent> hook = parse_hook(kind, body);
    if (hook) return keep(agent_.on_hook(*hook, now()));
    ORIEL_CHECK(hook.error().kind == ErrorKind::kInvalidHook);
    ORIEL_CHECK(!hook.error().message.empty());
  }

  // The same line once more, as an import would take it.
  void import(TranscriptFormat format, const JsonlLine& line, std::uint64_t offset) {
    EntryBatch batch;
    batch.entries = parse_transcript_line(format, line.text).entries;
    batch.position = {.path = "/t/a.jsonl", .inode = 1, .offset = offset};
    batch.is_import = true;
    const ObservedStep step = agent_.on_entries(batch, now());
    ORIEL_CHECK(step.events.empty());
    keep(step);
  }

  void end_import() {
    const ObservedStep step = agent_.end_import(now());
    ORIEL_CHECK(step.events.size() == 1);
    keep(step);
  }

  void tick() { keep(agent_.tick(now(), Liveness::kAlive)); }

 private:
  static ObservedState first_state() {
    ObservedState state;
    state.session_id = "s";
    return state;
  }

  Moment now() {
    time_ += std::chrono::seconds(1);
    return {.wall = time_, .steady = {}};
  }

  void keep(const ObservedStep& step) {
    for (const SessionEvent& event : step.events) {
      if (const auto* const created = event.get_if<event::TurnCreated>())
        ORIEL_CHECK(created_.insert(created->turn.turn_id).second);
      if (const auto* const updated = event.get_if<event::TurnUpdated>())
        ORIEL_CHECK(created_.contains(updated->turn.turn_id));
    }
    for (const Turn& turn : step.turns) {
      const Result<Turn> stored = parse_turn_document(to_document(turn));
      ORIEL_CHECK(stored && *stored == turn);
    }
    const Result<ObservedState> stored = parse_observed_document(to_document(agent_.state()));
    ORIEL_CHECK(stored && *stored == agent_.state());
  }

  ObservedAgent agent_;
  WallTime time_{std::chrono::hours(24 * 365 * 50)};
  std::set<std::string> created_;
};

void run(std::string_view input) {
  const unsigned first = input.empty() ? 0 : static_cast<unsigned char>(input[0]);
  const auto format = static_cast<TranscriptFormat>(first % 3);
  input.remove_prefix(input.empty() ? 0 : 1);
  (void)guess_format(input);
  Runner runner;
  Runner importer;
  JsonlSplitter splitter(0, 1 << 16);
  // A line that begins with a digit is a hook's body.
  for (const JsonlLine& line : splitter.push(std::string(input) + "\n")) {
    const std::string_view text = line.text;
    if (!text.empty() && text[0] >= '0' && text[0] <= '7')
      runner.take(static_cast<HookKind>(text[0] - '0'), text.substr(1));
    else
      runner.take(format, line, splitter.taken_offset());
    importer.import(format, line, splitter.taken_offset());
  }
  runner.tick();
  importer.end_import();
}

}  // namespace
}  // namespace oriel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  oriel::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
