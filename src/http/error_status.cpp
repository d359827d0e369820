#include "http/error_status.h"

// A kind that the table lacks does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace oriel::http {

int status_of(ErrorKind kind) {
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
      return 400;

    case ErrorKind::kUnauthorized:
      return 401;

    case ErrorKind::kMissingScope:
    case ErrorKind::kNotAllowed:
    case ErrorKind::kForeignHost:
    case ErrorKind::kForeignOrigin:
      return 403;

    case ErrorKind::kNotFound:
    case ErrorKind::kUnknownClient:
    case ErrorKind::kUnknownHook:
    case ErrorKind::kUnknownSession:
    case ErrorKind::kUnknownPermission:
    case ErrorKind::kUnknownFile:
      return 404;

    case ErrorKind::kMethodNotAllowed:
      return 405;

    case ErrorKind::kRequestTimeout:
      return 408;

    case ErrorKind::kSessionEnded:
    case ErrorKind::kNoTask:
    case ErrorKind::kObserved:
    case ErrorKind::kHosted:
    case ErrorKind::kClaimed:
    case ErrorKind::kAlreadyResolved:
    case ErrorKind::kInProgress:
    case ErrorKind::kImportRunning:
    case ErrorKind::kNoStream:
    case ErrorKind::kNotWatched:
      return 409;

    case ErrorKind::kEventsPurged:
      return 410;

    case ErrorKind::kBodyTooLarge:
    case ErrorKind::kFileTooLarge:
    case ErrorKind::kTooManyFiles:
    case ErrorKind::kUploadsFull:
      return 413;

    case ErrorKind::kUnsupportedMediaType:
    case ErrorKind::kTypeNotAllowed:
      return 415;

    case ErrorKind::kTooManySessions:
    case ErrorKind::kTooManyRequests:
    case ErrorKind::kTooManyMessages:
    case ErrorKind::kTooManyHooks:
      return 429;

    case ErrorKind::kHeaderTooLarge:
      return 431;

    case ErrorKind::kUnsupportedTransferCoding:
      return 501;

    case ErrorKind::kWorkspaceFailed:
      return 502;

    case ErrorKind::kStopping:
    case ErrorKind::kUploadFailed:
    case ErrorKind::kJournalBusy:
    case ErrorKind::kJournalFailed:
    case ErrorKind::kTooManyClients:
    case ErrorKind::kTooManyConnections:
      return 503;

    case ErrorKind::kUnsupportedVersion:
      return 505;

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
  return 500;
}

}  // namespace oriel::http
