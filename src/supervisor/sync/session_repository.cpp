#include "supervisor/sync/session_repository.h"

#include <sstream>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNext = "refs/oriel/next";

}  // namespace

SessionRepository::SessionRepository(fs::path directory, const std::string& session_id,
                                     std::string remote, BlockingThread& blocking,
                                     SnapshotLimits limits)
    : branch_("oriel/" + session_id),
      reference_("refs/heads/" + branch_),
      remote_(std::move(remote)),
      repository_(std::move(directory), "workspace-index", remote_, blocking,
                  {.snapshot = limits}) {}

asio::awaitable<Result<std::string>> SessionRepository::commit(fs::path workspace,
                                                               std::string message, WallTime time) {
  const auto made = co_await repository_.make();
  if (!made) co_return made.error();
  const auto before = co_await heads();
  if (!before) co_return before.error();
  SnapshotCommit commit{
      .reference = kNext, .parent = before->last, .message = std::move(message), .time = time};
  auto taking = repository_.take_snapshot(std::move(workspace), std::move(commit));
  const auto taken = co_await std::move(taking);
  if (!taken) co_return taken.error();
  const auto after = co_await heads();
  if (!after) co_return after.error();
  if (after->next_tree == after->last_tree) co_return after->last;
  GitPlaces places{.repository = repository_.directory()};
  std::vector<std::string> update = {"update-ref", reference_, after->next};
  auto updating = repository_.git(std::move(places), std::move(update));
  const auto updated = co_await std::move(updating);
  if (!updated) co_return updated.error();
  co_return after->next;
}

asio::awaitable<Result<void>> SessionRepository::push() {
  GitPlaces places{.repository = repository_.directory(), .remote = remote_};
  std::vector<std::string> push = {"push", "--quiet", "--force", "sync",
                                   reference_ + ":" + reference_};
  auto pushing = repository_.git(places, std::move(push));
  const auto pushed = co_await std::move(pushing);
  if (!pushed) co_return pushed.error();
  std::vector<std::string> tidy = {"gc", "--auto", "--quiet"};
  auto tidying = repository_.git(std::move(places), std::move(tidy));
  co_await std::move(tidying);
  co_return Result<void>();
}

asio::awaitable<Result<void>> SessionRepository::fetch(std::string commit) {
  const auto made = co_await repository_.make();
  if (!made) co_return made.error();
  GitPlaces places{.repository = repository_.directory(), .remote = remote_};
  std::vector<std::string> fetch = {"fetch",     "--quiet",
                                    "--no-tags", "--no-write-fetch-head",
                                    "sync",      "+" + reference_ + ":" + reference_};
  auto fetching = repository_.git(places, std::move(fetch));
  const auto fetched = co_await std::move(fetching);
  if (!fetched) co_return fetched.error();
  std::vector<std::string> update = {"update-ref", reference_, std::move(commit)};
  auto updating = repository_.git(std::move(places), std::move(update));
  const auto updated = co_await std::move(updating);
  if (!updated) co_return updated.error();
  co_return Result<void>();
}

asio::awaitable<Result<void>> SessionRepository::clone_to(fs::path workspace) {
  std::vector<std::string> clone = {"clone",
                                    "--quiet",
                                    "--no-hardlinks",
                                    "--template=",
                                    "--single-branch",
                                    "--no-tags",
                                    "--branch",
                                    branch_,
                                    "--",
                                    repository_.directory().string(),
                                    workspace.string()};
  GitPlaces nowhere;
  auto cloning = repository_.git(std::move(nowhere), std::move(clone));
  const auto cloned = co_await std::move(cloning);
  if (!cloned) co_return cloned.error();
  GitPlaces places{.repository = workspace / ".git"};
  std::vector<std::string> forget = {"remote", "remove", "origin"};
  auto forgetting = repository_.git(std::move(places), std::move(forget));
  const auto forgotten = co_await std::move(forgetting);
  if (!forgotten) co_return forgotten.error();
  co_return Result<void>();
}

asio::awaitable<Result<SessionRepository::Heads>> SessionRepository::heads() {
  GitPlaces places{.repository = repository_.directory()};
  std::vector<std::string> look = {"for-each-ref", "--format=%(refname) %(objectname) %(tree)",
                                   reference_, kNext};
  auto looking = repository_.git(std::move(places), std::move(look));
  const auto found = co_await std::move(looking);
  if (!found) co_return found.error();
  Heads heads;
  std::istringstream lines(*found);
  for (std::string reference, commit, tree; lines >> reference >> commit >> tree;) {
    const bool is_next = reference == kNext;
    (is_next ? heads.next : heads.last) = commit;
    (is_next ? heads.next_tree : heads.last_tree) = tree;
  }
  co_return heads;
}

}  // namespace oriel
