#pragma once
// What the demo agent finds out about files without understanding them. Pure.

#include "demo/workspace_files.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct TextCounts {
  std::uint64_t lines = 0;
  std::uint64_t words = 0;
  std::uint64_t bytes = 0;

  TextCounts& operator+=(const TextCounts& other);
  bool operator==(const TextCounts&) const = default;
};

TextCounts count_text(std::string_view text);

// True for what an editor would not show as text.
bool is_binary(std::string_view bytes);

// "12: the line" for each line with this word in it, in whatever case; at most `limit`.
std::vector<std::string> matching_lines(std::string_view text, std::string_view word,
                                        std::size_t limit);

// The first line that says something, without a heading's marks; at most 200 bytes.
std::string first_line(std::string_view text);

// "14 C++, 3 Markdown, 2 others": by extension, most frequent first.
std::string describe_kinds(const std::vector<FileEntry>& files);

std::vector<FileEntry> largest_files(std::vector<FileEntry> files, std::size_t count);

// "1 file", "3 files".
std::string counted(std::uint64_t number, std::string_view thing);

// "812 bytes", "3.4 KiB", "1.2 MiB".
std::string describe_size(std::uintmax_t bytes);

}  // namespace oriel
