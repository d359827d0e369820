#pragma once
// Who owns a session in a cluster: the document that says so, and the guards of the owner's
// appends. Pure.

#include "journal/proposal.h"
#include "supervisor/sessions/request_key.h"

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// "owner/<session_id>". Its value is the life of the node that runs the session, or "<node>.": no
// process runs it, and its workspace or transcript is on that node.
std::string owner_document_key(std::string_view session_id);
constexpr std::string_view kOwnerDocuments = "owner/";

// The node of such a value; empty: there is none.
std::string node_of(std::string_view owner);

// "<node>."
std::string owner_at_rest(std::string_view node);

// "request/<hash>". Its value is the id of the session that the request has created.
std::string request_document_key(const RequestKey& request);

// Adds to the appends of a session what makes them those of its owner. They fail with overtaken
// once the session has another one.
class OwnerGuard {
 public:
  OwnerGuard() = default;  // without a cluster it adds nothing

  // Of a session that the node owns.
  OwnerGuard(const std::string& session_id, std::string owner);

  // Of a session that has no owner yet. The first append makes it one, unless another node has put
  // the owner's or this request's document before.
  static OwnerGuard of_new(const std::string& session_id, std::string owner,
                           const RequestKey& request = {});

  bool is_in_cluster() const { return !key_.empty(); }

  // For every attempt of an append.
  void add_to(Proposal& proposal) const;

  // An append was stored.
  void stored() { first_.clear(); }

 private:
  std::string key_;
  std::string owner_;
  std::vector<Document> first_;  // put by the first append; none of them may exist before
};

}  // namespace oriel
