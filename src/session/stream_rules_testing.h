#pragma once
// For tests: invariants of the events of any session.

#include "base/event/event_view_testing.h"
#include "base/moment.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace oriel {

class StreamRules {
 public:
  // The events of one step; `by_time` if only time has passed.
  void check(const std::vector<EventView>& events, SteadyTime now, bool by_time) {
    for (const EventView& event : events) {
      if (event.feed_type.starts_with("turn_")) continue;  // they follow the events of a step
      SCOPED_TRACE(event.type + " " + event.status + " " + event.text);
      if (event.type == "status") check_status(event);
      if (event.type == "message" && event.role == "user") waiting_.insert(event.task_id);
      if (event.type == "delta" && event.role == "assistant") check_delta(event);
      if (event.type == "message" && event.role == "assistant")
        check_message(event, now, by_time && events.size() == 1);
      if (event.type != "delta" && event.type != "message") check_all_shown();
      if (event.type == "tool_call") check_call(event);
      if (event.type == "tool_result") check_result(event);
      if (event.type == "permission") check_permission(event);
      if (event.type == "completion") check_completion(event);
      if (event.type == "error") check_error(event);
      if (event.type != "status") is_completed_just_now_ = event.type == "completion";
    }
  }

  // Oriel has crashed: what only the process knew is lost.
  void forget_process() {
    shown_.clear();
    said_.clear();
    open_permissions_.clear();
    last_message_ = {};
  }

  void check_at_end() const {
    EXPECT_TRUE(waiting_.empty()) << "tasks without a completion";
    EXPECT_TRUE(open_calls_.empty());
    EXPECT_TRUE(open_permissions_.empty());
    EXPECT_EQ(status_, "completed");
  }

 private:
  bool is_running() const { return status_ == "running"; }

  // A task is what happens between running and the next status, which follows its completion.
  void check_status(const EventView& event) {
    static const std::set<std::string> kLegal = {"idle", "running", "failed", "completed"};
    EXPECT_TRUE(kLegal.contains(event.text));
    EXPECT_NE(event.text, status_);
    EXPECT_NE(status_, "completed") << "the end is for good";
    if (event.text == "running") {
      task_ = event.task_id;
      EXPECT_FALSE(ended_.contains(task_));
      waiting_.insert(task_);
      shown_.clear();
      said_.clear();
      calls_.clear();
    } else if (is_running()) {
      EXPECT_TRUE(is_completed_just_now_);
      EXPECT_EQ(event.task_id, task_);
      EXPECT_TRUE(ended_.contains(task_));
    }
    status_ = event.text;
  }

  static std::int64_t number_of(const EventView& event) {
    return event.data->at("message").to_number<std::int64_t>();
  }

  void check_delta(const EventView& event) {
    check_in_task(event);
    said_[number_of(event)] += event.text;
  }

  void check_message(const EventView& event, SteadyTime now, bool is_timed) {
    check_in_task(event);
    const std::int64_t number = number_of(event);
    const bool is_news = !shown_.contains(number) || said_[number] != shown_[number];
    EXPECT_TRUE(is_news || shown_[number] != event.text) << "shown twice";
    if (is_timed) {
      EXPECT_EQ(event.text, said_[number]);
      EXPECT_GE(now - last_message_, std::chrono::milliseconds(250));
    }
    last_message_ = now;
    shown_[number] = said_[number] = event.text;
  }

  void check_all_shown() {
    constexpr std::size_t kLongText = 64 << 10;
    for (const auto& [number, text] : said_) {
      const std::string& shown = shown_[number];
      const bool may_lag = text.size() > kLongText && text.starts_with(shown) &&
                           (text.size() - shown.size()) * 4 < shown.size();
      EXPECT_TRUE(shown == text || may_lag) << "text is to be shown before any other event";
    }
  }

  void check_in_task(const EventView& event) const {
    EXPECT_TRUE(is_running());
    EXPECT_EQ(event.task_id, task_);
  }

  void check_call(const EventView& event) {
    check_in_task(event);
    EXPECT_TRUE(calls_.insert(event.tool_call_id).second);
    open_calls_.insert(event.tool_call_id);
  }

  void check_result(const EventView& event) {
    check_in_task(event);
    EXPECT_EQ(open_calls_.erase(event.tool_call_id), 1U);
  }

  void check_permission(const EventView& event) {
    const std::string id(event.data->at("permission_id").as_string());
    if (event.status == "pending") {
      EXPECT_TRUE(open_permissions_.insert(id).second);
    } else if (event.data->at("by") != "rule") {
      EXPECT_EQ(open_permissions_.erase(id), 1U);
    }
  }

  // Of the task at work, or of a message that never reached the agent.
  void check_completion(const EventView& event) {
    EXPECT_EQ(waiting_.erase(event.task_id), 1U);
    EXPECT_TRUE(ended_.insert(event.task_id).second);
    if (!is_running() || event.task_id != task_) {
      EXPECT_EQ(event.text, "");
      EXPECT_NE(event.status, "completed");
      return;
    }
    EXPECT_TRUE(open_calls_.empty());
    EXPECT_TRUE(open_permissions_.empty());
    std::set<std::string> texts;
    for (const auto& [number, text] : shown_)
      if (!text.empty()) texts.insert(text);
    EXPECT_TRUE(texts.empty() ? event.text.empty() : texts.contains(event.text));
  }

  void check_error(const EventView& event) const {
    EXPECT_TRUE(waiting_.contains(event.task_id)) << "an error of no task";
  }

  std::string status_ = "idle";
  std::string task_;
  bool is_completed_just_now_ = false;
  SteadyTime last_message_;
  std::map<std::int64_t, std::string> said_;   // of the task: messages as their pieces have them
  std::map<std::int64_t, std::string> shown_;  // and as they were shown last
  std::set<std::string> calls_;                // of the task
  std::set<std::string> open_calls_;
  std::set<std::string> open_permissions_;
  std::set<std::string> waiting_;  // tasks that have not ended
  std::set<std::string> ended_;
};

}  // namespace oriel
