#include "supervisor/cluster/owner_guard.h"

#include "base/text/text_hash.h"

#include <utility>

namespace oriel {

std::string owner_document_key(std::string_view session_id) {
  return std::string(kOwnerDocuments) + std::string(session_id);
}

std::string node_of(std::string_view owner) {
  return std::string(owner.substr(0, owner.find('.')));
}

std::string owner_at_rest(std::string_view node) {
  return std::string(node) + ".";
}

std::string request_document_key(const RequestKey& request) {
  // A separator that no name contains.
  constexpr std::string_view kSeparator("\0", 1);
  std::uint64_t hash = text_hash(request.owner);
  for (const std::string_view part :
       {std::string_view(request.project_id), std::string_view(request.request_id)}) {
    hash = text_hash(kSeparator, hash);
    hash = text_hash(part, hash);
  }
  return "request/" + hex(hash);
}

OwnerGuard::OwnerGuard(const std::string& session_id, std::string owner)
    : key_(owner_document_key(session_id)), owner_(std::move(owner)) {}

OwnerGuard OwnerGuard::of_new(const std::string& session_id, std::string owner,
                              const RequestKey& request) {
  OwnerGuard guard(session_id, std::move(owner));
  guard.first_.push_back({.key = guard.key_, .value = guard.owner_});
  if (!request.request_id.empty())
    guard.first_.push_back({.key = request_document_key(request), .value = session_id});
  return guard;
}

void OwnerGuard::add_to(Proposal& proposal) const {
  if (!is_in_cluster()) return;
  if (first_.empty()) {
    proposal.guards.push_back({.key = key_, .value = owner_});
    return;
  }
  for (const Document& document : first_)
    proposal.guards.push_back({.key = document.key, .value = {}});
  // Before the others: who reads the session's document knows its owner.
  proposal.documents.insert(proposal.documents.begin(), first_.begin(), first_.end());
}

}  // namespace oriel
