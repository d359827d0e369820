#pragma once
// `oriel send`: sends a message to an agent and shows its work.

#include "base/event/permission.h"
#include "client/server_access.h"
#include "client/task_reader.h"

#include <boost/json/object.hpp>

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

namespace oriel {

struct SendOptions {
  ServerAccess server;
  std::string message;        // "-" reads standard input
  std::string session;        // an id or a prefix of one; empty: a new session
  bool is_continued = false;  // continue the newest session of the directory
  std::string agent;          // of a new session; empty: the server's default
  std::string project;
  std::filesystem::path directory;  // empty: the current one, or none if there is a project
  std::string title;
  std::optional<PermissionMode> permissions;  // none: the agent's default
  bool is_json = false;                       // JSON lines on a terminal, too
  bool is_detached = false;                   // do not wait for the task
  bool is_colored = true;
};

// The body that creates the session. `directory` is absolute or empty.
boost::json::object new_session_body(const SendOptions& options,
                                     const std::filesystem::path& directory,
                                     const std::string& request_id);

// Sends the message to the session that the options name, or to a new one. Returns the position of
// its task. Blocks.
Result<TaskPosition> start_task(const SendOptions& options);

// Runs the command. On a terminal it shows the task, asks its questions and cancels it on Ctrl-C;
// otherwise it writes one JSON line per event. Returns the exit code: 0 if the task completed, 1 if
// it failed, 130 if it was cancelled.
int send(SendOptions options, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace oriel
