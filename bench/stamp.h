#pragma once
// A stamp identifies an event of the benchmark: its publisher, its serial number and its send time.
// 26 hexadecimal digits after a mark that occurs nowhere else in a stream, so that watchers find it
// with one memchr.

#include <cstddef>
#include <cstdint>

namespace oriel {

struct Stamp {
  std::uint32_t publisher = 0;
  std::uint32_t serial = 0;
  std::int64_t sent_ns = 0;
};

constexpr char kStampMark = '@';
constexpr std::size_t kStampDigits = 2 + 8 + 16;
constexpr std::uint32_t kMaxPublishers = 256;

inline void write_hex(char* out, std::uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i, value >>= 4)
    out[i] = "0123456789abcdef"[value & 15];
}

inline std::uint64_t read_hex(const char* in, int digits) {
  std::uint64_t value = 0;
  for (int i = 0; i < digits; ++i)
    value = value << 4 | static_cast<std::uint64_t>(in[i] <= '9' ? in[i] - '0' : in[i] - 'a' + 10);
  return value;
}

inline void write_stamp(char* out, const Stamp& stamp) {
  write_hex(out, stamp.publisher, 2);
  write_hex(out + 2, stamp.serial, 8);
  write_hex(out + 10, static_cast<std::uint64_t>(stamp.sent_ns), 16);
}

inline Stamp read_stamp(const char* in) {
  return {.publisher = static_cast<std::uint32_t>(read_hex(in, 2)),
          .serial = static_cast<std::uint32_t>(read_hex(in + 2, 8)),
          .sent_ns = static_cast<std::int64_t>(read_hex(in + 10, 16))};
}

}  // namespace oriel
