#pragma once
// `oriel sessions`, `oriel cancel`, `oriel end` and `oriel answer`.

#include "cli/render/terminal.h"
#include "client/session_api.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace oriel {

struct SessionsOptions {
  ServerAccess server;
  SessionChoice query;
  std::string session;  // show this one; empty: list all
  bool is_json = false;
  bool is_colored = true;
};

enum class SessionAction { kCancel, kEnd };

struct SessionActionOptions {
  ServerAccess server;
  SessionAction action = SessionAction::kCancel;
  std::string session;
};

struct OrganizeOptions {
  ServerAccess server;
  std::string session;
  boost::json::object change;  // the body of the request
};

struct AnswerOptions {
  ServerAccess server;
  std::string session;
  std::string permission;  // empty: the only open one
  std::string word;        // allow, deny or an option; empty: `texts` are the answers
  std::vector<std::string> texts;
  bool is_confirmed = false;  // allow without asking again
  bool is_colored = true;
};

// Each returns the exit code: 1 if the server rejects the request or cannot be reached. A session
// is named by its id or a prefix of it.
int show_sessions(const SessionsOptions& options, const Screen& screen, std::ostream& out,
                  std::ostream& err);
int organize_session(const OrganizeOptions& options, std::ostream& out, std::ostream& err);
int act_on_session(const SessionActionOptions& options, std::ostream& out, std::ostream& err);

// Shows the whole request before it answers. Before it allows one, it asks at the keyboard. Without
// a keyboard (null) the options must have the whole id of the request, or confirm it.
int answer_permission(const AnswerOptions& options, const Screen& screen, std::istream* keyboard,
                      std::ostream& out, std::ostream& err);

}  // namespace oriel
