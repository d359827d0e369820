#include "server/cluster/token_sharing.h"

#include "base/log.h"
#include "base/text/printable.h"
#include "journal/proposal.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxForgotten = 100;  // in one round

}  // namespace

std::string token_document_key(std::string_view id) {
  return std::string(kTokenDocuments) + std::string(id);
}

std::string token_name_document_key(std::string_view name) {
  return "token_name/" + std::string(name);
}

TokenSharing::TokenSharing(asio::any_io_executor shard, Journal& journal, BlockingThread& blocking,
                           TokenStore& tokens)
    : shard_(shard), journal_(journal), blocking_(blocking), tokens_(tokens), changed_(shard) {
  journal_.on_documents([this](const std::vector<Document>& documents) {
    std::vector<Document> ours;
    const auto is_ours = [](const Document& document) {
      return document.key.starts_with(kTokenDocuments);
    };
    std::copy_if(documents.begin(), documents.end(), std::back_inserter(ours), is_ours);
    if (ours.empty()) return;
    asio::post(shard_, [this, ours = std::move(ours)] { take(ours); });
  });
}

asio::awaitable<void> TokenSharing::start() {
  auto reading = journal_.read_documents(std::string(kTokenDocuments));
  std::vector<Document> documents = co_await std::move(reading);
  is_loaded_ = true;
  take(documents);
  take(std::exchange(held_, {}));
  finished_ = wanted_;
  co_await make_round();
}

asio::awaitable<void> TokenSharing::run() {
  while (true) {
    while (finished_ == wanted_)
      co_await changed_.wait();
    const std::uint64_t round = wanted_;
    co_await make_round();
    finished_ = round;
    changed_.notify();
  }
}

void TokenSharing::look() {
  if (!tokens_.has_unmerged() && !is_incomplete_) return;
  asio::post(shard_, [this] { want_round(); });
}

asio::awaitable<void> TokenSharing::share() {
  auto finishing = finish_round();
  co_await finish_on(shard_, std::move(finishing));
}

void TokenSharing::stop() {
  is_stopping_ = true;
  changed_.notify();
}

void TokenSharing::take(const std::vector<Document>& documents) {
  if (!is_loaded_) {
    held_.insert(held_.end(), documents.begin(), documents.end());
    return;
  }
  for (const Document& document : documents)
    shared_.take(document.key.substr(kTokenDocuments.size()), document.value);
  want_round();
}

void TokenSharing::want_round() {
  if (!is_loaded_) return;
  ++wanted_;
  changed_.notify();
}

asio::awaitable<void> TokenSharing::finish_round() {
  want_round();
  const std::uint64_t round = wanted_;
  while (finished_ < round && !is_stopping_)
    co_await changed_.wait();
}

// Without it the next look wants another one.
asio::awaitable<void> TokenSharing::make_round() {
  is_incomplete_ = true;
  const WallTime now = wall_now();
  auto merge = [this, shared = shared_, now] { return tokens_.merge(shared, now); };
  try {
    TokenMerge merged = co_await blocking_.run(std::move(merge));
    is_incomplete_ = false;
    co_await publish(std::move(merged));
    co_await forget_revoked(now - kRememberRevoked);
  } catch (const std::runtime_error& failure) {
    report(failure.what());
  }
}

// Revocations first: their names are free then.
asio::awaitable<void> TokenSharing::publish(TokenMerge merge) {
  for (const TokenMerge::Renamed& renamed : merge.renamed) {
    log()->warn("tokens: another node has created {}, too; the one of this node is called {} now",
                printable(renamed.from), printable(renamed.to));
  }
  for (const std::string& id : merge.revoked) {
    const auto found = shared_.valid.find(id);
    if (found == shared_.valid.end()) continue;
    auto revoking = revoke(found->second);
    const bool goes_on = co_await std::move(revoking);
    if (!goes_on) co_return;
  }
  for (const Token& token : merge.created) {
    Proposal creation = creation_of(token);
    const Appended appended = co_await append(std::move(creation));
    if (appended == Appended::kNot) co_return;
  }
}

asio::awaitable<void> TokenSharing::forget_revoked(WallTime before) {
  std::vector<Proposal> removals;
  for (const auto& [id, revocation] : shared_.revoked) {
    if (!revocation.expires || *revocation.expires > before) continue;
    removals.emplace_back().documents = {{.key = token_document_key(id), .value = {}}};
    if (removals.size() == kMaxForgotten) break;
  }
  for (Proposal& removal : removals) {
    const Appended appended = co_await append(std::move(removal));
    if (appended == Appended::kNot) co_return;
  }
}

// Whatever has become of its name.
asio::awaitable<bool> TokenSharing::revoke(Token token) {
  const Document revocation{.key = token_document_key(token.id),
                            .value = to_document(Revocation{.expires = token.expires})};
  const std::string name_key = token_name_document_key(token.name);
  Proposal with_name;
  with_name.guards = {{.key = name_key, .value = token.id}};
  with_name.documents = {revocation, {.key = name_key, .value = {}}};
  const Appended appended = co_await append(std::move(with_name));
  if (appended != Appended::kOvertaken) co_return appended == Appended::kStored;
  Proposal alone;
  alone.documents = {revocation};
  co_return co_await append(std::move(alone)) != Appended::kNot;
}

// What is overtaken is judged anew when the other node's change has arrived.
asio::awaitable<TokenSharing::Appended> TokenSharing::append(Proposal proposal) {
  auto appending = journal_.append(std::move(proposal));
  const auto stored = co_await std::move(appending);
  if (stored) co_return Appended::kStored;
  is_incomplete_ = true;
  if (stored.error().kind == ErrorKind::kOvertaken) co_return Appended::kOvertaken;
  report(describe(stored.error()));
  co_return Appended::kNot;
}

// Its creator may be revoked meanwhile: then no node accepts it, and it is revoked, too.
Proposal TokenSharing::creation_of(const Token& token) {
  Proposal creation;
  creation.documents = {{.key = token_document_key(token.id), .value = to_document(token)},
                        {.key = token_name_document_key(token.name), .value = token.id}};
  for (const Document& document : creation.documents)
    creation.guards.push_back({.key = document.key, .value = {}});
  return creation;
}

void TokenSharing::report(const std::string& problem) {
  if (is_stopping_) return;
  const auto left_out = failures_.admit(problem, std::chrono::steady_clock::now());
  if (left_out)
    log()->error("tokens: the other nodes do not know this node's changes yet: {}{}", problem,
                 FailureLog::note(*left_out));
}

}  // namespace oriel
