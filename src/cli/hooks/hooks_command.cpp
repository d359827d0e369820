#include "cli/hooks/hooks_command.h"

#include "base/text/json_access.h"
#include "base/text/printable.h"
#include "cli/hooks/hook_settings.h"
#include "cli/report_error.h"
#include "posix/text_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr HttpDeadlines kStatusDeadlines{.connect = std::chrono::seconds(2),
                                         .response = std::chrono::seconds(2)};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string marked(char mark, std::string_view line) {
  return mark + std::string(line) + (line.ends_with('\n') ? "" : "\n");
}

Error with_file(Error error, const fs::path& file) {
  if (error.kind == ErrorKind::kUnfitFile) error.message = file.string() + " " + error.message;
  return error;
}

int edit(const HooksOptions& options, std::ostream& out, std::ostream& err) {
  const bool is_install = options.action == HooksAction::kInstall;
  const fs::path file = file_behind(options.file);
  const auto before = read_text_file(file);
  if (!before) return report_error(err, before.error(), kExitFailure);
  const EditedText after =
      is_install ? install_hooks(*before, options.command) : remove_hooks(*before);
  if (!after) return report_error(err, with_file(after.error(), file), kExitFailure);
  if (!*after) {
    err << file.string()
        << (is_install ? " already has the hooks.\n" : " has no hooks of Oriel.\n");
    return 0;
  }
  if (options.is_dry_run) {
    err << file.string() << " would change:\n" << std::flush;
    out << changed_lines(*before, **after) << std::flush;
    return out ? 0 : kExitFailure;
  }
  const bool is_new = !fs::exists(file);
  const auto changed = change_text_file(file, **after);
  if (!changed) return report_error(err, changed.error(), kExitFailure);
  err << fmt::format(
      "{} {}{}\n", is_install ? "Installed the hooks:" : "Removed the hooks:", file.string(),
      is_new ? "" : fmt::format(" (previous version: {})", backup_of(file).string()));
  if (is_install) err << "Restart running Claude Code sessions to apply them.\n";
  return 0;
}

// For people; empty if all is well.
std::string hook_problem(const InstalledHook& hook, const std::string& command) {
  if (hook.commands.empty()) return "missing";
  if (hook.commands.size() > 1) return fmt::format("{} times", hook.commands.size());
  if (hook.commands.front() != command) return "another: " + printable(hook.commands.front());
  return {};
}

// For people; empty if the server responds.
std::string server_problem(const ServerAccess& server) {
  const auto answer =
      fetch_now(make_request(server, "GET", "/api/sessions?limit=1"), kStatusDeadlines);
  if (!answer) return format_error(unreachable_error(server, answer.error()));
  if (answer->status == 401) {
    return server.url.origin() +
           ": it requires a token\n  start Claude Code with one in the variable ORIEL_TOKEN";
  }
  if (answer->status != 200)
    return server.url.origin() + ": " + format_error(response_error(*answer));
  return {};
}

int show_status(const HooksOptions& options, std::ostream& out, std::ostream& err) {
  const fs::path file = file_behind(options.file);
  const auto text = read_text_file(file);
  if (!text) return report_error(err, text.error(), kExitFailure);
  const auto installed = installed_hooks(*text);
  if (!installed) return report_error(err, with_file(installed.error(), file), kExitFailure);
  bool is_complete = true;
  out << file.string() << "\n";
  for (const InstalledHook& hook : installed->hooks) {
    const std::string problem = hook_problem(hook, options.command);
    is_complete = is_complete && problem.empty();
    out << fmt::format("  {:<18} {}\n", hook.event, problem.empty() ? "installed" : problem);
  }
  const std::string problem = server_problem(options.server);
  out << "server\n  " << (problem.empty() ? options.server.url.origin() + " answers" : problem)
      << "\n"
      << std::flush;
  if (!is_complete) err << "`oriel hooks install` installs all eight.\n";
  if (installed->are_disabled)
    err << "The settings have disableAllHooks: Claude Code runs no hooks.\n";
  const bool is_well = is_complete && problem.empty() && !installed->are_disabled;
  return is_well && out ? 0 : kExitFailure;
}

}  // namespace

std::string changed_lines(const std::string& before, const std::string& after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const std::size_t most = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0;
  while (head < most && old_lines[head] == new_lines[head])
    ++head;
  std::size_t tail = 0;
  while (tail < most - head && *(old_lines.end() - 1 - tail) == *(new_lines.end() - 1 - tail))
    ++tail;
  std::string text;
  if (head > 0) text += marked(' ', old_lines[head - 1]);
  for (std::size_t i = head; i < old_lines.size() - tail; ++i)
    text += marked('-', old_lines[i]);
  for (std::size_t i = head; i < new_lines.size() - tail; ++i)
    text += marked('+', new_lines[i]);
  if (tail > 0) text += marked(' ', old_lines[old_lines.size() - tail]);
  return text;
}

int hooks_command(const HooksOptions& options, std::ostream& out, std::ostream& err) {
  if (options.action == HooksAction::kStatus) return show_status(options, out, err);
  return edit(options, out, err);
}

}  // namespace oriel
