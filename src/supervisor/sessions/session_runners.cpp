#include "supervisor/sessions/session_runners.h"

#include "base/log.h"
#include "supervisor/errors.h"

#include <boost/asio/post.hpp>

#include <optional>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kShutdown =
    "Oriel was stopped while the agent worked; send a message to go on once it runs again";

// These keep the runner alive until it has stopped: its entry may be removed meanwhile.
asio::awaitable<void> stop_runner(std::shared_ptr<SessionRunner> runner, std::string reason) {
  co_await runner->stop(std::move(reason));
}

asio::awaitable<void> fence_runner(std::shared_ptr<SessionRunner> runner) {
  co_await runner->fence();
}

}  // namespace

SessionRunners::SessionRunners(Shards& shards, Journal& journal, SessionRegistry& sessions,
                               const AgentCatalog& agents, const Uploads& uploads,
                               RunnerOptions options, SandboxPlaces places)
    : shards_(shards),
      journal_(journal),
      sessions_(sessions),
      agents_(agents),
      uploads_(uploads),
      options_(options),
      places_(std::move(places)),
      owner_shard_(shards[0].executor()),
      fences_(owner_shard_) {}

std::filesystem::path SessionRunners::home_of(const std::string& session_id) const {
  return places_.homes.empty() ? std::filesystem::path() : places_.homes / session_id;
}

Result<AgentSpec> SessionRunners::spec_for(const SessionState& state) const {
  auto spec = agents_.find(state.agent);
  if (!spec) return spec;
  spec->permissions = state.permissions.value_or(spec->permissions);
  if (!uploads_.options().directory.empty())
    spec->uploads = uploads_.directory_of(state.session_id);
  spec->private_home = home_of(state.session_id);
  spec->own_directory = places_.workspaces / state.session_id;
  spec->hidden = places_.hidden;
  spec->hidden_files = places_.hidden_files;
  spec->oriel_port = oriel_port_;
  spec->oriel_uses_tls = oriel_uses_tls_;
  spec->oriel_socket = oriel_socket_;
  return spec;
}

asio::awaitable<Result<void>> SessionRunners::create(SessionEntry& entry, AgentSpec spec) {
  const SessionState& state = *entry.state;
  OwnerGuard guard;
  if (sessions_.is_in_cluster()) {
    guard = OwnerGuard::of_new(state.session_id, entry.owner, request_key_of(state));
  }
  add_runner(entry, std::move(spec), state, std::move(guard));
  const std::shared_ptr<SessionRunner> runner = entry.runner;  // the session may end meanwhile
  auto creation = runner->create();
  co_return co_await finish_on(executor_of(entry), std::move(creation));
}

asio::awaitable<void> SessionRunners::interrupt(SessionEntry& entry, Interruption interruption) {
  auto spec = spec_for(interruption.before);
  if (!spec) co_return;
  entry.state = std::make_shared<const SessionState>(interruption.before);  // what is stored
  add_runner(entry, *std::move(spec), interruption.before, guard_of(entry));
  auto work = entry.runner->interrupt(std::move(interruption));
  co_await finish_on(executor_of(entry), std::move(work));
}

// Without a runner everything is stored.
asio::awaitable<Result<void>> SessionRunners::confirm(std::string session_id) {
  const auto entry = find_hosted(session_id);
  if (!entry) co_return entry.error();
  const std::shared_ptr<SessionRunner> runner = (*entry)->runner;
  if (!runner) co_return Result<void>();
  auto confirmation = runner->confirm();
  co_return co_await finish_on(executor_of(**entry), std::move(confirmation));
}

asio::awaitable<Result<std::string>> SessionRunners::run(std::string session_id,
                                                         Command<std::string> command) {
  return run_on_shard(std::move(session_id), std::move(command));
}

asio::awaitable<Result<MessageTaken>> SessionRunners::start_task(std::string session_id,
                                                                 Command<MessageTaken> command) {
  const auto entry = find_hosted(session_id);
  if (!entry) co_return entry.error();
  std::optional<EntryFlag> claim;
  if (becomes_active(**entry, is_stopping_)) {
    if (auto allowed = sessions_.check_limits((*entry)->state->project_id); !allowed)
      co_return allowed.error();
    // It counts from now on, and is not evicted.
    claim.emplace(sessions_, session_id, &SessionEntry::is_claimed);
  }
  co_return co_await run_on_shard(std::move(session_id), std::move(command));
}

template <class T>
asio::awaitable<Result<T>> SessionRunners::run_on_shard(std::string session_id,
                                                        Command<T> command) {
  const auto entry = find_hosted(session_id);
  if (!entry) co_return entry.error();
  const auto runner = open(**entry);
  if (!runner) co_return runner.error();
  auto work = command(**runner);
  co_return co_await finish_on(executor_of(**entry), std::move(work));
}

asio::awaitable<Result<SessionSnapshot>> SessionRunners::end(std::string session_id,
                                                             std::string by) {
  const auto entry = find_hosted(session_id);
  if (!entry) co_return entry.error();
  // With a runner its end may not be stored yet.
  const bool has_ended = (*entry)->state->status == SessionStatus::kCompleted;
  if (has_ended && !(*entry)->runner) co_return (*entry)->shown();
  const auto runner = open(**entry);
  if (!runner) co_return runner.error();
  const asio::any_io_executor shard = executor_of(**entry);
  auto end = (*runner)->end(std::move(by));
  const auto stored = co_await finish_on(shard, std::move(end));
  if (!stored) co_return stored.error();
  auto stop = (*runner)->stop("");
  co_await finish_on(shard, std::move(stop));
  // An ended session may have been evicted meanwhile.
  SessionEntry* const ended = sessions_.find(session_id);
  if (ended == nullptr) co_return (*runner)->snapshot();
  if (ended->runner == *runner) ended->close();
  co_return ended->shown();
}

asio::awaitable<void> SessionRunners::stop(SessionEntry entry) {
  if (!entry.runner) co_return;
  auto stop = stop_runner(entry.runner, "");
  co_await finish_on(executor_of(entry), std::move(stop));
}

void SessionRunners::fence(SessionEntry& entry) {
  if (!entry.runner) return;
  if (!entry.is_being_created)
    log()->warn("session {}: another node has taken it over", entry.state->session_id);
  auto fence = fence_runner(entry.runner);
  fences_.spawn("fenced session", finish_on(executor_of(entry), std::move(fence)));
  entry.close();
  entry.runner_number = 0;
}

asio::awaitable<void> SessionRunners::stop_all() {
  TaskGroup stops(owner_shard_);
  for (const SessionEntry* entry : sessions_.all()) {
    if (!entry->runner) continue;
    auto stop = stop_runner(entry->runner, std::string(kShutdown));
    stops.spawn("stop session", finish_on(executor_of(*entry), std::move(stop)));
  }
  co_await stops.joined();
  co_await fences_.joined();
  for (SessionEntry* entry : sessions_.all())
    entry->close();
}

Result<SessionEntry*> SessionRunners::find_hosted(const std::string& session_id) {
  SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) return unknown_session(session_id);
  if (entry->state->is_observed) return observed(session_id);
  return entry;
}

// The session's runner, created if it has none.
Result<std::shared_ptr<SessionRunner>> SessionRunners::open(SessionEntry& entry) {
  const auto source = find_runner_source(entry, is_stopping_);
  if (!source) return source.error();
  if (*source == RunnerSource::kExisting) return entry.runner;
  if (!sessions_.is_own(entry)) return taken_over(entry.state->session_id);
  auto spec = spec_for(*entry.state);
  if (!spec) return spec.error();
  add_runner(entry, *std::move(spec), *entry.state, guard_of(entry));
  return entry.runner;
}

void SessionRunners::add_runner(SessionEntry& entry, AgentSpec spec, SessionState state,
                                OwnerGuard guard) {
  entry.shard = sessions_.least_loaded_shard(shards_.size());
  entry.runner_number = ++runners_;
  const std::uint64_t number = entry.runner_number;
  auto on_change = [this, number](SessionSnapshot state) {
    asio::post(owner_shard_,
               [this, number, state = std::move(state)] { note_change(state, number); });
  };
  auto on_stored = [this, number](SessionSnapshot state) {
    asio::post(owner_shard_,
               [this, number, state = std::move(state)] { note_stored(state, number); });
  };
  auto on_overtaken = [this, number, session_id = state.session_id] {
    asio::post(owner_shard_, [this, number, session_id] { note_overtaken(session_id, number); });
  };
  RunnerListener listener{.on_change = std::move(on_change),
                          .on_stored = std::move(on_stored),
                          .on_overtaken = std::move(on_overtaken)};
  entry.runner = std::make_shared<SessionRunner>(executor_of(entry), journal_, failures_,
                                                 std::move(spec), std::move(state), options_,
                                                 std::move(listener), std::move(guard));
}

OwnerGuard SessionRunners::guard_of(const SessionEntry& entry) const {
  if (!sessions_.is_in_cluster()) return {};
  return {entry.state->session_id, entry.owner};
}

void SessionRunners::note_change(const SessionSnapshot& state, std::uint64_t runner_number) {
  SessionEntry* const entry = find_run_by(state->session_id, runner_number);
  if (entry != nullptr && entry->runner) entry->unstored = state;
}

void SessionRunners::note_stored(const SessionSnapshot& state, std::uint64_t runner_number) {
  if (find_run_by(state->session_id, runner_number) != nullptr) sessions_.update(state);
}

void SessionRunners::note_overtaken(const std::string& session_id, std::uint64_t runner_number) {
  if (SessionEntry* const entry = find_run_by(session_id, runner_number)) fence(*entry);
}

// Null: this is not the session's newest runner. A fenced one no longer knows the session's state.
SessionEntry* SessionRunners::find_run_by(const std::string& session_id,
                                          std::uint64_t runner_number) {
  SessionEntry* const entry = sessions_.find(session_id);
  return entry != nullptr && entry->runner_number == runner_number ? entry : nullptr;
}

asio::any_io_executor SessionRunners::executor_of(const SessionEntry& entry) {
  return shards_[entry.shard.value()].executor();
}

}  // namespace oriel
