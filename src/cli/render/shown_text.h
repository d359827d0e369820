#pragma once
// Which part of an agent's text is new to a reader who gets it in pieces and, now and then, whole.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace oriel {

// Of one task. Messages are told apart by their number in it.
class ShownText {
 public:
  // A piece: always new.
  void add(std::int64_t message, std::string_view piece) { shown_[message] += piece; }

  struct Rest {
    std::string text;      // to be shown now
    bool is_anew = false;  // what was shown before does not count any more: `text` is all of it
  };

  // The whole text so far.
  Rest settle(std::int64_t message, std::string_view text);

  bool empty() const { return shown_.empty(); }

 private:
  std::map<std::int64_t, std::string> shown_;
};

}  // namespace oriel
