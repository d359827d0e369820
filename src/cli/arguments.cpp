#include "cli/arguments.h"

#include "base/nearest.h"
#include "base/quote.h"

#include <CLI/CLI.hpp>

namespace oriel {
namespace {

Error usage_error(const ArgumentShape& shape, std::string message, std::string hint = {}) {
  if (hint.empty()) hint = "oriel " + shape.command + " --help explains it";
  return {.kind = ErrorKind::kBadOption, .message = std::move(message), .hint = std::move(hint)};
}

Error unknown_word(const ArgumentShape& shape, const std::string& word) {
  if (!word.starts_with('-')) return usage_error(shape, "unexpected argument " + quote(word));
  std::vector<Spelling> spellings = {{.spelling = "--help", .name = "--help"}};
  for (const auto* names : {&shape.values, &shape.lists, &shape.switches}) {
    for (const std::string& name : *names) {
      spellings.push_back({.spelling = "--" + name, .name = "--" + name});
    }
  }
  const std::string flag = word.substr(0, word.find('='));
  const auto near = nearest(flag, spellings);
  return usage_error(shape, "unknown flag " + quote(flag), near ? did_you_mean(near, "") : "");
}

// CLI11 begins its message with the option's name.
Error missing_value(const ArgumentShape& shape, const CLI::ArgumentMismatch& problem) {
  const std::string text = problem.what();
  return usage_error(shape, "flag " + text.substr(0, text.find(':')) + " needs a value");
}

Result<void> check_positionals(const ArgumentShape& shape, const Arguments& arguments) {
  const std::size_t count = arguments.positionals.size();
  if (count > shape.positionals.size() && !shape.takes_rest) {
    return unknown_word(shape, arguments.positionals[shape.positionals.size()]);
  }
  if (count < shape.required_positionals) {
    return usage_error(shape, shape.positionals[count] + " is missing");
  }
  return {};
}

// The results of an untyped option are the words as they were given; CLI11's typed ones take "{}"
// for an empty list.
class Reader {
 public:
  explicit Reader(const ArgumentShape& shape) : shape_(shape) {
    app_.allow_extras();
    app_.set_help_flag("-h,--help");
    for (const auto* names : {&shape.values, &shape.lists}) {
      for (const std::string& name : *names) {
        app_.add_option("--" + name)->expected(1)->take_all();
      }
    }
    for (const auto* names : {&shape.switches, &shape.hidden}) {
      for (const std::string& name : *names)
        app_.add_flag("--" + name)->disable_flag_override();
    }
  }

  Result<Arguments> read(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
      Arguments help;
      help.wants_help = true;
      return help;
    } catch (const CLI::ArgumentMismatch& problem) {
      return missing_value(shape_, problem);
    } catch (const CLI::ParseError& problem) {
      return usage_error(shape_, problem.what());
    }
    return collect();
  }

 private:
  Result<Arguments> collect() {
    Arguments arguments;
    for (const std::string& name : shape_.values) {
      const auto& given = app_.get_option("--" + name)->results();
      if (given.size() > 1) return usage_error(shape_, "flag --" + name + " is given twice");
      if (!given.empty()) arguments.values[name] = given.front();
    }
    for (const std::string& name : shape_.lists) {
      arguments.lists[name] = app_.get_option("--" + name)->results();
    }
    for (const auto* names : {&shape_.switches, &shape_.hidden}) {
      for (const std::string& name : *names) {
        if (app_.count("--" + name) > 0) arguments.switches.insert(name);
      }
    }
    bool may_be_flag = true;
    for (const std::string& word : app_.remaining()) {
      const bool is_mark = may_be_flag && word == "--";
      if (is_mark) may_be_flag = false;
      if (is_mark) continue;
      if (may_be_flag && word.starts_with('-') && word != "-") return unknown_word(shape_, word);
      arguments.positionals.push_back(word);
    }
    const auto checked = check_positionals(shape_, arguments);
    if (!checked) return checked.error();
    return arguments;
  }

  const ArgumentShape& shape_;
  CLI::App app_;
};

}  // namespace

std::optional<std::string> Arguments::value(const std::string& name) const {
  const auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  return found->second;
}

Result<Arguments> parse_arguments(const ArgumentShape& shape,
                                  const std::vector<std::string>& words) {
  return Reader(shape).read(words);
}

}  // namespace oriel
