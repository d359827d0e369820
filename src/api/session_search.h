#pragma once
// Search in the sessions that a principal sees, as REST and MCP offer it.

#include "api/visible_sessions.h"
#include "search/search_index.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace oriel {

constexpr std::int64_t kDefaultSearchLimit = 20;
constexpr std::int64_t kMaxSearchLimit = 100;

// What a client asks for, as it came. An empty field means any.
struct SearchRequest {
  std::string q = {};
  std::string project_id = {};
  std::string agent = {};
  std::string session_id = {};
  std::vector<std::string> types = {};
  std::string role = {};   // "user" or "agent"
  std::string since = {};  // RFC 3339
  std::string until = {};
  std::string cursor = {};
  std::int64_t limit = kDefaultSearchLimit;
};

// Without the sessions. An error names the parameter. Pure.
Result<SearchQuery> parse_search(const SearchRequest& request);

struct SearchAnswer {
  SearchResults results;
  std::vector<SessionSnapshot> sessions;  // of the results
};

// session_id, title, type, snippet, ranges, link, ...
boost::json::object to_json(const SearchHit& hit, const SessionState& session);

// Of the page, relative to its address: "#/sessions/ses_1?at=turn_2", where the entry is shown.
std::string link_to(const SearchEntry& entry);

// Must outlive the HTTP server. Usable on any shard.
class SessionSearch {
 public:
  SessionSearch(VisibleSessions& sessions, SearchIndex& index)
      : sessions_(sessions), index_(index) {}

  // Errors: those of parse_search() and SearchIndex, and kUnknownSession.
  asio::awaitable<Result<SearchAnswer>> search(Principal principal, SearchRequest request);

 private:
  VisibleSessions& sessions_;
  SearchIndex& index_;
};

}  // namespace oriel
