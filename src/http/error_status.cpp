#include "http/error_status.h"

// A kind that the table lacks does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace oriel::http {

ErrorStatus error_status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kBadRequest:
    case ErrorKind::kBadHost:
    case ErrorKind::kBadTarget:
    case ErrorKind::kBadUrl:
    case ErrorKind::kInvalidParameter:
    case ErrorKind::kUnknownParameter:
    case ErrorKind::kInvalidRequest:
    case ErrorKind::kInvalidFilter:
    case ErrorKind::kInvalidCursor:
    case ErrorKind::kInvalidEvent:
    case ErrorKind::kInvalidHook:
    case ErrorKind::kInvalidAnswer:
    case ErrorKind::kInvalidMultipart:
    case ErrorKind::kInvalidWorkspace:
    case ErrorKind::kUnknownAgent:
    case ErrorKind::kPathNotAllowed:
    case ErrorKind::kCannotOpen:
    case ErrorKind::kCannotRead:
    case ErrorKind::kBrokenOff:
      return ErrorStatus::kBadRequest;

    case ErrorKind::kUnauthorized:
      return ErrorStatus::kUnauthorized;

    case ErrorKind::kMissingScope:
    case ErrorKind::kNotAllowed:
    case ErrorKind::kForeignHost:
    case ErrorKind::kForeignOrigin:
      return ErrorStatus::kForbidden;

    case ErrorKind::kNotFound:
    case ErrorKind::kUnknownClient:
    case ErrorKind::kUnknownHook:
    case ErrorKind::kUnknownSession:
    case ErrorKind::kUnknownPermission:
    case ErrorKind::kUnknownFile:
      return ErrorStatus::kNotFound;

    case ErrorKind::kMethodNotAllowed:
      return ErrorStatus::kMethodNotAllowed;

    case ErrorKind::kRequestTimeout:
      return ErrorStatus::kRequestTimeout;

    case ErrorKind::kSessionEnded:
    case ErrorKind::kNoTask:
    case ErrorKind::kObserved:
    case ErrorKind::kHosted:
    case ErrorKind::kClaimed:
    case ErrorKind::kOvertaken:
    case ErrorKind::kAlreadyResolved:
    case ErrorKind::kInProgress:
    case ErrorKind::kImportRunning:
    case ErrorKind::kNoStream:
    case ErrorKind::kNotWatched:
      return ErrorStatus::kConflict;

    case ErrorKind::kEventsPurged:
      return ErrorStatus::kGone;

    case ErrorKind::kBodyTooLarge:
    case ErrorKind::kFileTooLarge:
    case ErrorKind::kTooManyFiles:
    case ErrorKind::kUploadsFull:
      return ErrorStatus::kContentTooLarge;

    case ErrorKind::kUnsupportedMediaType:
    case ErrorKind::kTypeNotAllowed:
      return ErrorStatus::kUnsupportedMediaType;

    case ErrorKind::kTooManySessions:
    case ErrorKind::kTooManyRequests:
    case ErrorKind::kTooManyMessages:
    case ErrorKind::kTooManyHooks:
      return ErrorStatus::kTooManyRequests;

    case ErrorKind::kHeaderTooLarge:
      return ErrorStatus::kHeaderTooLarge;

    case ErrorKind::kUnsupportedTransferCoding:
      return ErrorStatus::kNotImplemented;

    case ErrorKind::kWorkspaceFailed:
      return ErrorStatus::kBadGateway;

    case ErrorKind::kStopping:
    case ErrorKind::kUploadFailed:
    case ErrorKind::kJournalBusy:
    case ErrorKind::kJournalFailed:
    case ErrorKind::kSearchBusy:
    case ErrorKind::kNodeUnreachable:
    case ErrorKind::kStarting:
    case ErrorKind::kTooManyClients:
    case ErrorKind::kTooManyConnections:
      return ErrorStatus::kUnavailable;

    case ErrorKind::kUnsupportedVersion:
      return ErrorStatus::kUnsupportedVersion;

    // Faults of the server, and kinds that no request causes: those of its start, of commands, of
    // the client and of agents.
    case ErrorKind::kUnknown:
    case ErrorKind::kInternalError:
    case ErrorKind::kBadDocument:
    case ErrorKind::kFileFailed:
    case ErrorKind::kInvalidTokenName:
    case ErrorKind::kTokenExists:
    case ErrorKind::kUnknownToken:
    case ErrorKind::kDirectoryMissing:
    case ErrorKind::kProgramMissing:
    case ErrorKind::kProgramNotExecutable:
    case ErrorKind::kSandboxMissing:
    case ErrorKind::kImageMissing:
    case ErrorKind::kProgramSlow:
    case ErrorKind::kProgramFailed:
    case ErrorKind::kCannotStart:
    case ErrorKind::kLoginRequired:
    case ErrorKind::kAgentRefused:
    case ErrorKind::kCannotResume:
    case ErrorKind::kModelRefused:
    case ErrorKind::kProtocolVersion:
    case ErrorKind::kConnectFailed:
    case ErrorKind::kConnectionLost:
    case ErrorKind::kTlsUntrusted:
    case ErrorKind::kTimedOut:
    case ErrorKind::kBadAnswer:
    case ErrorKind::kBadOption:
    case ErrorKind::kBadConfig:
    case ErrorKind::kBadDirectory:
    case ErrorKind::kBadAnswerWord:
    case ErrorKind::kBadAnswerCount:
    case ErrorKind::kAmbiguous:
    case ErrorKind::kNoSession:
    case ErrorKind::kNothingAsked:
    case ErrorKind::kTaskLost:
    case ErrorKind::kExited:
    case ErrorKind::kFailed:
    case ErrorKind::kOutputFailed:
    case ErrorKind::kOtherVersion:
    case ErrorKind::kUnfitFile:
    case ErrorKind::kUnfitPayload:
    case ErrorKind::kCancelled:
    case ErrorKind::kRefused:
    case ErrorKind::kOutsideWorkspace:
    case ErrorKind::kNoAccess:
    case ErrorKind::kNotAFile:
    case ErrorKind::kNotSaved:
    case ErrorKind::kUnknownConversation:
      break;
  }
  return ErrorStatus::kInternalError;
}

}  // namespace oriel::http
