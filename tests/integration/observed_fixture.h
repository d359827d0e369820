#pragma once
// A server and the transcripts of agents that somebody runs beside it: tests are those agents, fire
// their hooks and write their lines.

#include "http_call.h"
#include "sse_client.h"
#include "temp_dir.h"

#include <boost/json/object.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

using Lines = std::vector<std::string>;

// RFC 3339, in UTC with milliseconds; so long before now.
std::string time_before_now(Milliseconds before = Milliseconds{0});

class ObservedFixture {
 public:
  explicit ObservedFixture(std::vector<std::string> flags = {});

  ServerProcess& server() { return *server_; }

  // As if it had crashed; then it is there again.
  void kill_and_restart();

  // Its end with SIGKILL alone.
  void kill();
  void restart();

  std::filesystem::path root() const { return dir_.path() / "projects"; }

  std::filesystem::path transcript(const std::string& session_id) const {
    return root() / "-work" / (session_id + ".jsonl");
  }

  // Of agents that really run, and keep their transcripts where they always do.
  std::filesystem::path home() const { return dir_.path() / "home"; }

  std::filesystem::path work() const { return dir_.path() / "work"; }

  std::filesystem::path outside() const { return dir_.path() / "outside"; }

  // The part that all hooks of a session have.
  boost::json::object hook_of(const std::string& session_id) const;

  HttpResponse hook(std::string_view kind, const boost::json::object& body, Headers more = {});
  HttpResponse prompt(const std::string& session_id, const std::string& text,
                      const std::string& prompt_id = "");
  HttpResponse stop(const std::string& session_id, const std::string& text,
                    const std::string& prompt_id = "");

  // As it is, without a line's end.
  void write(const std::string& session_id, std::string_view bytes) const;

  // Lines of a Claude Code transcript.
  static std::string prompt_line(const std::string& uuid, const std::string& text,
                                 const std::string& time, const std::string& prompt_id = "");
  static std::string answer_line(const std::string& uuid, const std::string& text,
                                 const std::string& time);

  // "user command: hello" of each turn, in their order.
  Lines turns(const std::string& session_id);
  std::vector<boost::json::object> turn_objects(const std::string& session_id);

  // True once the session has just these turns.
  bool has_turns(const std::string& session_id, const Lines& wanted,
                 Milliseconds within = kPatience);

  boost::json::object session(const std::string& session_id);

  // A text of it by its key; empty when it has none, or is not there.
  std::string shown(const std::string& session_id, std::string_view key);

  // All events of a session that have this name on the feed.
  std::vector<boost::json::object> events(const std::string& session_id,
                                          std::string_view feed_type);

 private:
  TempDir dir_;
  std::vector<std::string> flags_;
  std::unique_ptr<ServerProcess> server_;
};

// The next event of this name, whatever comes before it.
SseFrame next_of(SseClient& watcher, std::string_view event);

}  // namespace oriel
