#pragma once
// The changes of a session as its agent reported them: the edits in the arguments of its tools.
// What commands have changed is not in them. Pure.

#include "base/event/session_event.h"
#include "supervisor/changes/change_list.h"

#include <map>
#include <string>
#include <vector>

namespace oriel {

// An edit of a file; line numbers are not known.
struct RecordedEdit {
  std::string path;
  std::string hunk;  // lines that begin with ' ', '+' or '-'
  ChangeKind kind = ChangeKind::kModified;
  LineCounts lines = {};

  bool operator==(const RecordedEdit&) const = default;
};

// The edits in the arguments or details of a tool call, by the keys of known agents.
std::vector<RecordedEdit> edits_in(std::string_view tool_name, const boost::json::value& arguments);

// Collects the edits of tool calls that have succeeded.
class RecordedEdits {
 public:
  // Paths below the workspace are shown relative to it.
  explicit RecordedEdits(std::string workspace) : workspace_(std::move(workspace)) {}

  // In the order of the session.
  void take(const SessionEvent& event);

  std::vector<FileChange> files() const;  // ordered by path

  // All edits of the file as a patch, or of all files. Empty: there are none.
  std::string patch_of(const std::string& path) const;
  std::string patch() const;

  // Of all texts that it holds.
  std::size_t bytes() const { return bytes_; }

 private:
  using Edits = std::vector<RecordedEdit>;

  void note(const std::string& tool_call_id, Edits edits);
  std::string shown_path(std::string path) const;

  const std::string workspace_;
  std::map<std::string, Edits> running_;  // by tool call
  std::map<std::string, Edits> done_;     // by path
  std::size_t bytes_ = 0;
};

}  // namespace oriel
