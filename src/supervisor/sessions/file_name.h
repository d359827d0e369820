#pragma once
// Makes a file name that somebody else chose safe to store and to put into a prompt.

#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kMaxFileName = 100;  // bytes

// The last segment of the name without characters that could change the directory, look like an
// option or a command, or disguise the name: separators, control and direction characters, leading
// dots and shell syntax. Never empty; valid UTF-8 of at most kMaxFileName bytes; keeps the
// extension.
std::string safe_file_name(std::string_view name);

}  // namespace oriel
