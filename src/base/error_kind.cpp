#include "base/error_kind.h"

#include <array>
#include <ostream>

namespace oriel {
namespace {

struct Code {
  ErrorKind kind;
  std::string_view text;
};

constexpr auto kCodes = std::to_array<Code>({
    {ErrorKind::kUnknown, "unknown"},
    {ErrorKind::kBadRequest, "bad_request"},
    {ErrorKind::kBadHost, "bad_host"},
    {ErrorKind::kBadTarget, "bad_target"},
    {ErrorKind::kBadUrl, "bad_url"},
    {ErrorKind::kInvalidParameter, "invalid_parameter"},
    {ErrorKind::kUnknownParameter, "unknown_parameter"},
    {ErrorKind::kInvalidRequest, "invalid_request"},
    {ErrorKind::kInvalidFilter, "invalid_filter"},
    {ErrorKind::kInvalidCursor, "invalid_cursor"},
    {ErrorKind::kInvalidEvent, "invalid_event"},
    {ErrorKind::kInvalidHook, "invalid_hook"},
    {ErrorKind::kInvalidAnswer, "invalid_answer"},
    {ErrorKind::kInvalidMultipart, "invalid_multipart"},
    {ErrorKind::kUnsupportedMediaType, "unsupported_media_type"},
    {ErrorKind::kUnsupportedTransferCoding, "unsupported_transfer_coding"},
    {ErrorKind::kUnsupportedVersion, "unsupported_version"},
    {ErrorKind::kBodyTooLarge, "body_too_large"},
    {ErrorKind::kHeaderTooLarge, "header_too_large"},
    {ErrorKind::kRequestTimeout, "request_timeout"},
    {ErrorKind::kBrokenOff, "broken_off"},
    {ErrorKind::kTooManyConnections, "too_many_connections"},
    {ErrorKind::kTooManyClients, "too_many_clients"},
    {ErrorKind::kUnauthorized, "unauthorized"},
    {ErrorKind::kMissingScope, "missing_scope"},
    {ErrorKind::kNotAllowed, "not_allowed"},
    {ErrorKind::kForeignHost, "foreign_host"},
    {ErrorKind::kForeignOrigin, "foreign_origin"},
    {ErrorKind::kInvalidTokenName, "invalid_token_name"},
    {ErrorKind::kTokenExists, "token_exists"},
    {ErrorKind::kUnknownToken, "unknown_token"},
    {ErrorKind::kNotFound, "not_found"},
    {ErrorKind::kMethodNotAllowed, "method_not_allowed"},
    {ErrorKind::kUnknownClient, "unknown_client"},
    {ErrorKind::kUnknownHook, "unknown_hook"},
    {ErrorKind::kInternalError, "internal_error"},
    {ErrorKind::kUnknownSession, "unknown_session"},
    {ErrorKind::kUnknownAgent, "unknown_agent"},
    {ErrorKind::kUnknownPermission, "unknown_permission"},
    {ErrorKind::kSessionEnded, "session_ended"},
    {ErrorKind::kNoTask, "no_task"},
    {ErrorKind::kObserved, "observed"},
    {ErrorKind::kHosted, "hosted"},
    {ErrorKind::kClaimed, "claimed"},
    {ErrorKind::kAlreadyResolved, "already_resolved"},
    {ErrorKind::kInProgress, "in_progress"},
    {ErrorKind::kTooManyRequests, "too_many_requests"},
    {ErrorKind::kTooManySessions, "too_many_sessions"},
    {ErrorKind::kTooManyMessages, "too_many_messages"},
    {ErrorKind::kTooManyHooks, "too_many_hooks"},
    {ErrorKind::kNoStream, "no_stream"},
    {ErrorKind::kNotWatched, "not_watched"},
    {ErrorKind::kEventsPurged, "events_purged"},
    {ErrorKind::kStopping, "stopping"},
    {ErrorKind::kInvalidWorkspace, "invalid_workspace"},
    {ErrorKind::kWorkspaceFailed, "workspace_failed"},
    {ErrorKind::kUnknownFile, "unknown_file"},
    {ErrorKind::kTooManyFiles, "too_many_files"},
    {ErrorKind::kTypeNotAllowed, "type_not_allowed"},
    {ErrorKind::kFileTooLarge, "file_too_large"},
    {ErrorKind::kUploadsFull, "uploads_full"},
    {ErrorKind::kUploadFailed, "upload_failed"},
    {ErrorKind::kImportRunning, "import_running"},
    {ErrorKind::kPathNotAllowed, "path_not_allowed"},
    {ErrorKind::kCannotOpen, "cannot_open"},
    {ErrorKind::kCannotRead, "cannot_read"},
    {ErrorKind::kBadDocument, "bad_document"},
    {ErrorKind::kJournalBusy, "journal_busy"},
    {ErrorKind::kJournalFailed, "journal_failed"},
    {ErrorKind::kSearchBusy, "search_busy"},
    {ErrorKind::kOvertaken, "overtaken"},
    {ErrorKind::kFileFailed, "file_failed"},
    {ErrorKind::kNodeUnreachable, "node_unreachable"},
    {ErrorKind::kStarting, "starting"},
    {ErrorKind::kDirectoryMissing, "directory_missing"},
    {ErrorKind::kProgramMissing, "program_missing"},
    {ErrorKind::kProgramNotExecutable, "program_not_executable"},
    {ErrorKind::kProgramSlow, "program_slow"},
    {ErrorKind::kProgramFailed, "program_failed"},
    {ErrorKind::kCannotStart, "cannot_start"},
    {ErrorKind::kSandboxMissing, "sandbox_missing"},
    {ErrorKind::kImageMissing, "image_missing"},
    {ErrorKind::kLoginRequired, "login_required"},
    {ErrorKind::kAgentRefused, "agent_refused"},
    {ErrorKind::kCannotResume, "cannot_resume"},
    {ErrorKind::kModelRefused, "model_refused"},
    {ErrorKind::kProtocolVersion, "protocol_version"},
    {ErrorKind::kConnectFailed, "connect_failed"},
    {ErrorKind::kConnectionLost, "connection_lost"},
    {ErrorKind::kTlsUntrusted, "tls_untrusted"},
    {ErrorKind::kTimedOut, "timed_out"},
    {ErrorKind::kBadAnswer, "bad_answer"},
    {ErrorKind::kBadOption, "bad_option"},
    {ErrorKind::kBadConfig, "bad_config"},
    {ErrorKind::kBadDirectory, "bad_directory"},
    {ErrorKind::kBadAnswerWord, "bad_answer_word"},
    {ErrorKind::kBadAnswerCount, "bad_answer_count"},
    {ErrorKind::kAmbiguous, "ambiguous"},
    {ErrorKind::kNoSession, "no_session"},
    {ErrorKind::kNothingAsked, "nothing_asked"},
    {ErrorKind::kTaskLost, "task_lost"},
    {ErrorKind::kExited, "exited"},
    {ErrorKind::kFailed, "failed"},
    {ErrorKind::kOutputFailed, "output_failed"},
    {ErrorKind::kOtherVersion, "other_version"},
    {ErrorKind::kUnfitFile, "unfit_file"},
    {ErrorKind::kUnfitPayload, "unfit_payload"},
    {ErrorKind::kCancelled, "cancelled"},
    {ErrorKind::kRefused, "refused"},
    {ErrorKind::kOutsideWorkspace, "outside_workspace"},
    {ErrorKind::kNoAccess, "no_access"},
    {ErrorKind::kNotAFile, "not_a_file"},
    {ErrorKind::kNotSaved, "not_saved"},
    {ErrorKind::kUnknownConversation, "unknown_conversation"},
});

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    if (static_cast<std::size_t>(kCodes[i].kind) != i) return false;
  }
  return true;
}

static_assert(kCodes.back().kind == kLastErrorKind, "an ErrorKind has no code");
static_assert(is_in_order(), "codes must have the order of ErrorKind");

}  // namespace

std::string_view code_of(ErrorKind kind) {
  return kCodes[static_cast<std::size_t>(kind)].text;
}

ErrorKind parse_error_code(std::string_view code) {
  for (const Code& known : kCodes) {
    if (known.text == code) return known.kind;
  }
  return ErrorKind::kUnknown;
}

std::ostream& operator<<(std::ostream& out, ErrorKind kind) {
  return out << code_of(kind);
}

}  // namespace oriel
