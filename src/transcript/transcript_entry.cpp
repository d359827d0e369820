#include "transcript/transcript_entry.h"

#include "base/text/json_line.h"

#include <array>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 3> kFormats = {"claude", "codex", "droid"};

}  // namespace

std::string_view name_of(TranscriptFormat format) {
  return kFormats[static_cast<std::size_t>(format)];
}

std::optional<TranscriptFormat> parse_transcript_format(std::string_view name) {
  for (std::size_t i = 0; i < kFormats.size(); ++i) {
    if (kFormats[i] == name) return static_cast<TranscriptFormat>(i);
  }
  return std::nullopt;
}

std::optional<TranscriptFormat> guess_format(std::string_view line) {
  const std::optional<boost::json::value> value = parse_line(line);
  if (!value) return std::nullopt;
  const std::string_view type = text_of(member(*value, "type"));
  if (member(*value, "payload").is_object()) return TranscriptFormat::kCodex;
  if (type == "session_start" || type == "agent_turn_outcome" ||
      (type == "message" && member(*value, "message").is_object()))
    return TranscriptFormat::kDroid;
  if (type.empty()) {
    const bool is_old_codex =
        member(*value, "id").is_string() && member(*value, "timestamp").is_string();
    return is_old_codex ? std::optional(TranscriptFormat::kCodex) : std::nullopt;
  }
  if (!text_of(member(*value, "sessionId")).empty() || !text_of(member(*value, "uuid")).empty() ||
      type == "summary" || type == "file-history-snapshot")
    return TranscriptFormat::kClaude;
  return std::nullopt;
}

TranscriptLine parse_transcript_line(TranscriptFormat format, std::string_view line) {
  switch (format) {
    case TranscriptFormat::kClaude:
      return parse_claude_line(line);
    case TranscriptFormat::kCodex:
      return parse_codex_line(line);
    case TranscriptFormat::kDroid:
      break;
  }
  return parse_droid_line(line);
}

}  // namespace oriel
