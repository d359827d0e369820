#pragma once
// Finds the new part of a text that arrives in pieces and, from time to time, whole.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace oriel {

// For one task. A message is identified by its number in the task.
class ShownText {
 public:
  // Takes a piece, which is always new.
  void add(std::int64_t message, std::string_view piece) { shown_[message] += piece; }

  struct Rest {
    std::string text;          // show this
    bool is_replaced = false;  // the text was replaced: `text` is all of it
  };

  // Takes the whole text so far.
  Rest settle(std::int64_t message, std::string_view text);

  bool empty() const { return shown_.empty(); }

 private:
  std::map<std::int64_t, std::string> shown_;
};

}  // namespace oriel
