#include "cli/commands/import_command.h"

#include "base/text/json_text.h"
#include "cli/render/import_view.h"
#include "cli/report_error.h"
#include "client/session_api.h"

#include <boost/json/value_from.hpp>

#include <ostream>
#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

// Between progress lines in a file or pipe.
constexpr std::chrono::seconds kPlainEvery{2};

json::object body_of(const ImportCommandOptions& options) {
  json::object body;
  if (!options.paths.empty()) body["folders"] = json::value_from(options.paths);
  if (options.days) body["days"] = *options.days;
  if (options.is_dry_run) body["dry_run"] = true;
  return body;
}

// Redraws the progress line, or writes one from time to time.
class Shown {
 public:
  Shown(bool is_live, std::ostream& out) : is_live_(is_live), out_(out) {}

  void update(const json::object& progress) {
    const auto now = Clock::now();
    if (!is_live_ && has_shown_ && now - shown_at_ < kPlainEvery) return;
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now - began_);
    const std::string line = import_line(progress, took, is_live_ ? terminal_width() : kAnyWidth);
    out_ << (is_live_ ? "\r" + line + "\x1b[K" : line + "\n") << std::flush;
    has_shown_ = true;
    shown_at_ = now;
  }

  void end() {
    if (is_live_ && has_shown_) out_ << "\n" << std::flush;
  }

 private:
  bool is_live_;
  std::ostream& out_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_at_;
  bool has_shown_ = false;
};

Result<json::object> begin(const ImportCommandOptions& options, std::ostream& err) {
  auto started = post_now(options.server, "/api/import", body_of(options));
  if (started || started.error().kind != ErrorKind::kImportRunning) return started;
  err << "oriel: an import is already running; showing its progress" << std::endl;
  return get_now(options.server, "/api/import");
}

int ended(const json::object& progress, const ImportCommandOptions& options, std::ostream& out) {
  out << (options.is_json ? json_text(progress) + "\n" : import_summary(progress)) << std::flush;
  const bool is_done = import_state_of(progress) == ImportState::kDone || options.is_cancel;
  return is_done && out ? 0 : kExitFailure;
}

}  // namespace

int import_command(const ImportCommandOptions& options, bool is_live, std::ostream& out,
                   std::ostream& err) {
  if (options.is_cancel) {
    const auto cancelled = api_result(
        options.server, fetch_now(make_request(options.server, "DELETE", "/api/import")));
    if (!cancelled) return report_error(err, cancelled.error(), kExitFailure);
    if (import_state_of(*cancelled) != ImportState::kIdle) return ended(*cancelled, options, out);
    out << "No import is running.\n" << std::flush;
    return 0;
  }
  auto progress = begin(options, err);
  if (!progress) return report_error(err, progress.error(), kExitFailure);
  if (options.is_dry_run) {
    out << (options.is_json ? json_text(*progress) + "\n" : import_plan(*progress)) << std::flush;
    return out ? 0 : kExitFailure;
  }
  Shown shown(is_live, out);
  while (true) {
    if (!options.is_json) shown.update(*progress);
    if (import_state_of(*progress) != ImportState::kRunning) break;
    std::this_thread::sleep_for(options.poll_every);
    progress = get_now(options.server, "/api/import");
    if (progress) continue;
    shown.end();
    return report_error(err, progress.error(), kExitFailure);
  }
  shown.end();
  return ended(*progress, options, out);
}

}  // namespace oriel
