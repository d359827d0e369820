#pragma once
// The end of a text that arrives in pieces. Pure.

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel {

// Keeps the last bytes of a stream.
class TextTail {
 public:
  explicit TextTail(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  void append(std::string_view bytes) {
    text_ += bytes.substr(bytes.size() - std::min(bytes.size(), max_bytes_));
    // Trim at twice the size, so that each byte is moved at most once.
    if (text_.size() > 2 * max_bytes_) text_.erase(0, text_.size() - max_bytes_);
  }

  void clear() { text_.clear(); }

  std::string text() const {
    return text_.substr(text_.size() - std::min(text_.size(), max_bytes_));
  }

 private:
  std::size_t max_bytes_;
  std::string text_;
};

}  // namespace oriel
