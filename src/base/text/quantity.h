#pragma once
// Durations and sizes as people write them: "30s", "500ms", "10MiB", "1000".

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

// A whole number with a unit: ms, s, m, h or d. Zero needs none. None for anything else, or beyond
// 292 million years.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// A whole number of bytes, or with a unit: KiB, MiB, GiB or TiB. None for anything else, or beyond
// 64 bits.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// A whole number in decimal digits and nothing else.
std::optional<std::uint64_t> parse_number(std::string_view text);

// Uses the largest unit without loss; parsing returns the same value. `duration` is not negative.
std::string format_duration(std::chrono::milliseconds duration);
std::string format_bytes(std::uint64_t bytes);

}  // namespace oriel
