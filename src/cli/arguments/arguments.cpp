#include "cli/arguments/arguments.h"

#include "base/text/nearest.h"
#include "base/text/quote.h"

#include <algorithm>

namespace oriel {
namespace {

class Parser {
 public:
  explicit Parser(const CommandSpec& command) : command_(command) {}

  Result<Arguments> parse(const std::vector<std::string>& words) {
    bool may_be_flag = true;
    for (auto word = words.begin(); word != words.end(); ++word) {
      const bool is_flag = may_be_flag && word->starts_with('-') && *word != "-";
      if (!is_flag) {
        arguments_.positionals.push_back(*word);
      } else if (*word == "--") {
        may_be_flag = false;
      } else if (*word == "--help" || *word == "-h") {
        arguments_.wants_help = true;
      } else {
        const bool has_next = word + 1 != words.end();
        if (take_flag(*word, has_next ? &word[1] : nullptr) == Taken::kNextToo) ++word;
      }
    }
    if (arguments_.wants_help) return std::move(arguments_);
    check_positionals();
    if (problem_) return *problem_;
    return std::move(arguments_);
  }

 private:
  enum class Taken { kThis, kNextToo };

  // `next` is its value, unless the word holds one itself: --count=3.
  Taken take_flag(const std::string& word, const std::string* next) {
    const std::size_t equals = word.find('=');
    const Option* const option = find(word.substr(0, equals));
    const bool has_own_value = equals != word.npos;
    if (option == nullptr) {
      fail(unknown_flag(word.substr(0, equals)));
    } else if (option->value.empty()) {
      if (has_own_value) fail(usage_error("flag --" + option->name + " takes no value"));
      arguments_.add(option->name, "");
    } else if (has_own_value) {
      take_value(*option, word.substr(equals + 1));
    } else if (next == nullptr) {
      fail(usage_error("flag --" + option->name + " needs a value"));
    } else {
      take_value(*option, *next);
      return Taken::kNextToo;
    }
    return Taken::kThis;
  }

  void take_value(const Option& option, const std::string& value) {
    if (option.occurs == Occurs::kOnce && arguments_.has(option.name))
      fail(usage_error("flag --" + option.name + " is given twice"));
    if (option.rule && !option.rule->accepts(value))
      fail(bad_flag(option.name, value, option.rule->allowed));
    arguments_.add(option.name, value);
  }

  void check_positionals() {
    const std::size_t count = arguments_.positionals.size();
    const std::size_t known = command_.positionals.size();
    if (count > known && !command_.takes_rest)
      fail(usage_error("unexpected argument " + quote(arguments_.positionals[known])));
    if (count < command_.required_positionals)
      fail(usage_error(command_.positionals[count] + " is missing"));
  }

  const Option* find(std::string_view flag) const {
    const auto found = std::find_if(
        command_.options.begin(), command_.options.end(), [flag](const Option& option) {
          return flag.starts_with("--") && flag.substr(2) == option.name;
        });
    return found == command_.options.end() ? nullptr : &*found;
  }

  Error unknown_flag(const std::string& flag) const {
    std::vector<Spelling> spellings = {{.spelling = "--help", .name = "--help"}};
    for (const Option& option : command_.options) {
      if (option.help.empty()) continue;
      spellings.push_back({.spelling = "--" + option.name, .name = "--" + option.name});
    }
    return bad_option("unknown flag " + quote(flag),
                      did_you_mean(nearest(flag, spellings), help_hint()));
  }

  Error usage_error(std::string message) const {
    return bad_option(std::move(message), help_hint());
  }

  std::string help_hint() const { return "see oriel " + command_.name + " --help"; }

  // Only the first problem is reported, and none when help is wanted.
  void fail(Error problem) {
    if (!problem_) problem_ = std::move(problem);
  }

  const CommandSpec& command_;
  Arguments arguments_;
  std::optional<Error> problem_;
};

}  // namespace

std::optional<std::string> Arguments::value(const std::string& option) const {
  const auto found = given_.find(option);
  if (found == given_.end()) return std::nullopt;
  return found->second.front();
}

std::vector<std::string> Arguments::values(const std::string& option) const {
  const auto found = given_.find(option);
  return found == given_.end() ? std::vector<std::string>() : found->second;
}

void Arguments::add(const std::string& option, std::string value) {
  given_[option].push_back(std::move(value));
}

Result<Arguments> parse_arguments(const CommandSpec& command,
                                  const std::vector<std::string>& words) {
  return Parser(command).parse(words);
}

Error bad_flag(const std::string& flag, std::string_view value, const std::string& allowed) {
  return bad_option("flag --" + flag + ": " + quote(value) + " is not " + allowed);
}

Error bad_option(std::string message, std::string hint) {
  return {.kind = ErrorKind::kBadOption, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace oriel
