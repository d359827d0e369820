#pragma once
// Replays a recording of a real agent: passes the agent's lines to an adapter, and expects the
// adapter to send the recorded input.

#include "agent/adapters/adapter_testing.h"
#include "base/text/json_line.h"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <map>

namespace oriel {

struct RecordedRow {
  std::string direction;  // in, out or note
  json::value line;
};

inline std::vector<RecordedRow> read_recording(const std::string& name) {
  std::ifstream file(std::string(ORIEL_RECORDINGS) + "/" + name + ".jsonl");
  std::vector<RecordedRow> rows;
  for (std::string line; std::getline(file, line);) {
    const json::value row = json::parse(line);
    rows.push_back({std::string(text_of(member(row, "dir"))), member(row, "line")});
  }
  return rows;
}

inline AdapterKind recorded_kind(const std::string& name) {
  if (name.find("acp") != std::string::npos) return AdapterKind::kAcp;
  if (name.find("stream-jsonrpc") != std::string::npos) return AdapterKind::kDroid;
  if (name.find("codex") != std::string::npos) return AdapterKind::kCodex;
  return AdapterKind::kClaude;
}

// Renumbers responses, because the adapter assigns its own request ids. Skips recorded input that
// an adapter never sends (other methods, broken lines) and its responses.
class Replay {
 public:
  explicit Replay(const std::string& name)
      : kind_(recorded_kind(name)), rows_(read_recording(name)) {}

  // The end of a process in a task is a TaskEnded with the detail "exit".
  std::vector<AgentEvent> run() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const RecordedRow& row = rows_[i];
      const std::string_view note = row.direction == "note" ? text_of(row.line) : "";
      if (note.starts_with("restart") || note.starts_with("SIGKILL")) exit();
      if (!adapter_ && row.direction != "note") start(i);
      if (row.direction == "in" && row.line.is_object()) said(row.line);
      if (row.direction == "out") received(row.line);
    }
    exit();
    return std::move(events_);
  }

 private:
  // Starts the adapter like the recorded process, from its input before the first prompt.
  void start(std::size_t first) {
    AgentStart start{
        .workspace = "/workspace", .resume_id = session_id_, .model = "", .auth_method = ""};
    for (std::size_t i = first; i < rows_.size() && rows_[i].direction != "note"; ++i) {
      const std::string_view method = text_of(member(rows_[i].line, "method"));
      const json::value& params = member(rows_[i].line, "params");
      if (method == "authenticate") start.auth_method = text_of(member(params, "methodId"));
      if (method == "session/set_config_option") start.model = text_of(member(params, "value"));
      if (method == "droid.load_session") start.resume_id = text_of(member(params, "sessionId"));
    }
    adapter_ = make_adapter(kind_);
    take(adapter_->start(start));
  }

  void exit() {
    if (is_running_) events_.emplace_back(TaskEnded{TaskEnd::kError, "exit"});
    adapter_.reset();
    sent_.clear();
    ids_.clear();
    asked_.clear();
    is_running_ = is_ready_ = is_waiting_ = false;
  }

  void take(AgentStep step) {
    EXPECT_FALSE(step.is_noise);
    if (step.wait_for_quiet) is_waiting_ = true;
    for (json::value& line : sent(step))
      sent_.push_back(std::move(line));
    for (AgentEvent& event : step.events) {
      if (const auto* ready = std::get_if<AgentReady>(&event)) {
        session_id_ = ready->agent_session_id;
        is_ready_ = true;
      }
      if (const auto* asked = std::get_if<PermissionAsked>(&event)) asked_[asked->id] = *asked;
      if (std::holds_alternative<TaskStarted>(event)) is_running_ = true;
      if (std::holds_alternative<TaskEnded>(event)) is_running_ = false;
      events_.push_back(std::move(event));
    }
  }

  void settle() {
    if (std::exchange(is_waiting_, false)) take(adapter_->quiet());
  }

  // The kind of request of a line, for all protocols.
  static std::string verb_of(const json::value& line) {
    std::string verb(text_of(member(line, "method")));
    if (verb.empty()) verb = text_of(member(line, "request", "subtype"));
    if (verb.empty()) verb = text_of(member(line, "type"));
    return verb;
  }

  static json::value id_of(const json::value& line) {
    const json::value& control = member(line, "request_id");
    return control.is_null() ? member(line, "id") : control;
  }

  void said(const json::value& line) {
    const std::string verb = verb_of(line);
    if (verb == "control_response" || verb == "response" || verb.empty()) return answered(line);
    if (verb == "session/prompt" || verb == "droid.add_user_message" || verb == "turn/start" ||
        verb == "user")
      return prompted(verb, line);
    if (verb == "session/cancel" || verb == "droid.interrupt_session" || verb == "turn/interrupt" ||
        verb == "interrupt") {
      if (!is_running_) return;  // the task had ended by itself
      take(adapter_->cancel());
      expect_sent(verb, line);
      return;
    }
    asked_for(verb, line);
  }

  void prompted(const std::string& verb, const json::value& line) {
    const json::value& params = member(line, "params");
    json::value text = member(params, "text");
    for (const json::value* blocks :
         {&member(params, "prompt"), &member(params, "input"), &member(line, "message", "content")})
      if (blocks->is_array()) text = member(blocks->at(0), "text");
    if (!text.is_string()) return;  // a test of bad parameters
    settle();
    // Claude was resumed without a handshake.
    if (!is_ready_ && kind_ == AdapterKind::kClaude)
      take(adapter_->receive(
          R"({"type":"control_response","response":{"subtype":"success","request_id":"oriel-initialize"}})"));
    EXPECT_TRUE(is_ready_) << "prompted before it was ready: " << line;
    take(adapter_->prompt(text_of(text)));
    expect_sent(verb, line);
  }

  // Expects the adapter's next line to equal this one except for its id.
  void expect_sent(const std::string& verb, const json::value& line) {
    const json::value own = find_sent(verb);
    EXPECT_EQ(verb_of(own), verb);
    EXPECT_EQ(member(own, "params"), member(line, "params"));
    EXPECT_EQ(member(own, "message"), member(line, "message"));
    ids_[json::serialize(id_of(line))] = id_of(own);
  }

  // A step of the handshake.
  void asked_for(const std::string& verb, const json::value& line) {
    json::value own = find_sent(verb);
    if (own.is_null() && verb == "session/load") {
      // The recordings use session/load where the adapter prefers resume: reject resume as one
      // agent does.
      const json::value resume = find_sent("session/resume");
      take(adapter_->receive(json::serialize(json::object{
          {"id", id_of(resume)}, {"error", json::object{{"code", -32601}, {"message", "no"}}}})));
      own = find_sent(verb);
    }
    if (own.is_null()) {
      settle();
      own = find_sent(verb);
    }
    if (!own.is_null()) ids_[json::serialize(id_of(line))] = id_of(own);
  }

  json::value find_sent(const std::string& verb) {
    for (auto line = sent_.begin(); line != sent_.end(); ++line) {
      if (verb_of(*line) != verb) continue;
      const json::value found = *line;
      sent_.erase(line);
      return found;
    }
    return nullptr;
  }

  // A recorded answer to a question of the agent: expects the same from the adapter.
  void answered(const json::value& line) {
    json::value id = member(line, "id");
    if (id.is_null()) id = member(line, "response", "request_id");
    const std::string name = id.is_string() ? std::string(text_of(id)) : json::serialize(id);
    const auto asked = asked_.find(name);
    if (asked == asked_.end()) return;  // a file request, which the adapter rejects
    take(adapter_->answer(name, recorded_answer(line)));
    asked_.erase(asked);
    ASSERT_FALSE(sent_.empty());
    json::value own = sent_.back();
    sent_.pop_back();
    json::value expected = line;
    for (json::value* each : {&own, &expected})  // the text of a rejection may differ
      if (each->find_pointer("/response/response/message", quiet_error_))
        each->at_pointer("/response/response/message") = "";
    EXPECT_EQ(own, expected);
  }

  static PermissionAnswer recorded_answer(const json::value& line) {
    const json::value& result = member(line, "result");
    PermissionAnswer answer;
    for (const json::value& each : elements_of(member(result, "answers")))
      answer.answers.emplace_back(text_of(member(each, "answer")));
    for (const json::value* option :
         {&member(result, "outcome", "optionId"), &member(result, "selectedOption"),
          &member(result, "decision")})
      if (option->is_string()) answer.option_id = text_of(*option);
    const std::string_view behavior = text_of(member(line, "response", "response", "behavior"));
    if (!behavior.empty()) answer.option_id = behavior == "allow" ? "allow_once" : "reject_once";
    return answer;
  }

  void received(json::value line) {
    const bool is_control = text_of(member(line, "type")) == "control_response";
    json::object* holder = is_control ? line.at("response").if_object() : line.if_object();
    const char* key = is_control ? "request_id" : "id";
    if (is_control || (member(line, "method").is_null() && !member(line, "id").is_null())) {
      const auto own = ids_.find(json::serialize(holder->at(key)));
      if (own == ids_.end()) return;  // a response to a skipped request
      (*holder)[key] = own->second;
      ids_.erase(own);
    }
    take(adapter_->receive(json::serialize(line)));
  }

  AdapterKind kind_;
  std::vector<RecordedRow> rows_;
  std::unique_ptr<Adapter> adapter_;
  std::string session_id_;
  std::deque<json::value> sent_;            // lines of the adapter that are not compared yet
  std::map<std::string, json::value> ids_;  // of requests: recorded, and the adapter's
  std::map<std::string, PermissionAsked> asked_;
  std::vector<AgentEvent> events_;
  bool is_ready_ = false;
  bool is_running_ = false;
  bool is_waiting_ = false;
  boost::system::error_code quiet_error_;
};

}  // namespace oriel
