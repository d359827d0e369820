#pragma once
// REST calls about sessions.

#include "client/server_access.h"
#include "client/session_info.h"

#include <boost/json/object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace oriel {

// A target with parameters, omitting empty ones: "/api/sessions?agent=demo&workspace=%2Fsrc".
std::string api_target(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& parameters);

// A POST of JSON.
HttpRequest api_post(const ServerAccess& access, const std::string& target,
                     const boost::json::object& body);

// The object in a 2xx response, else an error.
Result<boost::json::object> api_result(const ServerAccess& access, Result<HttpResponse> response);

Result<boost::json::object> get_now(const ServerAccess& access, const std::string& target);
Result<boost::json::object> post_now(const ServerAccess& access, const std::string& target,
                                     const boost::json::object& body);

Result<boost::json::object> patch_now(const ServerAccess& access, const std::string& target,
                                      const boost::json::object& body);

struct SessionChoice {
  std::string project = {};
  std::string agent = {};
  std::string status = {};
  std::string workspace = {};
  std::string label = {};
  std::string archived = {};  // "true" or "any"; empty: those that are not
  std::string limit = {};     // empty: the server's default
};

// Newest first, as JSON.
Result<std::vector<boost::json::object>> list_sessions(const ServerAccess& access,
                                                       const SessionChoice& query);

// By its id or a unique prefix of it. As JSON.
Result<boost::json::object> find_session(const ServerAccess& access, const std::string& id);

struct Sought {
  std::string kind;  // "session"
  std::string hint;  // how to find one
};

// The id in `ids` that equals `id`, or the only one that starts with it.
Result<std::string> match_id(const Sought& what, const std::string& id,
                             const std::vector<std::string>& ids);

}  // namespace oriel
