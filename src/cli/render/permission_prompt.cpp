#include "cli/render/permission_prompt.h"

#include "base/principal.h"
#include "base/text/json_access.h"
#include "base/text/quantity.h"
#include "base/text/quote.h"
#include "base/text/visible.h"
#include "cli/render/terminal.h"

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

// Whether "yes" is ambiguous: it means the only option that allows once, never one that lasts.
bool is_choice(const PermissionAsked& asked) {
  if (asked.options.empty()) return false;
  return std::ranges::count(asked.options, OptionKind::kAllowOnce, &PermissionOption::kind) != 1;
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
    out += fmt::format("    {}) {}\n", i + 1, visible(lines[i]));
  return out;
}

std::string_view color_of(RowKind kind) {
  switch (kind) {
    case RowKind::kField:
    case RowKind::kText:
    case RowKind::kSame:
      return "";
    case RowKind::kAdded:
      return "32";
    case RowKind::kRemoved:
      return "31";
  }
  return "";
}

// The rows are indented below the title.
constexpr std::size_t kIndent = 2;

std::size_t row_width(std::size_t width) {
  return width == kAnyWidth ? width : width - std::min(width, kIndent);
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

bool is_allowance(const PermissionAsked& asked, const json::object& body) {
  if (text_of(member(body, "decision")) == "allow") return true;
  const std::string_view id = text_of(member(body, "option_id"));
  return std::ranges::any_of(asked.options, [&](const PermissionOption& option) {
    return option.id == id && allows(option.kind);
  });
}

std::string possible_answers(const PermissionAsked& asked) {
  if (!asked.questions.empty()) {
    const Question& question = asked.questions.front();
    if (question.choices.empty()) return "answer with --text, or deny";
    return visible(
        fmt::format("with --text, for example {}; or deny", fmt::join(question.choices, ", ")));
  }
  std::string out = is_choice(asked) ? "deny" : "allow, deny";
  for (const PermissionOption& option : asked.options)
    out += fmt::format(", {} ({})", visible(option.id), visible(option.label));
  return out;
}

std::string permission_text(const PermissionAsked& asked, bool is_colored, std::size_t width) {
  PermissionPrompt prompt(asked, is_colored, width);
  prompt.unfold();
  return prompt.heading();
}

std::string by_whom(const event::PermissionResolved& resolved) {
  if (!is_decided(resolved.status)) return "";
  if (resolved.by.kind == DeciderKind::kRule) return " by the session's rule";
  const std::string& principal = resolved.by.principal;
  return principal.empty() || principal == kLocalPrincipal ? " elsewhere" : " by " + principal;
}

PermissionPrompt::PermissionPrompt(PermissionAsked asked, bool is_colored, std::size_t width)
    : asked_(std::move(asked)),
      is_colored_(is_colored),
      view_(view_permission(asked_, row_width(width))),
      // Words allow nothing, and "m" may be one of them.
      is_folded_(asked_.questions.empty() && view_.rows.size() > kFoldRows) {}

std::string PermissionPrompt::heading() const {
  std::string out = paint(is_colored_, "1;33", "? " + view_.title) + "\n";
  const std::size_t shown = view_.rows.size() - hidden_rows();
  out += rows(0, shown);
  if (is_folded_) return out + "  " + more_lines() + "\n";
  return out + (asked_.questions.empty() ? options() : choices_of_question());
}

std::string PermissionPrompt::more_lines() const {
  const std::size_t count = hidden_rows();
  return fmt::format("{} more line{}: m shows {}", count, count == 1 ? "" : "s",
                     count == 1 ? "it" : "them");
}

std::string PermissionPrompt::rows(std::size_t first, std::size_t last) const {
  std::string out;
  for (std::size_t i = first; i < last; ++i) {
    const PermissionRow& row = view_.rows[i];
    const std::string_view color = color_of(row.kind);
    out += "  " + paint(is_colored_ && !color.empty(), color, row_text(row)) + "\n";
  }
  return out;
}

std::string PermissionPrompt::options() const {
  std::string once;
  std::string lasting;
  for (std::size_t i = 0; i < asked_.options.size(); ++i) {
    const PermissionOption& option = asked_.options[i];
    const std::string line = fmt::format("    {}) {}\n", i + 1,
                                         visible(option.label.empty() ? option.id : option.label));
    if (option.kind != OptionKind::kAllowAlways) {
      once += line;
      continue;
    }
    lasting += line;
    for (const std::string& scope : scope_lines(option))
      lasting += "       allows " + scope + "\n";
  }
  return once + (lasting.empty() ? "" : "  not only this once:\n" + lasting);
}

std::string PermissionPrompt::choices_of_question() const {
  const Question& question = asked_.questions[answers_.size()];
  const bool repeats_title = question.text == asked_.title;
  return (repeats_title ? "" : "  " + visible(question.text) + "\n") + numbered(question.choices);
}

std::string PermissionPrompt::question() const {
  if (is_folded_) return "  Allow? [m, n] ";
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
  if (is_folded_ && is_one_of(lower(line), {"m", "more"})) {
    unfold();
    return {.body = {}, .text = rows(kFoldRows, view_.rows.size()) + options()};
  }
  if (asked_.questions.empty()) {
    auto body = answer_body(asked_, line);
    if (!body) return {.body = {}, .text = "  " + body.error().message + "\n"};
    if (is_folded_ && is_allowance(asked_, *body))
      return {.body = {}, .text = "  " + more_lines() + ", then it can be allowed\n"};
    return {.body = std::move(*body), .text = ""};
  }
  answers_.emplace_back(line);
  if (answers_.size() < asked_.questions.size()) return {.body = {}, .text = choices_of_question()};
  return {.body = answers_body(asked_, answers_).value(), .text = ""};
}

}  // namespace oriel
