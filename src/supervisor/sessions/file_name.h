#pragma once
// Names of files that others choose, made fit for a directory of ours and for words to an agent.

#include <string>
#include <string_view>

namespace oriel {

constexpr std::size_t kMaxFileName = 100;  // bytes

// The last segment of the name, without what could lead elsewhere, be taken for an option or a
// command, or show itself as something else: separators, control and direction characters, leading
// dots, and what a shell understands. Never empty; valid UTF-8 of at most kMaxFileName bytes; the
// ending is kept.
std::string safe_file_name(std::string_view name);

}  // namespace oriel
