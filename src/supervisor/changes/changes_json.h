#pragma once
// Changes of a session as JSON for endpoints, within the size of an answer. Pure.

#include "base/text/redactor.h"
#include "base/time.h"
#include "session/session_state.h"
#include "supervisor/changes/change_list.h"
#include "supervisor/changes/snapshot_record.h"
#include "supervisor/changes/workspace_branch.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

constexpr std::size_t kMaxChangedFiles = 1000;       // listed
constexpr std::size_t kMaxChangesBytes = 400 << 10;  // of their names, as JSON
constexpr std::size_t kMaxDiffBytes = 512 << 10;     // of a diff, as JSON

// Where changes come from.
struct ChangesOrigin {
  std::string_view source;  // "git" or "events"
  std::string snapshot = {};
  WallTime as_of = {};
  bool is_current = true;
  std::string note = {};  // what it does not show; empty: nothing
  LeftOut left_out = {};
};

boost::json::object changes_json(const SessionState& session, const ChangesOrigin& origin,
                                 const std::vector<FileChange>& files,
                                 const std::optional<WorkspaceBranch>& branch);

// `is_cut`: the patch is not all of it. Masks secrets unless the redactor is null.
boost::json::object diff_json(const SessionState& session, const ChangesOrigin& origin,
                              const std::string& path, std::string patch, bool is_cut,
                              const Redactor* redactor);

// Shell commands for people: commit, push and open a pull request. Empty if the workspace has no
// branch, or a name with a control character.
boost::json::array branch_commands(const SessionState& session,
                                   const std::optional<WorkspaceBranch>& branch);

}  // namespace oriel
