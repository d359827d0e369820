#pragma once
// The server's sessions, for the commands that talk to them.

#include "client/server_access.h"
#include "client/session_info.h"

#include <boost/json/object.hpp>

#include <string>
#include <utility>
#include <vector>

namespace oriel {

// "/api/sessions?agent=demo&workspace=%2Fsrc": a target with these parameters, without the empty
// ones.
std::string api_target(std::string path,
                       const std::vector<std::pair<std::string, std::string>>& parameters);

// A POST of JSON; an empty body is sent as {}.
HttpRequest api_post(const ServerAccess& access, const std::string& target,
                     const boost::json::object& body);

// The object in an answer of 2xx; else what the server, or the way to it, says for a person.
Result<boost::json::object> api_result(const ServerAccess& access, Result<HttpAnswer> answer);

Result<boost::json::object> get_now(const ServerAccess& access, const std::string& target);
Result<boost::json::object> post_now(const ServerAccess& access, const std::string& target,
                                     const boost::json::object& body);

struct SessionChoice {
  std::string project = {};
  std::string agent = {};
  std::string status = {};
  std::string workspace = {};
  std::string limit = {};  // at most so many; empty: the server's own limit
};

// Newest first, as JSON.
Result<std::vector<boost::json::object>> list_sessions(const ServerAccess& access,
                                                       const SessionChoice& query);

// By its id, or the beginning of one that no other session has. As JSON.
Result<boost::json::object> find_session(const ServerAccess& access, const std::string& id);

struct Sought {
  std::string kind;  // "session"
  std::string hint;  // where to find one
};

// Which of `ids` is meant: itself, or the only one that begins so.
Result<std::string> match_id(const Sought& what, const std::string& id,
                             const std::vector<std::string>& ids);

}  // namespace oriel
