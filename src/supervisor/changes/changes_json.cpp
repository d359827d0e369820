#include "supervisor/changes/changes_json.h"

#include "base/text/ascii.h"
#include "base/text/json_text.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxSubject = 72;

json::object to_json(const FileChange& file) {
  json::object object{{"path", valid_utf8(file.path)}, {"status", name_of(file.kind)}};
  if (!file.old_path.empty()) object["old_path"] = valid_utf8(file.old_path);
  object["binary"] = !file.lines.has_value();
  object["added"] = file.lines.value_or(LineCounts()).added;
  object["removed"] = file.lines.value_or(LineCounts()).removed;
  return object;
}

json::value to_json(const std::optional<WorkspaceBranch>& branch) {
  if (!branch) return nullptr;
  return json::object{{"name", valid_utf8(branch->name)},
                      {"head", branch->head},
                      {"base", valid_utf8(branch->base)},
                      {"base_head", branch->base_head}};
}

json::object heading(const SessionState& session, const ChangesOrigin& origin) {
  return {{"session_id", session.session_id}, {"source", origin.source},
          {"snapshot", origin.snapshot},      {"as_of", format_time(origin.as_of)},
          {"is_current", origin.is_current},  {"note", valid_utf8(origin.note)}};
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

// For a POSIX shell.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

// Whole lines whose JSON is at most `most` bytes.
std::string_view first_lines(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t line = std::min(text.find('\n', end), text.size() - 1) + 1 - end;
    bytes += json_string_size(text.substr(end, line));
    if (bytes > most) break;
    end += line;
  }
  // One line alone may be longer.
  return end > 0 ? text.substr(0, end) : first_bytes(text, most / 8);
}

}  // namespace

json::object changes_json(const SessionState& session, const ChangesOrigin& origin,
                          const std::vector<FileChange>& files,
                          const std::optional<WorkspaceBranch>& branch) {
  json::object object = heading(session, origin);
  json::array list;
  LineCounts lines;
  std::size_t bytes = 0;
  bool is_full = false;
  for (const FileChange& file : files) {
    lines.added += file.lines.value_or(LineCounts()).added;
    lines.removed += file.lines.value_or(LineCounts()).removed;
    if (is_full) continue;
    json::object row = to_json(file);
    bytes += json_text(row).size();
    is_full = list.size() == kMaxChangedFiles || bytes > kMaxChangesBytes;
    if (!is_full) list.push_back(std::move(row));
  }
  object["workspace"] = valid_utf8(session.workspace);
  object["count"] = files.size();
  object["has_more"] = list.size() < files.size();
  object["added"] = lines.added;
  object["removed"] = lines.removed;
  object["files"] = std::move(list);
  json::array left_out;
  for (const std::string& path : origin.left_out.paths)
    left_out.emplace_back(valid_utf8(path));
  object["left_out"] = std::move(left_out);
  object["left_out_count"] = origin.left_out.count;
  object["branch"] = to_json(branch);
  object["commands"] = branch_commands(session, branch);
  return object;
}

json::object diff_json(const SessionState& session, const ChangesOrigin& origin,
                       const std::string& path, std::string patch, bool is_cut,
                       const Redactor* redactor) {
  json::object object = heading(session, origin);
  std::string text = valid_utf8(std::move(patch));
  bool is_masked = false;
  if (redactor != nullptr) {
    if (auto masked = redactor->masked(text)) {
      text = *std::move(masked);
      is_masked = true;
    }
  }
  const std::string_view shown = first_lines(text, kMaxDiffBytes);
  object["path"] = valid_utf8(path);
  object["is_truncated"] = is_cut || shown.size() < text.size();
  object["is_masked"] = is_masked;
  object["patch"] = shown;
  return object;
}

json::array branch_commands(const SessionState& session,
                            const std::optional<WorkspaceBranch>& branch) {
  if (!branch || has_control(session.workspace) || has_control(branch->name)) return {};
  const std::string in = "git -C " + shell_word(session.workspace);
  std::string subject = printable(stripped(session.title), kMaxSubject);
  if (subject.empty()) subject = "Changes of " + session.session_id;
  json::array commands;
  const auto add = [&](std::string_view name, std::string command) {
    commands.push_back(json::object{{"name", name}, {"command", std::move(command)}});
  };
  add("commit", in + " add --all && " + in + " commit --message " + shell_word(subject));
  if (branch->name.empty()) return commands;
  add("push", in + " push --set-upstream origin " + shell_word(branch->name));
  add("pull_request", "cd " + shell_word(session.workspace) + " && gh pr create --head " +
                          shell_word(branch->name) + " --fill");
  return commands;
}

}  // namespace oriel
