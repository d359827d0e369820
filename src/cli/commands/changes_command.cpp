#include "cli/commands/changes_command.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "cli/report_error.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

std::int64_t number_at(const json::value& from, std::string_view key) {
  return number_of(member(from, key)).value_or(0);
}

// For a terminal: nothing in the patch controls it. A file gets the bytes as they are.
std::string shown_patch(std::string_view patch, const Screen& screen) {
  if (!screen.is_terminal) return std::string(patch);
  std::string shown;
  while (!patch.empty()) {
    const std::string_view line = patch.substr(0, patch.find('\n'));
    patch.remove_prefix(std::min(line.size() + 1, patch.size()));
    std::string_view color;
    if (line.starts_with("+++") || line.starts_with("---") || line.starts_with("diff "))
      color = kBold;
    else if (line.starts_with('+'))
      color = kGreen;
    else if (line.starts_with('-'))
      color = kRed;
    else if (line.starts_with("@@"))
      color = kDim;
    const std::string text = printable_lines(line);
    shown += color.empty() ? text : paint(screen.is_colored, color, text);
    shown += '\n';
  }
  return shown;
}

std::string name_of(const json::value& file) {
  const std::string old_path = text_at(file, "old_path");
  const std::string path = text_at(file, "path");
  return printable(old_path.empty() ? path : old_path + " => " + path);
}

std::string stat_line(const json::value& file, std::size_t width, const Screen& screen) {
  const std::string name = name_of(file);
  const std::string gap(width - std::min(width, display_width(name)), ' ');
  std::string counts = "binary";
  if (!is_true(member(file, "binary"))) {
    counts = paint(screen.is_colored, kGreen, fmt::format("+{}", number_at(file, "added"))) + " " +
             paint(screen.is_colored, kRed, fmt::format("-{}", number_at(file, "removed")));
  }
  return fmt::format(" {}{} | {} {}\n", name, gap, counts, text_at(file, "status"));
}

std::string stat_text(const json::object& changes, const Screen& screen) {
  const json::array& files = elements_of(member(changes, "files"));
  std::size_t width = 0;
  for (const json::value& file : files)
    width = std::max(width, display_width(name_of(file)));
  std::string text;
  for (const json::value& file : files)
    text += stat_line(file, width, screen);
  text += fmt::format(" {} files changed, +{} -{}\n", number_at(changes, "count"),
                      number_at(changes, "added"), number_at(changes, "removed"));
  if (const std::string branch = text_at(changes, "branch", "name"); !branch.empty())
    text += " on branch " + printable(branch) + "\n";
  for (const json::value& command : elements_of(member(changes, "commands")))
    text += paint(screen.is_colored, kDim, "   " + printable(text_at(command, "command"))) + "\n";
  return text;
}

// What the answer leaves out, a line each.
std::string left_out_of(const json::object& answer) {
  std::string notes;
  const std::string note = text_at(answer, "note");
  if (!note.empty()) notes += "oriel: " + printable(note) + "\n";
  if (is_true(member(answer, "has_more")))
    notes += "oriel: more files have changed than are listed\n";
  for (const json::value& path : elements_of(member(answer, "left_out")))
    notes += "oriel: not compared, too large or unreadable: " + printable(text_of(path)) + "\n";
  const json::array& named = elements_of(member(answer, "left_out"));
  const std::int64_t unnamed =
      number_at(answer, "left_out_count") - static_cast<std::int64_t>(named.size());
  if (unnamed > 0) notes += fmt::format("oriel: {} more files are not compared\n", unnamed);
  const std::string path = printable(text_at(answer, "path"));
  if (is_true(member(answer, "is_truncated")))
    notes += "oriel: the patch of " + path + " is longer than is shown\n";
  if (is_true(member(answer, "is_masked")))
    notes += "oriel: the patch of " + path + " has secrets, which are masked\n";
  return notes;
}

Result<json::object> read_patch(const ChangesOptions& options, const std::string& target,
                                const std::string& path, const std::string& snapshot) {
  return get_now(options.server,
                 api_target(target + "/diff", {{"path", path}, {"snapshot", snapshot}}));
}

int finished(std::ostream& out) {
  out << std::flush;
  return out ? 0 : kExitFailure;
}

}  // namespace

int show_changes(const ChangesOptions& options, const Screen& screen, std::ostream& out,
                 std::ostream& err) {
  const auto session = find_session(options.server, options.session);
  if (!session) return report_error(err, session.error(), kExitFailure);
  const std::string target = "/api/sessions/" + text_at(*session, "session_id") + "/changes";
  const bool is_one = !options.path.empty();
  if (is_one && options.form != ChangesForm::kStat) {
    const auto diff = read_patch(options, target, options.path, "");
    if (!diff) return report_error(err, diff.error(), kExitFailure);
    if (options.form == ChangesForm::kJson) {
      out << json_text(*diff) << '\n';
      return finished(out);
    }
    out << shown_patch(text_at(*diff, "patch"), screen);
    err << left_out_of(*diff);
    return finished(out);
  }
  const auto changes = get_now(options.server, target);
  if (!changes) return report_error(err, changes.error(), kExitFailure);
  if (options.form == ChangesForm::kJson) {
    out << json_text(*changes) << '\n';
    return finished(out);
  }
  if (options.form == ChangesForm::kStat) {
    out << stat_text(*changes, screen);
    err << left_out_of(*changes);
    return finished(out);
  }
  // A file at a time, so that none is cut because of the others.
  const std::string snapshot = text_at(*changes, "snapshot");
  for (const json::value& file : elements_of(member(*changes, "files"))) {
    const auto diff = read_patch(options, target, text_at(file, "path"), snapshot);
    if (!diff) return report_error(err, diff.error(), kExitFailure);
    out << shown_patch(text_at(*diff, "patch"), screen);
    json::object rest = *diff;
    rest.erase("note");
    err << left_out_of(rest);
    if (!out) return kExitFailure;
  }
  err << left_out_of(*changes);
  return finished(out);
}

}  // namespace oriel
