#include "cli/render/import_view.h"

#include "base/text/json_access.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kMostSkips = 10;

std::uint64_t count_at(const json::object& object, std::string_view key) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(number_of(member(object, key)).value_or(0), 0));
}

// "1 session", "2 sessions".
std::string counted(std::uint64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string skip_line(const json::object& skip) {
  const auto offset = number_of(member(skip, "offset"));
  const std::string where = offset ? fmt::format(", byte {}", *offset) : "";
  return fmt::format("  {}{}: {}\n", printable(text_at(skip, "path")), where,
                     printable(text_at(skip, "why")));
}

// Skipped files, by reason.
std::string rest_of(const json::object& progress) {
  struct Reason {
    const char* key;
    const char* words;
  };

  constexpr std::array<Reason, 6> kReasons = {
      {{"files_unchanged", "unchanged since the last import"},
       {"files_watched", "of sessions that Oriel runs or observes"},
       {"files_empty", "without a session"},
       {"files_old", "too old (--days)"},
       {"files_left", "beyond --max-imported"},
       {"files_failed", "unreadable"}}};
  std::string text;
  for (const Reason& reason : kReasons) {
    const std::uint64_t count = count_at(progress, reason.key);
    if (count > 0) text += fmt::format("  {} {}\n", counted(count, "file"), reason.words);
  }
  return text;
}

}  // namespace

std::string about_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 999.5 && unit + 1 < kUnits.size()) {
    amount /= 1000;
    ++unit;
  }
  if (unit == 0 || amount >= 9.95) return fmt::format("{:.0f} {}", amount, kUnits[unit]);
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::optional<ImportState> import_state_of(const json::object& progress) {
  return parse_import_state(text_at(progress, "state"));
}

std::string import_line(const json::object& progress, std::chrono::milliseconds took,
                        std::size_t width) {
  const std::uint64_t total = count_at(progress, "bytes_total");
  const std::uint64_t done = std::min(count_at(progress, "bytes_done"), total);
  const double share = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
  const auto full = static_cast<std::size_t>(share * kBarWidth);
  const auto seconds = std::max(static_cast<double>(took.count()) / 1000, 0.001);
  const auto speed = static_cast<std::uint64_t>(static_cast<double>(done) / seconds);
  return printable(
      fmt::format("[{}{}] {:3.0f} %  {} of {} files  {} of {}  {}/s  {}", std::string(full, '#'),
                  std::string(kBarWidth - full, '-'), share * 100, count_at(progress, "files_done"),
                  count_at(progress, "files_total"), about_bytes(done), about_bytes(total),
                  about_bytes(speed), counted(count_at(progress, "turns"), "turn")),
      width);
}

std::string import_summary(const json::object& progress) {
  const auto state = import_state_of(progress);
  std::string text = "The import is done: ";
  if (state == ImportState::kCancelled) text = "The import was cancelled: ";
  if (state == ImportState::kFailed)
    text = "The import failed (" + printable(text_at(progress, "error")) + "): ";
  text +=
      fmt::format("{}, {}, {} of {}\n", counted(count_at(progress, "sessions"), "session"),
                  counted(count_at(progress, "turns"), "turn"), count_at(progress, "files_done"),
                  counted(count_at(progress, "files_total"), "file"));
  text += rest_of(progress);
  const std::vector<json::object> skipped = objects_of(member(progress, "skipped"));
  const std::uint64_t lines = count_at(progress, "lines_skipped");
  if (lines > 0) text += fmt::format("  {} skipped\n", counted(lines, "line"));
  for (std::size_t i = 0; i < std::min(skipped.size(), kMostSkips); ++i)
    text += skip_line(skipped[i]);
  if (skipped.size() > kMostSkips) text += "  ...\n";
  return text;
}

std::string import_plan(const json::object& plan) {
  std::string text;
  for (const json::object& file : objects_of(member(plan, "files"))) {
    text += fmt::format("{:.16}  {:>7}  {}{}\n", text_at(file, "modified_at"),
                        about_bytes(count_at(file, "size")), printable(text_at(file, "path")),
                        is_true(member(file, "is_unchanged")) ? "  (unchanged)" : "");
  }
  const std::uint64_t total = count_at(plan, "files_total");
  if (total > objects_of(member(plan, "files")).size()) text += "...\n";
  text +=
      fmt::format("{}, {}\n", counted(total, "file"), about_bytes(count_at(plan, "bytes_total")));
  return text + rest_of(plan);
}

}  // namespace oriel
