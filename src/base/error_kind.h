#pragma once
// The kinds of errors. Each has a stable code, which is part of the HTTP API.

#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace oriel {

enum class ErrorKind : std::uint8_t {
  kUnknown,  // also a server's code that this program does not know

  // Malformed requests.
  kBadRequest,
  kBadHost,
  kBadTarget,
  kBadUrl,
  kInvalidParameter,
  kUnknownParameter,
  kInvalidRequest,
  kInvalidFilter,
  kInvalidCursor,
  kInvalidEvent,
  kInvalidHook,
  kInvalidAnswer,
  kInvalidMultipart,
  kUnsupportedMediaType,
  kUnsupportedTransferCoding,
  kUnsupportedVersion,

  // Requests over a limit.
  kBodyTooLarge,
  kHeaderTooLarge,
  kRequestTimeout,
  kBrokenOff,
  kTooManyConnections,
  kTooManyClients,

  // Who may do what.
  kUnauthorized,
  kMissingScope,
  kNotAllowed,
  kForeignHost,
  kForeignOrigin,
  kInvalidTokenName,
  kTokenExists,
  kUnknownToken,

  // Routing.
  kNotFound,
  kMethodNotAllowed,
  kUnknownClient,
  kUnknownHook,
  kInternalError,

  // Sessions.
  kUnknownSession,
  kUnknownAgent,
  kUnknownPermission,
  kSessionEnded,
  kNoTask,
  kObserved,
  kHosted,
  kClaimed,
  kAlreadyResolved,
  kInProgress,
  kTooManyRequests,
  kTooManySessions,
  kTooManyMessages,
  kTooManyHooks,
  kNoStream,
  kNotWatched,
  kEventsPurged,
  kStopping,

  // Workspaces and uploads.
  kInvalidWorkspace,
  kWorkspaceFailed,
  kUnknownFile,
  kTooManyFiles,
  kTypeNotAllowed,
  kFileTooLarge,
  kUploadsFull,
  kUploadFailed,

  // Transcripts and imports.
  kImportRunning,
  kPathNotAllowed,
  kCannotOpen,
  kCannotRead,

  // Stored data.
  kBadDocument,
  kJournalBusy,
  kJournalFailed,
  kSearchBusy,
  kOvertaken,
  kFileFailed,

  // Other nodes of a cluster.
  kNodeUnreachable,
  kStarting,

  // Programs and agents.
  kDirectoryMissing,
  kProgramMissing,
  kProgramNotExecutable,
  kProgramSlow,
  kProgramFailed,
  kCannotStart,
  kSandboxMissing,
  kImageMissing,
  kLoginRequired,
  kAgentRefused,
  kCannotResume,
  kModelRefused,
  kProtocolVersion,

  // Client connections.
  kConnectFailed,
  kConnectionLost,
  kTlsUntrusted,
  kTimedOut,
  kBadAnswer,

  // Commands.
  kBadOption,
  kBadConfig,
  kBadDirectory,
  kBadAnswerWord,
  kBadAnswerCount,
  kAmbiguous,
  kNoSession,
  kNothingAsked,
  kTaskLost,
  kExited,
  kFailed,
  kOutputFailed,
  kOtherVersion,
  kUnfitFile,
  kUnfitPayload,

  // Tools of the demo agent.
  kCancelled,
  kRefused,
  kOutsideWorkspace,
  kNoAccess,
  kNotAFile,
  kNotSaved,
  kUnknownConversation,
};

inline constexpr ErrorKind kLastErrorKind = ErrorKind::kUnknownConversation;

// snake_case, such as "invalid_filter".
std::string_view code_of(ErrorKind kind);
ErrorKind parse_error_code(std::string_view code);  // kUnknown if there is none

std::ostream& operator<<(std::ostream& out, ErrorKind kind);

}  // namespace oriel
