#include "observed_fixture.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <ctime>
#include <fstream>

namespace oriel {

namespace fs = std::filesystem;
namespace json = boost::json;

std::string time_before_now(Milliseconds before) {
  const auto time =
      std::chrono::time_point_cast<Milliseconds>(std::chrono::system_clock::now()) - before;
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  std::string rest = std::to_string(1000 + time.time_since_epoch().count() % 1000);
  rest[0] = '.';
  return std::string(text, size) + rest + "Z";
}

ObservedFixture::ObservedFixture(std::vector<std::string> flags) : flags_(std::move(flags)) {
  for (const fs::path& directory : {root() / "-work", work() / ".git", outside(), home()})
    fs::create_directories(directory);
  const std::string roots = root().string() + ":" + (home() / ".claude/projects").string();
  flags_.insert(flags_.end(), {"--transcript-roots", roots});
  restart();
}

void ObservedFixture::restart() {
  server_ = std::make_unique<ServerProcess>(flags_, dir_.path() / "data");
}

void ObservedFixture::kill() {
  server_->kill();
}

void ObservedFixture::kill_and_restart() {
  kill();
  restart();
}

json::object ObservedFixture::hook_of(const std::string& session_id) const {
  return {{"session_id", session_id},
          {"transcript_path", transcript(session_id).string()},
          {"cwd", work().string()}};
}

HttpResponse ObservedFixture::hook(std::string_view kind, const json::object& body, Headers more) {
  more.emplace_back("Content-Type", "application/json");
  return call(*server_, {.method = "POST",
                         .target = "/api/hooks/" + std::string(kind),
                         .headers = std::move(more),
                         .body = json::serialize(body)});
}

HttpResponse ObservedFixture::prompt(const std::string& session_id, const std::string& text,
                                     const std::string& prompt_id) {
  json::object body = hook_of(session_id);
  body["hook_event_name"] = "UserPromptSubmit";
  body["prompt"] = text;
  if (!prompt_id.empty()) body["prompt_id"] = prompt_id;
  return hook("user-prompt-submit", body);
}

HttpResponse ObservedFixture::stop(const std::string& session_id, const std::string& text,
                                   const std::string& prompt_id) {
  json::object body = hook_of(session_id);
  body["hook_event_name"] = "Stop";
  body["last_assistant_message"] = text;
  if (!prompt_id.empty()) body["prompt_id"] = prompt_id;
  return hook("stop", body);
}

void ObservedFixture::write(const std::string& session_id, std::string_view bytes) const {
  std::ofstream(transcript(session_id), std::ios::binary | std::ios::app) << bytes;
}

std::string ObservedFixture::prompt_line(const std::string& uuid, const std::string& text,
                                         const std::string& time, const std::string& prompt_id) {
  json::object line = {{"type", "user"},
                       {"uuid", uuid},
                       {"timestamp", time},
                       {"message", {{"role", "user"}, {"content", text}}}};
  if (!prompt_id.empty()) line["promptId"] = prompt_id;
  return json::serialize(line) + "\n";
}

std::string ObservedFixture::answer_line(const std::string& uuid, const std::string& text,
                                         const std::string& time) {
  const json::object line = {{"type", "assistant"},
                             {"uuid", uuid},
                             {"timestamp", time},
                             {"message",
                              {{"id", "msg_" + uuid},
                               {"role", "assistant"},
                               {"model", "scripted"},
                               {"stop_reason", "end_turn"},
                               {"content", json::array{{{"type", "text"}, {"text", text}}}}}}};
  return json::serialize(line) + "\n";
}

std::vector<json::object> ObservedFixture::turn_objects(const std::string& session_id) {
  std::vector<json::object> turns;
  const HttpResponse answer =
      get(*server_, "/api/sessions/" + session_id + "/turns?limit=1000&after=0-0");
  if (answer.status != 200) return turns;
  const json::object page = answer.json();
  for (const json::value& turn : page.at("turns").as_array())
    turns.push_back(turn.as_object());
  return turns;
}

Lines ObservedFixture::turns(const std::string& session_id) {
  Lines lines;
  for (const json::object& turn : turn_objects(session_id)) {
    std::string line(turn.at("actor").as_string());
    line += " " + std::string(turn.at("intent").as_string());
    lines.push_back(line + ": " + std::string(turn.at("text").as_string()));
  }
  return lines;
}

bool ObservedFixture::has_turns(const std::string& session_id, const Lines& wanted,
                                Milliseconds within) {
  return eventually([&] { return turns(session_id) == wanted; }, within);
}

json::object ObservedFixture::session(const std::string& session_id) {
  return get(*server_, "/api/sessions/" + session_id).json();
}

std::string ObservedFixture::shown(const std::string& session_id, std::string_view key) {
  const json::object state = session(session_id);
  const json::value* const value = state.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::vector<json::object> ObservedFixture::events(const std::string& session_id,
                                                  std::string_view feed_type) {
  std::vector<json::object> events;
  SseClient history(*server_, resume_after("0", "/api/events?session_id=" + session_id +
                                                    "&types=" + std::string(feed_type)));
  try {
    while (true)
      events.push_back(history.next_event(Milliseconds{300}).json());
  } catch (const std::exception&) {
    // There is no more.
  }
  return events;
}

SseFrame next_of(SseClient& watcher, std::string_view event) {
  while (true) {
    SseFrame frame = watcher.next_event();
    if (frame.event == event) return frame;
  }
}

}  // namespace oriel
