#include "transcript/transcript_lines.h"

#include <iterator>
#include <utility>

namespace oriel {

ReadLines read_lines(const std::vector<JsonlLine>& lines, std::optional<TranscriptFormat> known,
                     TranscriptFormat fallback) {
  ReadLines read;
  read.format = known;
  for (const JsonlLine& line : lines) {
    if (line.is_too_long) {
      read.skipped.push_back({.offset = line.offset, .why = "the line is too long"});
      continue;
    }
    if (!read.format) read.format = guess_format(line.text);
    TranscriptLine parsed = parse_transcript_line(read.format.value_or(fallback), line.text);
    if (!parsed.skipped.empty())
      read.skipped.push_back({.offset = line.offset, .why = std::move(parsed.skipped)});
    std::move(parsed.entries.begin(), parsed.entries.end(), std::back_inserter(read.entries));
  }
  return read;
}

}  // namespace oriel
