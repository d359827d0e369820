#include "server/session_options.h"

#include "server/option_kinds.h"

namespace oriel {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using Table = std::vector<ServeOption>;

void add_sessions(Table& table) {
  const std::string group = "Agents and sessions";
  table.push_back(agent_option({
      .group = group,
      .flag = "agent",
      .key = "agent",
      .placeholder = "NAME=COMMAND",
      .help = "An agent beside those that Oriel knows, or in place of one; may be repeated. In "
              "oriel.toml, [agents.NAME] says more",
  }));
  table.push_back(default_agent_option({
      .group = group,
      .flag = "default-agent",
      .key = "sessions.default_agent",
      .placeholder = "NAME",
      .help = "The agent of sessions that name none",
  }));
  const auto add_number = [&](const std::string& flag, const std::string& key,
                              const std::string& help, std::uint64_t ServeOptions::*field) {
    ServeOption option{
        .group = group, .flag = flag, .key = "sessions." + key, .placeholder = "N", .help = help};
    table.push_back(number_option(std::move(option), field, 1, 1'000'000));
  };
  add_number("max-sessions", "max", "Agents that run at one time; the next one gets 429",
             &ServeOptions::max_sessions);
  add_number("max-sessions-per-project", "max_per_project", "The same for one project",
             &ServeOptions::max_sessions_per_project);
  add_number("max-kept-sessions", "max_kept",
             "Sessions without a running agent that stay listed and can be resumed",
             &ServeOptions::max_kept_sessions);
  add_number("max-queued-messages", "max_queued_messages",
             "Messages of one session that may wait for a task to end; the next one gets 429",
             &ServeOptions::max_queued_messages);
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-line-bytes",
          .key = "sessions.max_line_bytes",
          .placeholder = "BYTES",
          .help = "The longest line that is read from an agent; a longer one fails the task",
      },
      &ServeOptions::max_line_bytes, kKiB, kGiB));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-event-rate",
          .key = "sessions.max_event_rate",
          .placeholder = "N",
          .help = "Events a second that are read from one agent, so that a flood leaves the "
                  "machine to others; an agent that writes more waits, and nothing is lost",
      },
      &ServeOptions::max_event_rate, 100, 10'000'000));
  const auto add_duration = [&](const std::string& flag, const std::string& key,
                                const std::string& help, milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = flag,
                       .key = "sessions." + key,
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(duration_option(std::move(option), field, kShort, kLong));
  };
  const auto add_open_duration = [&](const std::string& flag, const std::string& key,
                                     const std::string& help, milliseconds ServeOptions::*field) {
    ServeOption option{.group = group,
                       .flag = flag,
                       .key = "sessions." + key,
                       .placeholder = "DURATION",
                       .help = help};
    table.push_back(open_duration_option(std::move(option), field, kShort, hours(24 * 365)));
  };
  add_duration("start-timeout", "start_timeout",
               "From an agent's start until it takes messages; then the session fails",
               &ServeOptions::start_timeout);
  add_open_duration("permission-timeout", "permission_timeout",
                    "How long an agent's question waits for an answer; then it is refused. 0: for "
                    "ever",
                    &ServeOptions::permission_timeout);
  add_open_duration("task-timeout", "task_timeout",
                    "The longest task; then it is cancelled. 0: any length",
                    &ServeOptions::task_timeout);
  add_duration("cancel-timeout", "cancel_timeout",
               "From a cancel until the agent has ended its task; then the agent is ended",
               &ServeOptions::cancel_timeout);
  add_open_duration("rest-after", "rest_after",
                    "Idle time after which an agent's process is ended; the next message resumes "
                    "it. 0: never",
                    &ServeOptions::rest_after);
  add_duration("stop-timeout", "stop_timeout",
               "For an agent to end by itself, and again after SIGTERM; then it is killed with "
               "all that it started",
               &ServeOptions::stop_timeout);
}

void add_observed(Table& table) {
  const std::string group = "Observed agents";
  table.push_back(transcript_roots_option({
      .group = group,
      .flag = "transcript-roots",
      .key = "observed.transcript_roots",
      .placeholder = "DIRS",
      .help = "Where agents that people run themselves keep their transcripts: none, or absolute "
              "directories with : between them. A transcript elsewhere is not read",
  }));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-observed",
          .key = "observed.max",
          .placeholder = "N",
          .help = "Such agents that stay listed with their turns; of more, those that have ended "
                  "or rested longest are forgotten",
      },
      &ServeOptions::max_observed, 1, 100'000));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-imported",
          .key = "observed.max_imported",
          .placeholder = "N",
          .help = "Past sessions that an import brings and that stay listed with their turns; of "
                  "more, the oldest are left out or forgotten",
      },
      &ServeOptions::max_imported, 1, 100'000));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "import-days",
          .key = "observed.import_days",
          .placeholder = "N",
          .help = "An import reads the transcripts that were written to in so many days, unless it "
                  "is asked for others",
      },
      &ServeOptions::import_days, 1, 36'500));
  table.push_back(duration_option(
      {
          .group = group,
          .flag = "observed-silence",
          .key = "observed.silence",
          .placeholder = "DURATION",
          .help = "After so long without a word of an agent that should work, watchers are told "
                  "what the silence means",
      },
      &ServeOptions::observed_silence, kShort, hours(24)));
}

void add_uploads(Table& table) {
  const std::string group = "Uploads";
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-upload-bytes",
          .key = "uploads.max_file_bytes",
          .placeholder = "BYTES",
          .help = "The largest file that is sent to a session; beyond it 413",
      },
      &ServeOptions::max_upload_bytes, kKiB, kTiB));
  table.push_back(number_option(
      {
          .group = group,
          .flag = "max-upload-files",
          .key = "uploads.max_files",
          .placeholder = "N",
          .help = "Files of one upload; beyond it 413",
      },
      &ServeOptions::max_upload_files, 1, 50));
  table.push_back(bytes_option(
      {
          .group = group,
          .flag = "max-uploads-total",
          .key = "uploads.max_total_bytes",
          .placeholder = "BYTES",
          .help = "The files of all sessions together; beyond it 413",
      },
      &ServeOptions::max_uploads_total, kKiB, 1024 * kTiB));
  table.push_back(upload_types_option({
      .group = group,
      .flag = "upload-types",
      .key = "uploads.types",
      .placeholder = "TYPES",
      .help = "What files may say they are; any other is 415. Whatever a file says, it is only "
              "given back as a download",
  }));
}

}  // namespace

void add_session_options(std::vector<ServeOption>& table) {
  add_sessions(table);
  add_observed(table);
  add_uploads(table);
}

std::vector<std::string> usual_upload_types() {
  return {"text/*",          "image/*",          "audio/*",           "application/json",
          "application/xml", "application/yaml", "application/toml",  "application/pdf",
          "application/zip", "application/gzip", "application/x-tar", "application/octet-stream"};
}

}  // namespace oriel
