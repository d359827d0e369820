#include "supervisor/changes/recorded_edits.h"

#include "base/text/ascii.h"
#include "base/text/json_access.h"
#include "base/text/line_diff.h"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::string_view kPathKeys[] = {"file_path",   "path",     "filePath",
                                          "target_file", "filename", "notebook_path"};
constexpr std::string_view kBeforeKeys[] = {"old_string", "old_str", "oldText", "old_text",
                                            "before"};
constexpr std::string_view kAfterKeys[] = {"new_string", "new_str", "newText", "new_text", "after"};
constexpr std::string_view kContentKeys[] = {"content", "file_text", "contents"};
constexpr std::string_view kListKeys[] = {"edits", "changes", "content"};

// The first of these members that is a string.
template <std::size_t N>
std::optional<std::string_view> first_text(const json::value& from,
                                           const std::string_view (&keys)[N]) {
  for (const std::string_view key : keys) {
    const json::value& found = member(from, key);
    if (found.is_string()) return text_of(found);
  }
  return std::nullopt;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.push_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

void add_line(RecordedEdit& edit, char sign, std::string_view line) {
  edit.hunk += sign;
  edit.hunk += line;
  edit.hunk += '\n';
  if (sign == '+') ++edit.lines.added;
  if (sign == '-') ++edit.lines.removed;
}

RecordedEdit make_edit(std::string path, std::string_view before, std::string_view after) {
  RecordedEdit edit{.path = std::move(path), .hunk = {}};
  for (const DiffLine& line : diff_lines(lines_of(before), lines_of(after))) {
    const char sign =
        line.kind == DiffKind::kSame ? ' ' : (line.kind == DiffKind::kAdded ? '+' : '-');
    add_line(edit, sign, line.text);
  }
  return edit;
}

// A change of Codex: its kind, and a patch without file names, or the whole text of a new file.
RecordedEdit make_patch_edit(std::string path, std::string_view kind, std::string_view diff) {
  RecordedEdit edit{.path = std::move(path), .hunk = {}};
  const bool is_whole = kind == "add" || kind == "delete";
  if (kind == "add") edit.kind = ChangeKind::kAdded;
  if (kind == "delete") edit.kind = ChangeKind::kDeleted;
  for (const std::string_view line : lines_of(diff)) {
    if (is_whole)
      add_line(edit, kind == "add" ? '+' : '-', line);
    else if (line.starts_with('+') || line.starts_with('-') || line.starts_with(' '))
      add_line(edit, line.front(), line.substr(1));
  }
  return edit;
}

bool writes_whole_file(std::string_view tool_name) {
  const std::string name = lower_case(tool_name);
  return name.find("write") != name.npos || name.find("create") != name.npos;
}

// One edit in an object that has a text before and after it.
void take_edit(const json::value& from, std::string_view outer_path,
               std::vector<RecordedEdit>& edits) {
  const std::string path(first_text(from, kPathKeys).value_or(outer_path));
  if (path.empty()) return;
  if (const json::value& diff = member(from, "diff"); diff.is_string()) {
    const json::value& kind = member(from, "kind");
    edits.push_back(make_patch_edit(path, text_of(kind.is_string() ? kind : member(kind, "type")),
                                    text_of(diff)));
    return;
  }
  const auto before = first_text(from, kBeforeKeys);
  const auto after = first_text(from, kAfterKeys);
  if (!before && !after) return;
  edits.push_back(make_edit(path, before.value_or(""), after.value_or("")));
  if (!before) edits.back().kind = ChangeKind::kAdded;
}

json::value parsed(const std::string& text) {
  boost::system::error_code ec;
  json::value value = json::parse(text, ec);
  return ec ? json::value() : value;
}

}  // namespace

std::vector<RecordedEdit> edits_in(std::string_view tool_name, const json::value& arguments) {
  std::vector<RecordedEdit> edits;
  const std::string_view path = first_text(arguments, kPathKeys).value_or("");
  take_edit(arguments, "", edits);
  for (const std::string_view key : kListKeys) {
    for (const json::value& edit : elements_of(member(arguments, key)))
      take_edit(edit, path, edits);
  }
  const auto content = first_text(arguments, kContentKeys);
  if (edits.empty() && !path.empty() && content && writes_whole_file(tool_name)) {
    edits.push_back(make_edit(std::string(path), "", *content));
    edits.back().kind = ChangeKind::kAdded;
  }
  return edits;
}

void RecordedEdits::take(const SessionEvent& event) {
  if (const auto* call = event.get_if<event::ToolCall>()) {
    note(call->id, edits_in(call->name, parsed(call->input)));
  } else if (const auto* asked = event.get_if<event::PermissionRequested>()) {
    const PermissionAsked& request = asked->permission.asked;
    note(request.tool_call_id, edits_in(request.title, request.details));
  } else if (const auto* result = event.get_if<event::ToolResult>()) {
    const auto found = running_.find(result->id);
    if (found == running_.end()) return;
    Edits edits = std::move(found->second);
    running_.erase(found);
    if (!result->is_ok) return;
    for (RecordedEdit& edit : edits) {
      edit.path = shown_path(std::move(edit.path));
      bytes_ += edit.path.size() + edit.hunk.size();
      std::string path = edit.path;
      done_[std::move(path)].push_back(std::move(edit));
    }
  }
}

// A call and its permission request may both show the same edits.
void RecordedEdits::note(const std::string& tool_call_id, Edits edits) {
  if (tool_call_id.empty() || edits.empty()) return;
  Edits& known = running_[tool_call_id];
  if (known.empty()) known = std::move(edits);
}

std::vector<FileChange> RecordedEdits::files() const {
  std::vector<FileChange> files;
  for (const auto& [path, edits] : done_) {
    FileChange file{.path = path, .kind = edits.front().kind, .lines = LineCounts{}};
    for (const RecordedEdit& edit : edits) {
      file.lines->added += edit.lines.added;
      file.lines->removed += edit.lines.removed;
    }
    if (edits.back().kind == ChangeKind::kDeleted) file.kind = ChangeKind::kDeleted;
    files.push_back(std::move(file));
  }
  return files;
}

std::string RecordedEdits::patch_of(const std::string& path) const {
  const auto found = done_.find(path);
  if (found == done_.end()) return {};
  const Edits& edits = found->second;
  std::string patch = "--- a/" + path + "\n+++ b/" + path + "\n";
  for (std::size_t i = 0; i < edits.size(); ++i) {
    patch += "@@ edit " + std::to_string(i + 1) + " of " + std::to_string(edits.size()) + " @@\n";
    patch += edits[i].hunk;
  }
  return patch;
}

std::string RecordedEdits::patch() const {
  std::string all;
  for (const auto& [path, edits] : done_)
    all += patch_of(path);
  return all;
}

std::string RecordedEdits::shown_path(std::string path) const {
  const std::string inside = workspace_ + "/";
  if (!workspace_.empty() && path.starts_with(inside)) path.erase(0, inside.size());
  return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace oriel
