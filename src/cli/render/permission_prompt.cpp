#include "cli/render/permission_prompt.h"

#include "base/text/json_text.h"
#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "cli/render/terminal.h"
#include "cli/render/tool_line.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

namespace json = boost::json;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The item with this number, from 1.
template <class Item>
const Item* item_at(const std::vector<Item>& items, std::string_view number) {
  const auto position = parse_number(number);
  return position && *position >= 1 && *position <= items.size() ? &items[*position - 1] : nullptr;
}

const PermissionOption* option_of(const PermissionAsked& asked, std::string_view word) {
  if (const auto* const numbered = item_at(asked.options, word)) return numbered;
  for (const PermissionOption& option : asked.options) {
    if (option.id == word || lower(option.label) == lower(word)) return &option;
  }
  return nullptr;
}

// With several ways to allow, "yes" is ambiguous.
bool is_choice(const PermissionAsked& asked) {
  const auto count = std::count_if(
      asked.options.begin(), asked.options.end(),
      [](const PermissionOption& option) { return option.kind == OptionKind::kAllowOnce; });
  return count > 1;
}

// Numbers select choices; other text is the answer itself.
std::string answer_to(const Question& question, std::string_view line) {
  if (!question.takes_many) {
    const std::string* const choice = item_at(question.choices, line);
    return choice == nullptr ? std::string(line) : *choice;
  }
  std::string answer;
  while (!line.empty()) {
    const std::string_view part = line.substr(0, line.find(','));
    line.remove_prefix(std::min(part.size() + 1, line.size()));
    const std::string* const choice = item_at(question.choices, trimmed(part));
    if (!answer.empty()) answer += ", ";
    answer += choice == nullptr ? std::string(trimmed(part)) : *choice;
  }
  return answer;
}

std::string numbered(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += fmt::format("    {}) {}\n", i + 1, printable(lines[i]));
  return out;
}

std::vector<std::string> labels_of(const PermissionAsked& asked) {
  std::vector<std::string> labels;
  for (const PermissionOption& option : asked.options)
    labels.push_back(option.label.empty() ? option.id : option.label);
  return labels;
}

}  // namespace

Result<json::object> answer_body(const PermissionAsked& asked, std::string_view word) {
  const std::string plain = lower(word);
  const bool takes_yes = asked.questions.empty() && !is_choice(asked);
  if (takes_yes && is_one_of(plain, {"allow", "y", "yes"}))
    return json::object{{"decision", "allow"}};
  if (asked.questions.empty() && is_one_of(plain, {"n", "no"}))
    return json::object{{"decision", "deny"}};
  if (plain == "deny") return json::object{{"decision", "deny"}};
  if (const auto* const option = option_of(asked, word))
    return json::object{{"option_id", option->id}};
  return Error{.kind = ErrorKind::kBadAnswerWord,
               .message = fmt::format("{} is not a possible answer", quote(word)),
               .hint = possible_answers(asked)};
}

Result<json::object> answers_body(const PermissionAsked& asked,
                                  const std::vector<std::string>& answers) {
  if (answers.size() != asked.questions.size()) {
    return Error{
        .kind = ErrorKind::kBadAnswerCount,
        .message = fmt::format("it asks {} question{}, but {} answer{} given",
                               asked.questions.size(), asked.questions.size() == 1 ? "" : "s",
                               answers.size(), answers.size() == 1 ? " is" : "s are"),
        .hint = possible_answers(asked)};
  }
  json::array list;
  for (std::size_t i = 0; i < answers.size(); ++i)
    list.emplace_back(answer_to(asked.questions[i], trimmed(answers[i])));
  return json::object{{"answers", std::move(list)}};
}

std::string possible_answers(const PermissionAsked& asked) {
  if (!asked.questions.empty()) {
    const Question& question = asked.questions.front();
    if (question.choices.empty()) return "answer with --text, or deny";
    return printable(
        fmt::format("with --text, for example {}; or deny", fmt::join(question.choices, ", ")));
  }
  std::string out = is_choice(asked) ? "deny" : "allow, deny";
  for (const PermissionOption& option : asked.options)
    out += fmt::format(", {} ({})", printable(option.id), printable(option.label));
  return out;
}

std::string PermissionPrompt::heading(bool is_colored, std::size_t width) const {
  std::string out = paint(is_colored, "1;33", "? " + printable(asked_.title)) + "\n";
  const std::string input = asked_.input.is_null() ? "" : short_arguments(json_text(asked_.input));
  if (!input.empty() && input != asked_.title) {
    out += "    " + paint(is_colored, kDim, printable(input, width - 4)) + "\n";
  }
  if (asked_.questions.empty()) return out + numbered(labels_of(asked_));
  return out + choices_of_question();
}

std::string PermissionPrompt::choices_of_question() const {
  const Question& question = asked_.questions[answers_.size()];
  const bool repeats_title = question.text == asked_.title;
  return (repeats_title ? "" : "  " + printable(question.text) + "\n") + numbered(question.choices);
}

std::string PermissionPrompt::question() const {
  if (asked_.questions.empty()) {
    const std::size_t count = asked_.options.size();
    if (is_choice(asked_)) return fmt::format("  Choose [1-{}, n] ", count);
    return count == 0 ? "  Allow? [y, n] " : fmt::format("  Allow? [y, n, 1-{}] ", count);
  }
  const Question& question = asked_.questions[answers_.size()];
  if (question.choices.empty()) return "  Answer: ";
  return question.takes_many ? "  Answer [numbers with commas, or words]: "
                             : fmt::format("  Answer [1-{}, or words]: ", question.choices.size());
}

PermissionPrompt::Reply PermissionPrompt::take(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return {};
  if (asked_.questions.empty()) {
    auto body = answer_body(asked_, line);
    if (!body) return {.body = {}, .text = "  " + body.error().message + "\n"};
    return {.body = std::move(*body), .text = ""};
  }
  answers_.emplace_back(line);
  if (answers_.size() < asked_.questions.size()) return {.body = {}, .text = choices_of_question()};
  return {.body = answers_body(asked_, answers_).value(), .text = ""};
}

}  // namespace oriel
