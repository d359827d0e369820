#pragma once
// `oriel mcp` as an MCP client starts it: lines to its standard input, lines from its output.

#include "deadline.h"

#include <boost/json/object.hpp>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

class StdioProcess {
 public:
  // The program's path, then its arguments.
  explicit StdioProcess(std::vector<std::string> words);
  ~StdioProcess();  // kills it
  StdioProcess(const StdioProcess&) = delete;
  StdioProcess& operator=(const StdioProcess&) = delete;

  void say(std::string_view line) const;

  // The next line, which has to be a JSON object; throws if none comes in time.
  boost::json::object receive(Milliseconds within = kPatience);

  // The next line that answers this request; what comes before it is left out.
  boost::json::object hear_answer(std::int64_t id, Milliseconds within = kPatience);

  void close_input();
  void signal(int number) const;

  // Its exit code, or 128 + the signal that ended it; none if it still runs after that time.
  std::optional<int> wait_exit(Milliseconds within = kPatience);

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string unread_;
  std::optional<int> exit_code_;
};

}  // namespace oriel
