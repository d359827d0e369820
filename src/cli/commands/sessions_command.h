#pragma once
// `oriel sessions`, `oriel cancel`, `oriel end`, `oriel answer`: sessions from outside.

#include "cli/render/terminal.h"
#include "client/session_api.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace oriel {

struct SessionsOptions {
  ServerAccess server;
  SessionChoice query;
  std::string session;  // show this one; empty: list them
  bool is_json = false;
  bool is_colored = true;
};

enum class SessionAction { kCancel, kEnd };

struct SessionActionOptions {
  ServerAccess server;
  SessionAction action = SessionAction::kCancel;
  std::string session;
};

struct AnswerOptions {
  ServerAccess server;
  std::string session;
  std::string permission;  // empty: the only one that waits
  std::string word;        // allow, deny or an option; empty: `texts` answer its questions
  std::vector<std::string> texts;
};

// Each returns the exit code: 1 when the server refuses or is away. A session is named by its id or
// the beginning of it.
int show_sessions(const SessionsOptions& options, const Screen& screen, std::ostream& out,
                  std::ostream& err);
int act_on_session(const SessionActionOptions& options, std::ostream& out, std::ostream& err);
int answer_permission(const AnswerOptions& options, std::ostream& out, std::ostream& err);

}  // namespace oriel
