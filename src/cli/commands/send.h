#pragma once
// `oriel send`: a message to an agent, and its answer as it comes.

#include "client/server_access.h"
#include "client/task_reader.h"

#include <boost/json/object.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>

namespace oriel {

struct SendOptions {
  ServerAccess server;
  std::string message;        // "-" stands for what standard input holds
  std::string session;        // an id or the beginning of one; empty: a new session
  bool is_continued = false;  // the newest session of the directory, instead
  std::string agent;          // of a new session; empty: the server's default
  std::string project;
  std::filesystem::path directory;  // empty: the current one, or none when a project is given
  std::string title;
  std::string permissions;   // ask, allow or deny; empty: the agent's own
  bool is_json = false;      // lines of JSON on a terminal, too
  bool is_detached = false;  // do not wait for the answer
  bool is_colored = true;
};

// The body that creates the session. `directory` is absolute or empty.
boost::json::object new_session_body(const SendOptions& options,
                                     const std::filesystem::path& directory,
                                     const std::string& request_id);

// Hands the message over: to the session that the options name, or to a new one. Returns where its
// task begins. Blocks.
Result<TaskPlace> start_task(const SendOptions& options);

// The command. On a terminal it shows the task for a person, who may answer its questions and
// cancel it by Ctrl-C; else a line of JSON an event. Returns the exit code: 0 when the task
// completed, 1 when it failed, 130 when it was cancelled.
int send(SendOptions options, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace oriel
