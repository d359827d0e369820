#include "api/error_response.h"

#include <string>

// A kind that the table lacks does not compile.
#pragma GCC diagnostic error "-Wswitch"

namespace oriel {

ErrorMapping mapping_of(ErrorKind kind) {
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
      return {.http_status = 400, .rpc_code = mcp::kInvalidParams};

    case ErrorKind::kUnauthorized:
      return {.http_status = 401, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kReadOnly:
    case ErrorKind::kReadOnlyToken:
    case ErrorKind::kForeignHost:
    case ErrorKind::kForeignOrigin:
      return {.http_status = 403, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kNotFound:
    case ErrorKind::kUnknownClient:
    case ErrorKind::kUnknownHook:
    case ErrorKind::kUnknownSession:
    case ErrorKind::kUnknownPermission:
    case ErrorKind::kUnknownFile:
      return {.http_status = 404, .rpc_code = mcp::kResourceNotFound};

    case ErrorKind::kMethodNotAllowed:
      return {.http_status = 405, .rpc_code = mcp::kMethodNotFound};

    case ErrorKind::kRequestTimeout:
      return {.http_status = 408, .rpc_code = mcp::kInvalidRequest};

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
      return {.http_status = 409, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kEventsPurged:
      return {.http_status = 410, .rpc_code = mcp::kEventsPurged};

    case ErrorKind::kBodyTooLarge:
    case ErrorKind::kFileTooLarge:
    case ErrorKind::kTooManyFiles:
    case ErrorKind::kUploadsFull:
      return {.http_status = 413, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kUnsupportedMediaType:
    case ErrorKind::kTypeNotAllowed:
      return {.http_status = 415, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kTooManySessions:
    case ErrorKind::kTooManyMessages:
    case ErrorKind::kTooManyHooks:
      return {.http_status = 429, .rpc_code = mcp::kInternalError};

    case ErrorKind::kHeaderTooLarge:
      return {.http_status = 431, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kUnsupportedTransferCoding:
      return {.http_status = 501, .rpc_code = mcp::kInvalidRequest};

    case ErrorKind::kWorkspaceFailed:
      return {.http_status = 502, .rpc_code = mcp::kInternalError};

    case ErrorKind::kStopping:
    case ErrorKind::kUploadFailed:
    case ErrorKind::kJournalBusy:
    case ErrorKind::kJournalFailed:
    case ErrorKind::kTooManyClients:
    case ErrorKind::kTooManyConnections:
      return {.http_status = 503, .rpc_code = mcp::kInternalError};

    case ErrorKind::kUnsupportedVersion:
      return {.http_status = 505, .rpc_code = mcp::kInvalidRequest};

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
  return {.http_status = 500, .rpc_code = mcp::kInternalError};
}

http::Response error_response(const Error& error, std::chrono::seconds retry_after) {
  const int status = mapping_of(error.kind).http_status;
  http::Response response = http::error_response(status, error);
  if (status == 429 || status == 503)
    response.headers.emplace_back("Retry-After", std::to_string(retry_after.count()));
  return response;
}

mcp::RpcError to_rpc_error(const Error& error) {
  return {.code = mapping_of(error.kind).rpc_code, .message = describe(error), .data = {}};
}

}  // namespace oriel
