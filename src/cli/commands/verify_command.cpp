#include "cli/commands/verify_command.h"

#include "base/failpoint.h"
#include "base/id.h"
#include "base/text/json_text.h"
#include "cli/report_error.h"
#include "verify/verify_report.h"
#include "verify/verify_run.h"

#include <spdlog/fmt/fmt.h>

#include <fstream>
#include <ostream>
#include <system_error>

namespace oriel {
namespace {

namespace fs = std::filesystem;

int list_failpoints(std::ostream& out) {
  for (const std::string& name : failpoint_names())
    out << name << '\n';
  for (const std::string& name : mutant_names())
    out << name << '\n';
  return 0;
}

Result<void> make_directory(const fs::path& directory) {
  std::error_code problem;
  fs::create_directories(directory, problem);
  if (!problem) return {};
  return Error{.kind = ErrorKind::kBadDirectory,
               .message = fmt::format("{}: {}", directory.string(), problem.message()),
               .hint = "choose another one with --dir"};
}

}  // namespace

int verify_command(VerifyCommandOptions options, std::ostream& out, std::ostream& err) {
  if (options.lists_failpoints) return list_failpoints(out);
  VerifyOptions& verified = options.verify;
  const bool is_temporary = verified.directory.empty() && !verified.server;
  if (is_temporary)
    verified.directory = fs::temp_directory_path() / ("oriel-verify-" + random_id());
  if (!verified.server) {
    const auto made = make_directory(verified.directory);
    if (!made) return report_error(err, made.error(), kExitFailure);
  }
  const auto report =
      verify(verified, [&err](const std::string& line) { err << line << std::endl; });
  if (!report) return report_error(err, report.error(), kExitFailure);

  out << report_text(*report) << std::flush;
  if (!options.json.empty()) std::ofstream(options.json) << json_text(report_json(*report)) << '\n';
  if (is_temporary && report->is_kept()) {
    std::error_code ignored;
    fs::remove_all(verified.directory, ignored);
  } else if (!verified.server) {
    out << "Files: " << verified.directory.string() << std::endl;
  }
  return report->is_kept() ? 0 : kExitFailure;
}

}  // namespace oriel
