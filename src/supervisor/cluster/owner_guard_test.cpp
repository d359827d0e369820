#include "supervisor/cluster/owner_guard.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Proposal proposal_of(const OwnerGuard& guard) {
  Proposal proposal{.records = {}, .documents = {{.key = "session/s", .value = "{}"}}};
  guard.add_to(proposal);
  return proposal;
}

TEST(R_CLUSTER_4_Guard, EveryAppendOfAnOwnerHoldsOnlyWhileItIsTheOwner) {
  const OwnerGuard guard("s", "a.1");
  for (int i = 0; i < 2; ++i) {
    const Proposal proposal = proposal_of(guard);
    EXPECT_THAT(proposal.guards, ElementsAre(Guard{.key = "owner/s", .value = "a.1"}));
    EXPECT_EQ(proposal.documents.size(), 1U);
  }
}

TEST(R_CLUSTER_4_Guard, TheFirstAppendOfANewSessionNamesItsOwnerUntilItIsStored) {
  const RequestKey request{.owner = "ann", .project_id = "p", .request_id = "r"};
  OwnerGuard guard = OwnerGuard::of_new("s", "a.1", request);
  const std::string request_key = request_document_key(request);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Proposal first = proposal_of(guard);
    EXPECT_THAT(first.guards, ElementsAre(Guard{.key = "owner/s", .value = ""},
                                          Guard{.key = request_key, .value = ""}));
    EXPECT_THAT(first.documents, ElementsAre(Document{.key = "owner/s", .value = "a.1"},
                                             Document{.key = request_key, .value = "s"},
                                             Document{.key = "session/s", .value = "{}"}));
  }
  guard.stored();
  EXPECT_THAT(proposal_of(guard).guards, ElementsAre(Guard{.key = "owner/s", .value = "a.1"}));
}

TEST(R_CLUSTER_4_Guard, WithoutAClusterNothingIsAdded) {
  const Proposal proposal = proposal_of(OwnerGuard());
  EXPECT_THAT(proposal.guards, IsEmpty());
  EXPECT_EQ(proposal.documents.size(), 1U);
}

TEST(R_CLUSTER_4_Guard, TheNodeOfAnOwnerIsTheNameBeforeItsLife) {
  EXPECT_EQ(node_of("node-a.x7"), "node-a");
  EXPECT_EQ(node_of(owner_at_rest("node-a")), "node-a");
  EXPECT_EQ(node_of(""), "");
}

TEST(R_CLUSTER_5_Requests, RequestsOfOthersOrOfOtherProjectsHaveDocumentsOfTheirOwn) {
  const RequestKey request{.owner = "ann", .project_id = "p", .request_id = "r"};
  EXPECT_EQ(request_document_key(request), request_document_key(request));
  const std::vector<RequestKey> others = {{"bob", "p", "r"},
                                          {"ann", "q", "r"},
                                          {"ann", "p", "s"},
                                          {"an", "np", "r"},
                                          {"ann", "pr", ""}};
  for (const RequestKey& other : others)
    EXPECT_NE(request_document_key(other), request_document_key(request)) << other.owner;
}

}  // namespace
}  // namespace oriel
