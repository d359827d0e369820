#pragma once
// How each kind of option is read and checked. Each function completes an option of the table: what
// is allowed, its default as text (unless the table gives one), and the setter.

#include "server/serve_options.h"

namespace oriel {

// What the ranges of options are made of.
inline constexpr std::chrono::milliseconds kShort{10};
inline constexpr std::chrono::milliseconds kLong = std::chrono::hours(1);
inline constexpr std::uint64_t kKiB = 1ULL << 10;
inline constexpr std::uint64_t kMiB = 1ULL << 20;
inline constexpr std::uint64_t kGiB = 1ULL << 30;
inline constexpr std::uint64_t kTiB = 1ULL << 40;

ServeOption number_option(ServeOption option, unsigned ServeOptions::*field, std::uint64_t min,
                          std::uint64_t max);
ServeOption number_option(ServeOption option, std::uint64_t ServeOptions::*field, std::uint64_t min,
                          std::uint64_t max);
ServeOption duration_option(ServeOption option, std::chrono::milliseconds ServeOptions::*field,
                            std::chrono::milliseconds min, std::chrono::milliseconds max);
ServeOption bytes_option(ServeOption option, std::uint64_t ServeOptions::*field, std::uint64_t min,
                         std::uint64_t max);
ServeOption path_option(ServeOption option, std::string ServeOptions::*field);
ServeOption path_option(ServeOption option, std::filesystem::path ServeOptions::*field);

ServeOption listen_option(ServeOption option);
ServeOption public_url_option(ServeOption option);
ServeOption log_level_option(ServeOption option);
ServeOption store_option(ServeOption option);
ServeOption durability_option(ServeOption option);
ServeOption agent_option(ServeOption option);
ServeOption default_agent_option(ServeOption option);
ServeOption transcript_roots_option(ServeOption option);
ServeOption upload_types_option(ServeOption option);

// Zero means no limit.
ServeOption open_duration_option(ServeOption option, std::chrono::milliseconds ServeOptions::*field,
                                 std::chrono::milliseconds min, std::chrono::milliseconds max);
ServeOption retain_bytes_option(ServeOption option);  // zero means no limit

}  // namespace oriel
