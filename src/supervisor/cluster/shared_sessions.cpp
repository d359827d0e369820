#include "supervisor/cluster/shared_sessions.h"

#include "base/log.h"
#include "observed/observed_state.h"
#include "supervisor/cluster/owner_guard.h"
#include "supervisor/observers/observed_session.h"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace oriel {
namespace {

// What follows the prefix; none: the key has another one.
std::optional<std::string> id_in(std::string_view key, std::string_view prefix) {
  if (!key.starts_with(prefix)) return std::nullopt;
  return std::string(key.substr(prefix.size()));
}

const std::string& observed_documents() {
  static const std::string kPrefix = observed_document_key("");
  return kPrefix;
}

bool describes_session(const Document& document) {
  const std::string_view key = document.key;
  return key.starts_with(kOwnerDocuments) || key.starts_with(kSessionDocuments) ||
         key.starts_with(observed_documents()) || key.starts_with(kOrganizedDocuments);
}

// Null after a log line: it is damaged.
SessionSnapshot parse_session(std::string_view key, std::string_view value, DocumentReader reader) {
  auto state = parse_document(value, reader);
  if (state) return std::make_shared<const SessionState>(*std::move(state));
  log()->error("{}: {}", key, state.error().message);
  return nullptr;
}

SessionSnapshot parse_observed(std::string_view key, std::string_view value) {
  const auto state = parse_observed_document(value);
  if (state) return std::make_shared<const SessionState>(session_of(*state));
  log()->error("{}: {}", key, state.error().message);
  return nullptr;
}

}  // namespace

SharedSessions::SharedSessions(asio::any_io_executor shard, Journal& journal,
                               SessionRegistry& sessions, const Peers& peers,
                               std::function<void(SessionEntry&)> on_overtaken)
    : shard_(std::move(shard)),
      journal_(journal),
      sessions_(sessions),
      peers_(peers),
      on_overtaken_(std::move(on_overtaken)) {
  journal_.on_documents([this](const std::vector<Document>& documents) {
    std::vector<Document> ours;
    std::copy_if(documents.begin(), documents.end(), std::back_inserter(ours), describes_session);
    if (ours.empty()) return;
    asio::post(shard_, [this, ours = std::move(ours)]() mutable { take(std::move(ours)); });
  });
}

asio::awaitable<void> SharedSessions::load() {
  Owners owners;
  DocumentVisitor note_owner = [&owners](std::string_view key, std::string_view value) {
    owners.emplace(key.substr(kOwnerDocuments.size()), value);
  };
  co_await journal_.visit_documents(std::string(kOwnerDocuments), std::move(note_owner));
  std::vector<SessionSnapshot> found;
  DocumentVisitor parse_hosted = [this, &owners, &found](std::string_view key,
                                                         std::string_view value) {
    const auto owner = owners.find(key.substr(kSessionDocuments.size()));
    const bool runs = owner != owners.end() && is_alive(owner->second);
    const DocumentReader reader = runs ? DocumentReader::kOtherNodes : DocumentReader::kRestart;
    if (SessionSnapshot session = parse_session(key, value, reader)) found.push_back(session);
  };
  co_await journal_.visit_documents(std::string(kSessionDocuments), std::move(parse_hosted));
  DocumentVisitor parse_all_observed = [&found](std::string_view key, std::string_view value) {
    if (SessionSnapshot session = parse_observed(key, value)) found.push_back(session);
  };
  co_await journal_.visit_documents(observed_documents(), std::move(parse_all_observed));
  for (SessionSnapshot& session : found) {
    const auto owner = owners.find(session->session_id);
    sessions_.put(std::move(session), owner == owners.end() ? std::string() : owner->second);
  }
  DocumentVisitor organize = [this](std::string_view key, std::string_view value) {
    auto organization = parse_organization(value);
    if (organization)
      sessions_.organize(std::string(key.substr(kOrganizedDocuments.size())),
                         *std::move(organization));
  };
  co_await journal_.visit_documents(std::string(kOrganizedDocuments), std::move(organize));
  if (!found.empty()) log()->info("{} sessions found in the journal", found.size());
  is_loaded_ = true;
  std::vector<Document> later;
  for (auto& [key, value] : std::exchange(held_, {}))
    later.push_back({.key = key, .value = std::move(value)});
  apply(later);
}

void SharedSessions::forget_agents_of(const std::string& life) {
  for (SessionEntry* const entry : sessions_.all()) {
    const bool has_agent = entry->state->is_live || !entry->state->pending.empty();
    if (entry->owner != life || entry->state->is_observed || !has_agent) continue;
    SessionState state = *entry->state;
    state.is_live = false;
    state.pending.clear();
    entry->state = std::make_shared<const SessionState>(std::move(state));
  }
}

void SharedSessions::take(std::vector<Document> documents) {
  if (is_loaded_) return apply(documents);
  for (Document& document : documents)
    held_[document.key] = std::move(document.value);
}

// Owners first: the others depend on them.
void SharedSessions::apply(const std::vector<Document>& documents) {
  Owners unknown;
  for (const Document& document : documents) {
    if (const auto id = id_in(document.key, kOwnerDocuments))
      apply_owner(*id, document.value, unknown);
  }
  for (const Document& document : documents) {
    if (const auto id = id_in(document.key, kSessionDocuments))
      apply_session(*id, document, unknown);
    else if (const auto observed = id_in(document.key, observed_documents()))
      apply_observed(*observed, document, unknown);
  }
  for (const Document& document : documents) {
    if (const auto id = id_in(document.key, kOrganizedDocuments)) apply_organization(*id, document);
  }
}

void SharedSessions::apply_organization(const std::string& session_id, const Document& document) {
  auto organization = parse_organization(document.value);
  if (organization)
    sessions_.organize(session_id, *std::move(organization));
  else
    log()->error("{}: {}", document.key, organization.error().message);
}

void SharedSessions::apply_owner(const std::string& session_id, const std::string& owner,
                                 Owners& unknown) {
  SessionEntry* const entry = sessions_.find(session_id);
  if (entry == nullptr) {
    unknown[session_id] = owner;
    return;
  }
  // A removed one is removed with its session.
  if (owner.empty() || owner == entry->owner) return;
  sessions_.set_owner(session_id, owner);
  if (entry->runner && !sessions_.is_own(*entry)) on_overtaken_(*entry);
}

// A runner knows its session better than its document does.
void SharedSessions::apply_session(const std::string& session_id, const Document& document,
                                   const Owners& unknown) {
  const SessionEntry* const entry = sessions_.find(session_id);
  if (entry != nullptr && (entry->runner || entry->is_being_created)) return;
  if (document.value.empty()) return sessions_.remove(session_id);
  std::string owner = owner_of(session_id, unknown);
  const bool runs = owner != peers_.life() && owner != owner_at_rest(node_of(owner));
  const DocumentReader reader = runs ? DocumentReader::kOtherNodes : DocumentReader::kRestart;
  if (SessionSnapshot session = parse_session(document.key, document.value, reader))
    sessions_.put(std::move(session), std::move(owner));
}

void SharedSessions::apply_observed(const std::string& session_id, const Document& document,
                                    const Owners& unknown) {
  std::string owner = owner_of(session_id, unknown);
  if (node_of(owner) == peers_.self()) return;
  if (document.value.empty()) return sessions_.remove(session_id);
  if (SessionSnapshot session = parse_observed(document.key, document.value))
    sessions_.put(std::move(session), std::move(owner));
}

std::string SharedSessions::owner_of(const std::string& session_id, const Owners& unknown) {
  if (const SessionEntry* const entry = sessions_.find(session_id)) return entry->owner;
  const auto owner = unknown.find(session_id);
  return owner == unknown.end() ? std::string() : owner->second;
}

bool SharedSessions::is_alive(const std::string& owner) const {
  const auto node = peers_.find(node_of(owner));
  return node && node->life == owner;
}

}  // namespace oriel
