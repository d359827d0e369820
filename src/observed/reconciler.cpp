#include "observed/reconciler.h"

#include "base/enum_names.h"
#include "base/text/json_document.h"
#include "base/text/text_hash.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;
using std::chrono::seconds;

// A hook arrives within this time after its entry.
constexpr auto kClaimWindow = seconds(60);
// Equal hooks within this time are repeated.
constexpr auto kRepeatWindow = seconds(2);

constexpr std::array<std::string_view, 4> kKinds = {"prompt", "text", "question", "answer"};

BindKind kind_in(const DocumentFields& fields) {
  return find_name<BindKind>(kKinds, fields.text("kind")).value();
}

std::string_view name_of(BindKind kind) {
  return name_in(kKinds, kind);
}

// By the prompt's id if both have one, else by the text.
bool is_same(const std::string& prompt_a, std::uint64_t fingerprint_a, const std::string& prompt_b,
             std::uint64_t fingerprint_b) {
  if (!prompt_a.empty() && !prompt_b.empty()) return prompt_a == prompt_b;
  return fingerprint_a == fingerprint_b;
}

// Whether a hook's turn `shown` may be `seen`, without regard to their times.
bool is_same_turn(const SeenTurn& seen, const SeenTurn& shown) {
  if (seen.kind != shown.kind) return false;
  if (shown.kind == BindKind::kPrompt)
    return is_same(seen.prompt_id, seen.fingerprint, shown.prompt_id, shown.fingerprint);
  return seen.fingerprint == shown.fingerprint &&
         (shown.prompt_id.empty() || seen.task_id == shown.task_id);
}

// Prompts with ids are the same at any time, equal texts only within a window.
bool have_ids(const SeenTurn& seen, const SeenTurn& shown) {
  return shown.kind == BindKind::kPrompt && !shown.prompt_id.empty() && !seen.prompt_id.empty();
}

// Whether the hook that arrives is the one that `seen` waits for.
bool is_awaited(const SeenTurn& seen, const SeenTurn& shown, WallTime now) {
  if (seen.hook_at || !is_same_turn(seen, shown)) return false;
  return have_ids(seen, shown) || now - seen.time < kClaimWindow;
}

// Whether the hook of `seen` arrives again.
bool is_repeated_hook(const SeenTurn& seen, const SeenTurn& shown, WallTime now) {
  if (!seen.hook_at || !is_same_turn(seen, shown)) return false;
  return have_ids(seen, shown) || now - *seen.hook_at < kRepeatWindow;
}

// The turn that waits for the hook that arrives; null: none does.
SeenTurn* find_hookless(std::vector<SeenTurn>& turns, const SeenTurn& shown, WallTime now) {
  const auto fits = [&](const SeenTurn& seen) { return is_awaited(seen, shown, now); };
  // Hooks of prompts arrive in their order; a stop has the agent's newest text.
  if (shown.kind == BindKind::kPrompt) {
    const auto found = std::find_if(turns.begin(), turns.end(), fits);
    return found == turns.end() ? nullptr : &*found;
  }
  const auto found = std::find_if(turns.rbegin(), turns.rend(), fits);
  return found == turns.rend() ? nullptr : &*found;
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) {
  return text_hash(trimmed(text));
}

Reconciler::HookMatch Reconciler::match_hook(const SeenTurn& shown, WallTime now) {
  if (SeenTurn* const seen = find_hookless(state_.seen, shown, now)) {
    seen->hook_at = now;
    return {.origin = HookOrigin::kKnown, .task_id = seen->task_id};
  }
  for (const SeenTurn& seen : state_.seen) {
    if (is_repeated_hook(seen, shown, now))
      return {.origin = HookOrigin::kRepeated, .task_id = seen.task_id};
  }
  return {};
}

void Reconciler::add_waiting(WaitingTurn turn) {
  if (turn.kind == BindKind::kPrompt || turn.kind == BindKind::kText)
    add_seen({.kind = turn.kind,
              .turn_id = turn.turn_id,
              .task_id = turn.task_id,
              .fingerprint = turn.fingerprint,
              .prompt_id = turn.prompt_id,
              .time = turn.since,
              .hook_at = turn.since});
  state_.waiting.push_back(std::move(turn));
  if (state_.waiting.size() > ReconcilerState::kMaxWaiting)
    state_.waiting.erase(state_.waiting.begin());
}

std::optional<WaitingTurn> Reconciler::bind(const SeenTurn& shown) {
  const auto take = [&](auto fits) -> std::optional<WaitingTurn> {
    const auto found = std::find_if(
        state_.waiting.begin(), state_.waiting.end(),
        [&](const WaitingTurn& each) { return each.kind == shown.kind && fits(each); });
    if (found == state_.waiting.end()) return std::nullopt;
    WaitingTurn turn = std::move(*found);
    state_.waiting.erase(found);
    for (SeenTurn& seen : state_.seen) {
      if (seen.turn_id != turn.turn_id) continue;
      seen.time = shown.time;
      seen.fingerprint = shown.fingerprint;
      if (seen.prompt_id.empty()) seen.prompt_id = shown.prompt_id;
    }
    return turn;
  };
  if (shown.kind == BindKind::kPrompt)
    return take([&](const WaitingTurn& each) {
      return is_same(each.prompt_id, each.fingerprint, shown.prompt_id, shown.fingerprint);
    });
  auto own = take([&](const WaitingTurn& each) {
    return each.fingerprint == shown.fingerprint && each.task_id == shown.task_id;
  });
  if (own) return own;
  return take([&](const WaitingTurn& each) {
    return each.fingerprint == shown.fingerprint &&
           (each.prompt_id.empty() || shown.prompt_id.empty());
  });
}

std::optional<WaitingTurn> Reconciler::bind_call(BindKind kind, std::string_view tool_call_id,
                                                 std::uint64_t fingerprint) {
  const auto take = [&](auto fits) -> std::optional<WaitingTurn> {
    const auto found =
        std::find_if(state_.waiting.begin(), state_.waiting.end(),
                     [&](const WaitingTurn& each) { return each.kind == kind && fits(each); });
    if (found == state_.waiting.end()) return std::nullopt;
    WaitingTurn turn = std::move(*found);
    state_.waiting.erase(found);
    return turn;
  };
  auto own = take([&](const WaitingTurn& each) {
    return !tool_call_id.empty() && each.tool_call_id == tool_call_id;
  });
  if (own) return own;
  return take([&](const WaitingTurn& each) {
    return each.tool_call_id.empty() && fingerprint != 0 && each.fingerprint == fingerprint;
  });
}

void Reconciler::set_call(std::string_view turn_id, const std::string& tool_call_id) {
  for (WaitingTurn& each : state_.waiting) {
    if (each.turn_id == turn_id) each.tool_call_id = tool_call_id;
  }
}

void Reconciler::add_seen(SeenTurn turn) {
  state_.seen.push_back(std::move(turn));
  if (state_.seen.size() > ReconcilerState::kMaxSeen) state_.seen.erase(state_.seen.begin());
}

void Reconciler::move(std::string_view turn_id, const std::string& task_id) {
  for (SeenTurn& seen : state_.seen) {
    if (seen.turn_id == turn_id) seen.task_id = task_id;
  }
  for (WaitingTurn& waiting : state_.waiting) {
    if (waiting.turn_id == turn_id) waiting.task_id = task_id;
  }
}

bool Reconciler::has_waiting(BindKind kind, std::string_view task_id) const {
  return std::any_of(state_.waiting.begin(), state_.waiting.end(), [&](const WaitingTurn& each) {
    return each.kind == kind && each.task_id == task_id;
  });
}

void Reconciler::forget(std::string_view turn_id) {
  std::erase_if(state_.seen, [&](const SeenTurn& seen) { return seen.turn_id == turn_id; });
}

json::object to_json(const ReconcilerState& state) {
  json::array waiting;
  for (const WaitingTurn& each : state.waiting)
    waiting.push_back({{"kind", name_of(each.kind)},
                       {"turn_id", each.turn_id},
                       {"task_id", each.task_id},
                       {"print", each.fingerprint},
                       {"prompt_id", each.prompt_id},
                       {"tool_call_id", each.tool_call_id},
                       {"since", unix_milliseconds(each.since)}});
  json::array seen;
  for (const SeenTurn& each : state.seen) {
    json::object item = {{"kind", name_of(each.kind)},  {"turn_id", each.turn_id},
                         {"task_id", each.task_id},     {"print", each.fingerprint},
                         {"prompt_id", each.prompt_id}, {"time", unix_milliseconds(each.time)},
                         {"hook_at", nullptr}};
    if (each.hook_at) item["hook_at"] = unix_milliseconds(*each.hook_at);
    seen.push_back(std::move(item));
  }
  return {{"waiting", std::move(waiting)}, {"seen", std::move(seen)}};
}

ReconcilerState read_reconciler_state(const json::value& value) {
  ReconcilerState state;
  for (const json::value& item : DocumentFields(value).array("waiting")) {
    const DocumentFields fields(item);
    state.waiting.push_back({.kind = kind_in(fields),
                             .turn_id = fields.text("turn_id"),
                             .task_id = fields.text("task_id"),
                             .fingerprint = fields.number("print"),
                             .prompt_id = fields.text("prompt_id"),
                             .tool_call_id = fields.text("tool_call_id"),
                             .since = fields.time("since")});
  }
  for (const json::value& item : DocumentFields(value).array("seen")) {
    const DocumentFields fields(item);
    SeenTurn seen{.kind = kind_in(fields),
                  .turn_id = fields.text("turn_id"),
                  .task_id = fields.text("task_id"),
                  .fingerprint = fields.number("print"),
                  .prompt_id = fields.text("prompt_id"),
                  .time = fields.time("time"),
                  .hook_at = fields.time_or_none("hook_at")};
    state.seen.push_back(std::move(seen));
  }
  return state;
}

}  // namespace oriel
