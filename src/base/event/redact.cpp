#include "base/event/redact.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace oriel {
namespace {

namespace json = boost::json;

void redact(std::vector<std::string>& texts, const Redactor& redactor) {
  for (std::string& text : texts)
    redactor.mask(text);
}

bool has_secret_key(const json::object& object, const Redactor& redactor) {
  return std::any_of(object.begin(), object.end(),
                     [&](const auto& member) { return redactor.masked(member.key()).has_value(); });
}

// Keys that become equal get numbers, so that no value is lost.
void mask_keys(json::object& object, const Redactor& redactor) {
  json::object masked(object.storage());
  masked.reserve(object.size());
  for (auto& member : object) {
    const std::string name = redactor.masked(member.key()).value_or(member.key());
    std::string key = name;
    for (int number = 2; masked.contains(key); ++number)
      key = name + " " + std::to_string(number);
    masked.emplace(key, std::move(member.value()));
  }
  object = std::move(masked);
}

void redact(json::object& object, const Redactor& redactor) {
  for (auto& [key, value] : object)
    oriel::redact(value, redactor);
  if (has_secret_key(object, redactor)) mask_keys(object, redactor);
}

void redact(std::vector<PermissionOption>& options, const Redactor& redactor) {
  for (PermissionOption& option : options) {
    redactor.mask(option.label);
    redactor.mask(option.scope);
  }
}

void redact(std::vector<Question>& questions, const Redactor& redactor) {
  for (Question& question : questions) {
    redactor.mask(question.text);
    redact(question.choices, redactor);
  }
}

void redact(PermissionAsked& asked, const Redactor& redactor) {
  redactor.mask(asked.title);
  oriel::redact(asked.input, redactor);
  oriel::redact(asked.details, redactor);
  redact(asked.options, redactor);
  redact(asked.questions, redactor);
}

struct TurnText {
  const Redactor& redactor;

  void operator()(PermissionQuestion& question) const {
    redactor.mask(question.tool_call_id);
    oriel::redact(question.input, redactor);
    oriel::redact(question.details, redactor);
    redact(question.options, redactor);
    redact(question.questions, redactor);
  }

  void operator()(ToolQuestion& question) const {
    redactor.mask(question.tool_name);
    redactor.mask(question.tool_call_id);
    oriel::redact(question.input, redactor);
    redact(question.questions, redactor);
  }

  void operator()(ToolAnswer& answer) const { redactor.mask(answer.tool_call_id); }

  void operator()(CompletionOutcome& outcome) const { redactor.mask(outcome.detail); }

  void operator()(PermissionDecision&) const {}

  void operator()(std::monostate) const {}
};

// Every kind is listed, so that a new one does not compile until it is decided.
struct AgentText {
  const Redactor& redactor;

  void operator()(AgentRefused& event) const { redactor.mask(event.error.message); }

  void operator()(TextDelta& event) const { redactor.mask(event.text); }

  void operator()(ThoughtDelta& event) const { redactor.mask(event.text); }

  void operator()(TextFinished& event) const { redactor.mask(event.text); }

  void operator()(ToolCalled& event) const { oriel::redact(event.input, redactor); }

  void operator()(ToolFinished& event) const { redactor.mask(event.output); }

  void operator()(PermissionAsked& event) const { redact(event, redactor); }

  void operator()(ErrorReported& event) const { redactor.mask(event.message); }

  void operator()(NoticeGiven& event) const { redactor.mask(event.text); }

  void operator()(TaskEnded& event) const { redactor.mask(event.detail); }

  void operator()(AgentReady&) const {}

  void operator()(TaskStarted&) const {}

  void operator()(TextDropped&) const {}

  void operator()(PermissionWithdrawn&) const {}

  void operator()(UsageReported&) const {}
};

struct EventText {
  const Redactor& redactor;

  void operator()(event::StatusChanged& event) const { redactor.mask(event.reason); }

  void operator()(event::UserMessage& event) const { redactor.mask(event.text); }

  void operator()(event::AssistantMessage& event) const { redactor.mask(event.text); }

  void operator()(event::AssistantDelta& event) const { redactor.mask(event.text); }

  void operator()(event::ThoughtDelta& event) const { redactor.mask(event.text); }

  void operator()(event::ToolCall& event) const { redactor.mask(event.input); }

  void operator()(event::ToolResult& event) const { redactor.mask(event.output); }

  void operator()(event::PermissionRequested& event) const {
    redact(event.permission.asked, redactor);
  }

  void operator()(event::PermissionResolved& event) const {
    redact(event.permission.asked, redactor);
    redact(event.answer.answers, redactor);
    if (event.reply) redactor.mask(event.reply->text);
  }

  void operator()(event::Completion& event) const {
    redactor.mask(event.text);
    redactor.mask(event.detail);
  }

  void operator()(event::TaskError& event) const { redactor.mask(event.message); }

  void operator()(event::Notice& event) const { redactor.mask(event.text); }

  void operator()(event::SessionCreated& event) const { redactor.mask(event.title); }

  void operator()(event::SessionImported& event) const { redactor.mask(event.title); }

  void operator()(event::SessionEnded& event) const {
    if (event.reason) redactor.mask(*event.reason);
  }

  void operator()(event::TurnCreated& event) const { oriel::redact(event.turn, redactor); }

  void operator()(event::TurnUpdated& event) const { oriel::redact(event.turn, redactor); }

  void operator()(event::TurnDetected& event) const { oriel::redact(event.turn, redactor); }

  void operator()(event::Custom& event) const {
    redactor.mask(event.text);
    if (event.data) oriel::redact(*event.data, redactor);
  }

  void operator()(event::AgentReady&) const {}

  void operator()(event::Audit&) const {}

  void operator()(event::SessionResumed&) const {}

  void operator()(event::AgentSilence&) const {}

  void operator()(event::StateTransition&) const {}
};

}  // namespace

void redact(json::value& value, const Redactor& redactor) {
  if (auto* const text = value.if_string()) {
    if (const auto masked = redactor.masked(*text)) *text = *masked;
  } else if (auto* const array = value.if_array()) {
    for (json::value& item : *array)
      redact(item, redactor);
  } else if (auto* const object = value.if_object()) {
    redact(*object, redactor);
  }
}

void redact(AgentEvent& event, const Redactor& redactor) {
  std::visit(AgentText{redactor}, event);
}

void redact(SessionEvent& event, const Redactor& redactor) {
  std::visit(EventText{redactor}, event.payload);
}

void redact(Turn& turn, const Redactor& redactor) {
  redactor.mask(turn.text);
  std::visit(TurnText{redactor}, turn.data);
}

}  // namespace oriel
