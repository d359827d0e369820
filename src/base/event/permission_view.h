#pragma once
// A permission request as rows of text. Shows every field that the agent sent, and no character is
// invisible. Pure.

#include "base/event/permission.h"
#include "base/text/printable.h"

#include <string>
#include <vector>

namespace oriel {

enum class RowKind { kField, kText, kSame, kAdded, kRemoved };

struct PermissionRow {
  RowKind kind = RowKind::kField;
  std::string label;  // of a field: its path, such as input.command
  std::string text;   // visible; empty for a field whose text is in the rows below

  bool operator==(const PermissionRow&) const = default;
};

struct PermissionView {
  std::string title;  // visible, one line; a longer title is also in the rows
  std::vector<PermissionRow> rows;
};

// Clients with a fold show this many rows first, and cannot allow the request before it is
// unfolded.
constexpr std::size_t kFoldRows = 40;

// One field for each value in the input and the details, in the agent's order. An old and a new
// text become a diff with every line of both. A row wider than `max_columns` continues in the next
// one, after "↪ ".
PermissionView view_permission(const PermissionAsked& asked, std::size_t max_columns = kAnyWidth);

// The row as a line: "input.command: ls", "  │ text", "  + added".
std::string row_text(const PermissionRow& row);

// The scope of a lasting option, visible, in lines. Empty for an option that decides only this
// request.
std::vector<std::string> scope_lines(const PermissionOption& option);

}  // namespace oriel
