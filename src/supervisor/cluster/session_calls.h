#pragma once
// The commands of sessions as calls to other nodes, and their answers, as JSON. Pure.

#include "supervisor/changes/session_changes.h"
#include "supervisor/files/workspace_paths.h"
#include "supervisor/observers/observed_runner.h"
#include "supervisor/sessions/new_turn.h"
#include "supervisor/sessions/session_creator.h"

#include <memory>
#include <string>
#include <string_view>

namespace oriel {

class Upload;

// Each call names its method, which handles no other, and what it returns.
struct MessageCall {
  using Answer = MessageTaken;
  static constexpr std::string_view kMethod = "session_message";

  std::string session_id;
  UserMessage said;
};

struct SayCall {
  using Answer = MessageTaken;
  static constexpr std::string_view kMethod = "session_say";

  std::string session_id;
  NewTurn turn;                         // of that session
  std::string transfer_id = {};         // of its files, which the node has received before
  std::shared_ptr<Upload> upload = {};  // its files on this node: not sent with the call
};

struct CancelCall {
  using Answer = std::string;
  static constexpr std::string_view kMethod = "session_cancel";

  std::string session_id;
  std::string by;
};

struct AnswerCall {
  using Answer = std::string;
  static constexpr std::string_view kMethod = "session_answer";

  std::string session_id;
  std::string permission_id;
  Decision decision;
};

struct EndCall {
  using Answer = SessionSnapshot;
  static constexpr std::string_view kMethod = "session_end";

  std::string session_id;
  std::string by;
};

// Paths of the session's workspace, which is on its node.
struct PathsCall {
  using Answer = FoundPaths;
  static constexpr std::string_view kMethod = "session_paths";

  std::string session_id;
  std::string typed;
  std::size_t most;
};

// Reads what a session has changed; it claims no session.
struct ChangesCall {
  using Answer = ChangesAnswer;
  static constexpr std::string_view kMethod = "session_changes";

  std::string session_id;
  ChangesQuery query;
};

// A command to a session that exists.
template <class Call>
concept SessionCall = requires(const Call& call) {
  call.session_id;
};

struct CreateCall {
  using Answer = CreatedSession;
  static constexpr std::string_view kMethod = "session_create";

  NewSession wanted;
};

// Resolves the directory of a session that the node is to create.
struct ResolveCall {
  using Answer = std::string;
  static constexpr std::string_view kMethod = "resolve_workspace";

  std::string directory;
};

// A hook of an agent that the node observes.
struct HookCall {
  using Answer = std::string;
  static constexpr std::string_view kMethod = "agent_hook";

  IncomingHook incoming;  // its time is not sent: it is that of the arrival on each node
};

std::string to_json(const MessageCall& call);
std::string to_json(const SayCall& call);
std::string to_json(const CancelCall& call);
std::string to_json(const AnswerCall& call);
std::string to_json(const EndCall& call);
std::string to_json(const PathsCall& call);
std::string to_json(const ChangesCall& call);
std::string to_json(const CreateCall& call);
std::string to_json(const ResolveCall& call);
std::string to_json(const HookCall& call);

// Without the step of a message: it has been performed.
std::string to_json(const MessageTaken& answer);
std::string to_json(const std::string& answer);
std::string to_json(const SessionSnapshot& answer);
std::string to_json(const CreatedSession& answer);
std::string to_json(const FoundPaths& answer);
std::string to_json(const ChangesAnswer& answer);

// Parses the output of to_json(). Error: bad_document.
template <class Value>
Result<Value> parse_call(std::string_view text);

}  // namespace oriel
