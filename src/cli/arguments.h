#pragma once
// A command's words, sorted into flags with their values and the rest.

#include "base/error.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace oriel {

// What a command understands, without dashes. --help is understood by all.
struct ArgumentShape {
  std::string command;              // for messages: "serve"
  std::vector<std::string> values;  // flags with a value, given at most once
  std::vector<std::string> lists;   // flags with a value that may be repeated
  std::vector<std::string> switches;
  std::vector<std::string> hidden = {};       // switches that no suggestion names
  std::vector<std::string> positionals = {};  // for messages: "TYPE"
  std::size_t required_positionals = 0;
  bool takes_rest = false;  // the last positional may be given again and again
};

struct Arguments {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;
  std::set<std::string> switches;
  std::vector<std::string> positionals;
  bool wants_help = false;  // then nothing else counts

  std::optional<std::string> value(const std::string& name) const;

  bool has(const std::string& switch_name) const { return switches.count(switch_name) > 0; }
};

// An unknown flag is an error with the nearest known one.
Result<Arguments> parse_arguments(const ArgumentShape& shape,
                                  const std::vector<std::string>& words);

}  // namespace oriel
