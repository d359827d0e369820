#pragma once
// Writes and reads numbers and texts as bytes, for the entries of the log.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

class ByteWriter {
 public:
  // LEB128: 7 bits a byte, lowest first.
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  // With its length before it.
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }

  void raw(std::string_view bytes) { bytes_ += bytes; }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter has written. After the first error everything reads as 0 or empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) return fail();
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      const std::uint64_t bits = byte & 0x7F;
      if (shift == 63 && bits > 1) return fail();
      value |= bits << shift;
      // The shortest form only: a value has one encoding.
      if ((byte & 0x80) == 0) return byte == 0 && shift > 0 ? fail() : value;
    }
    return fail();
  }

  // A number of things that follow, each of one byte or more.
  std::size_t count() {
    const std::uint64_t value = number();
    return value <= left_.size() ? static_cast<std::size_t>(value) : fail();
  }

  std::string_view text() {
    const std::size_t size = count();
    const std::string_view text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
  }

  std::string_view rest() const { return left_; }

  bool has_failed() const { return has_failed_; }

  bool is_complete() const { return !has_failed_ && left_.empty(); }

  // Also for values that do not make sense. Returns 0.
  std::size_t fail() {
    has_failed_ = true;
    left_ = {};
    return 0;
  }

 private:
  std::string_view left_;
  bool has_failed_ = false;
};

}  // namespace oriel
