#include "api/mcp/journal_archive.h"

#include "mcp/sessions/session_state.h"
#include "mcp/stateless/task.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kNodes = "node/";
constexpr char kAfterAllKeys = '\x7f';
constexpr std::chrono::seconds kAskDeadline{15};
constexpr int kAttempts = 5;  // while the other node saves the session once more

std::string prefix_of(const std::string& node) {
  return std::string(kNodes) + node + "/";
}

// "node/NAME/" of a key that begins with it.
std::string node_prefix_in(std::string_view key) {
  return std::string(key.substr(0, key.find('/', kNodes.size()) + 1));
}

}  // namespace

JournalArchive::JournalArchive(Journal& journal, Peers* peers,
                               std::function<void(std::string key)> on_taken)
    : journal_(journal),
      peers_(peers),
      prefix_(peers == nullptr ? std::string() : prefix_of(peers->self())) {
  if (prefix_.empty()) return;
  journal.on_documents([this, on_taken = std::move(on_taken)](const auto& documents) {
    report_taken(documents, on_taken);
  });
}

asio::awaitable<Result<void>> JournalArchive::save(std::vector<mcp::ArchiveEntry> entries) {
  std::vector<Document> documents;
  documents.reserve(entries.size());
  for (mcp::ArchiveEntry& entry : entries)
    documents.push_back({.key = prefix_ + entry.key, .value = std::move(entry.value)});
  auto storing = journal_.append({}, std::move(documents));
  const auto stored = co_await std::move(storing);
  if (!stored) co_return stored.error();
  co_return Result<void>();
}

asio::awaitable<std::vector<mcp::ArchiveEntry>> JournalArchive::load(mcp::ArchiveQuery query) {
  DocumentQuery selected{.prefix = prefix_ + query.prefix,
                         .after = query.after.empty() ? "" : prefix_ + query.after,
                         .max_documents = query.max_entries};
  auto reading = journal_.read_documents(std::move(selected));
  std::vector<Document> documents = co_await std::move(reading);
  std::vector<mcp::ArchiveEntry> entries;
  entries.reserve(documents.size());
  for (Document& document : documents)
    entries.push_back(
        {.key = document.key.substr(prefix_.size()), .value = std::move(document.value)});
  co_return entries;
}

asio::awaitable<bool> JournalArchive::take_over(std::string session_id, MayTake may_take) {
  if (prefix_.empty()) co_return false;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto finding = find_session(session_id);
    const std::vector<Document> found = co_await std::move(finding);
    if (found.empty() && attempt == 0) {
      auto catching_up = catch_up();
      co_await std::move(catching_up);
      continue;
    }
    if (found.empty() || !may_take(found.front().value)) co_return false;
    auto moving = journal_.append(move_here(found));
    const AppendResult moved = co_await std::move(moving);
    if (moved) co_return true;
    if (moved.error().kind != ErrorKind::kOvertaken) co_return false;
  }
  co_return false;
}

// Another node may have stored the session, and this one not applied that yet. An append is applied
// after everything that was in the log before it.
asio::awaitable<void> JournalArchive::catch_up() {
  auto appending = journal_.append({}, {{.key = prefix_ + "mcp/seen", .value = "1"}});
  co_await std::move(appending);
}

// The document of another node.
asio::awaitable<std::optional<Document>> JournalArchive::find_document(std::string key) {
  DocumentQuery next{.prefix = std::string(kNodes), .max_documents = 1};
  for (;;) {
    auto seeking = journal_.read_documents(next);
    const std::vector<Document> any = co_await std::move(seeking);
    if (any.empty()) co_return std::nullopt;
    const std::string node = node_prefix_in(any.front().key);
    next.after = node + kAfterAllKeys;
    if (node == prefix_) continue;
    auto reading = journal_.read_documents(DocumentQuery{.prefix = node + key, .max_documents = 1});
    const std::vector<Document> found = co_await std::move(reading);
    if (!found.empty() && found.front().key == node + key) co_return found.front();
  }
}

// The documents of a session of another node: its own first, then those of its calls.
asio::awaitable<std::vector<Document>> JournalArchive::find_session(std::string session_id) {
  auto finding = find_document(mcp::session_key(session_id));
  const auto session = co_await std::move(finding);
  if (!session) co_return std::vector<Document>();
  std::vector<Document> found = {*session};
  const std::string node = node_prefix_in(session->key);
  auto reading = journal_.read_documents(node + mcp::call_key(session_id, ""));
  std::vector<Document> calls = co_await std::move(reading);
  std::move(calls.begin(), calls.end(), std::back_inserter(found));
  co_return found;
}

asio::awaitable<std::optional<mcp::ForeignEntry>> JournalArchive::find_elsewhere(std::string key) {
  if (prefix_.empty()) co_return std::nullopt;
  auto finding = find_document(key);
  auto found = co_await std::move(finding);
  if (!found) {
    auto catching_up = catch_up();
    co_await std::move(catching_up);
    auto again = find_document(key);
    found = co_await std::move(again);
  }
  if (!found) co_return std::nullopt;
  const std::string node = node_prefix_in(found->key);
  co_return mcp::ForeignEntry{
      .entry = {.key = std::move(key), .value = std::move(found->value)},
      .server = node.substr(kNodes.size(), node.size() - kNodes.size() - 1)};
}

asio::awaitable<Result<std::optional<std::string>>> JournalArchive::ask(std::string server,
                                                                        std::string request) {
  if (!peers_->find(server)) co_return std::optional<std::string>();
  auto calling = peers_->call(std::move(server), kMcpTaskCall, std::move(request), kAskDeadline);
  auto answer = co_await std::move(calling);
  if (!answer) co_return answer.error();
  co_return std::optional(*std::move(answer));
}

asio::awaitable<bool> JournalArchive::take(mcp::ForeignEntry found) {
  const std::string theirs = prefix_of(found.server) + found.entry.key;
  Proposal move;
  move.guards = {{.key = theirs, .value = found.entry.value}};
  move.documents = {{.key = prefix_ + found.entry.key, .value = found.entry.value},
                    {.key = theirs, .value = {}}};
  auto moving = journal_.append(std::move(move));
  const auto moved = co_await std::move(moving);
  co_return moved.has_value();
}

// Without a node in its key, so that the first node decides.
asio::awaitable<std::optional<std::string>> JournalArchive::agree(std::string key,
                                                                  std::string value) {
  if (prefix_.empty()) {
    auto agreeing = Archive::agree(std::move(key), std::move(value));
    co_return co_await std::move(agreeing);
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto reading = journal_.read_documents(DocumentQuery{.prefix = key, .max_documents = 1});
    const std::vector<Document> known = co_await std::move(reading);
    if (!known.empty()) co_return known.front().value;
    Proposal first;
    first.guards = {{.key = key, .value = {}}};
    first.documents = {{.key = key, .value = value}};
    auto storing = journal_.append(std::move(first));
    const auto stored = co_await std::move(storing);
    if (stored) co_return value;
    if (stored.error().kind != ErrorKind::kOvertaken) co_return std::nullopt;
  }
  co_return std::nullopt;
}

// Only if the other node has not changed the session meanwhile.
Proposal JournalArchive::move_here(const std::vector<Document>& documents) const {
  Proposal proposal;
  const std::size_t their_prefix = node_prefix_in(documents.front().key).size();
  for (const Document& document : documents) {
    proposal.documents.push_back(
        {.key = prefix_ + document.key.substr(their_prefix), .value = document.value});
    proposal.documents.push_back({.key = document.key, .value = {}});
  }
  proposal.guards.push_back({.key = documents.front().key, .value = documents.front().value});
  return proposal;
}

// Also reports what this node has ended itself, which it does not have any more.
void JournalArchive::report_taken(const std::vector<Document>& documents,
                                  const std::function<void(std::string key)>& on_taken) const {
  for (const Document& document : documents) {
    if (!document.value.empty() || !document.key.starts_with(prefix_)) continue;
    std::string key = document.key.substr(prefix_.size());
    if (key.starts_with(mcp::kSessionKeys) || key.starts_with(mcp::kTaskKeys))
      on_taken(std::move(key));
  }
}

}  // namespace oriel
