#pragma once
// The declaration of a command, one row per option, and its words parsed by that declaration. The
// parser, the help and the shell completion all read the same rows.

#include "base/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Which values an option accepts.
struct ValueRule {
  const char* allowed;  // completes "is not ...": "ask, allow or deny"
  bool (*accepts)(std::string_view value);
};

enum class Occurs { kOnce, kRepeatedly };

struct Option {
  std::string name;   // without dashes
  std::string value;  // placeholder of its value; empty for a switch
  std::string help;   // without the final period; empty: neither listed nor suggested
  std::optional<ValueRule> rule = {};
  Occurs occurs = Occurs::kOnce;
  std::string group = {};  // heading in the help
};

// Every command also understands --help.
struct CommandSpec {
  std::string name;
  std::string group;               // heading in `oriel --help`
  std::string summary;             // in `oriel --help`
  std::vector<std::string> usage;  // what may follow `oriel NAME`, one form each
  std::string description;         // paragraphs; those that start with a space stay as is
  std::vector<Option> options;     // in the order of the help
  std::string notes;               // below the options: examples, exit codes
  std::vector<std::string> positionals = {};  // for messages: "TYPE"
  std::size_t required_positionals = 0;
  bool takes_rest = false;  // the last positional may be repeated
};

class Arguments {
 public:
  std::vector<std::string> positionals;
  bool wants_help = false;  // then nothing else is checked

  bool has(const std::string& option) const { return given_.contains(option); }

  std::optional<std::string> value(const std::string& option) const;

  // The value, or an empty text.
  std::string text(const std::string& option) const { return value(option).value_or(""); }

  // All values in their order.
  std::vector<std::string> values(const std::string& option) const;

  void add(const std::string& option, std::string value);

 private:
  std::map<std::string, std::vector<std::string>> given_;  // a switch has empty values
};

// An unknown flag is an error that suggests the nearest known one.
Result<Arguments> parse_arguments(const CommandSpec& command,
                                  const std::vector<std::string>& words);

// "flag --count: "0" is not a whole number".
Error bad_flag(const std::string& flag, std::string_view value, const std::string& allowed);

// An error of the command line.
Error bad_option(std::string message, std::string hint = {});

}  // namespace oriel
