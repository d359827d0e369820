#pragma once
// Login links of a cluster: a browser may open a link at any node, and the node that has made it
// redeems it. Links are kept in its memory only.

#include "auth/one_time_codes.h"
#include "cluster/peers.h"

#include <optional>
#include <string>

namespace oriel {

// Usable on any shard. Construct it before the peers start.
class LinkCalls {
 public:
  LinkCalls(Peers& peers, OneTimeCodes& links);

  // Uses up the code of a link of another node. None if no node that can be reached knows it.
  asio::awaitable<std::optional<Principal>> redeem(std::string code);

 private:
  Peers& peers_;
};

// The principal of a link, as nodes send it to each other. Pure.
std::string to_json(const Principal& grant);
std::optional<Principal> parse_grant(std::string_view text);

}  // namespace oriel
