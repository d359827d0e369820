#include "cli/commands/check_command.h"

#include "base/text/json_text.h"
#include "cli/report_error.h"
#include "journal/check/journal_check.h"
#include "journal/check/journal_repair.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <spdlog/fmt/fmt.h>

#include <ostream>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

json::object json_of(const fs::path& file, const JournalCheck& check) {
  return {{"file", file.string()},
          {"sound", check.is_sound()},
          {"oldest", check.oldest},
          {"newest", check.newest},
          {"sound_events", check.sound},
          {"lost_events", check.lost},
          {"known_missing_events", check.known_missing},
          {"documents", check.documents},
          {"problems", json::array(check.problems.begin(), check.problems.end())}};
}

std::string report_of(const fs::path& file, const JournalCheck& check) {
  std::string text =
      fmt::format("{}: {} events ({} to {}) and {} documents are sound\n", file.string(),
                  check.sound, check.oldest, check.newest, check.documents);
  if (check.known_missing > 0)
    text += fmt::format("  {} events are missing; this is known\n", check.known_missing);
  for (const std::string& problem : check.problems)
    text += "  " + problem + "\n";
  if (check.is_sound()) return text + "No damage was found.\n";
  return text + fmt::format(
                    "The journal is damaged: {} events are lost.\nStop the server and run "
                    "`oriel check --repair`, which keeps everything else, or restore a backup.\n",
                    check.lost);
}

int show_check(const fs::path& file, bool is_json, std::ostream& out) {
  const JournalCheck check = check_journal(file);
  out << (is_json ? json_text(json_of(file, check)) + "\n" : report_of(file, check)) << std::flush;
  return check.is_sound() ? 0 : kExitFailure;
}

int show_repair(const fs::path& file, bool is_json, std::ostream& out) {
  const JournalRepair repair = repair_journal(file);
  const json::object facts{{"file", file.string()},
                           {"kept_events", repair.events},
                           {"lost_events", repair.lost},
                           {"kept_documents", repair.documents},
                           {"old_file", repair.old_file.string()}};
  const std::string text =
      fmt::format("Kept {} events and {} documents; {} events are lost.\nThe old file is {}.\n",
                  repair.events, repair.documents, repair.lost, repair.old_file.string());
  out << (is_json ? json_text(facts) + "\n" : text) << std::flush;
  return 0;
}

}  // namespace

int check_command(const CheckOptions& options, std::ostream& out, std::ostream& err) {
  const fs::path file = options.data_dir / "journal.db";
  try {
    if (!fs::exists(file)) throw std::runtime_error("there is no journal " + file.string());
    return options.is_repair ? show_repair(file, options.is_json, out)
                             : show_check(file, options.is_json, out);
  } catch (const std::runtime_error& failure) {
    const Error error{.kind = ErrorKind::kFailed, .message = failure.what(), .hint = {}};
    return report_error(err, error, kExitFailure);
  }
}

}  // namespace oriel
