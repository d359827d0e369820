#include "base/event/permission_view.h"

#include "base/text/glyph.h"
#include "base/text/json_text.h"
#include "base/text/line_diff.h"
#include "base/text/visible.h"

#include <boost/json/array.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <iterator>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kTitleColumns = 120;
constexpr std::size_t kBodyIndent = 4;  // of all rows but fields
constexpr std::size_t kLeastColumns = 16;

// The names that agents have for the text before and after an edit.
struct EditNames {
  std::string_view before, after;
};

constexpr EditNames kEditNames[] = {{"oldText", "newText"},
                                    {"old_string", "new_string"},
                                    {"old_str", "new_str"},
                                    {"old_text", "new_text"}};

bool is_plain_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string path_of(const std::string& path, std::string_view key) {
  return is_plain_key(key) ? path + "." + std::string(key)
                           : path + "[" + visible(json_text(json::value(key))) + "]";
}

// A line break at the end ends the last line; it begins no empty one.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines.push_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

// Pieces of at most `columns`, all but the first one with a mark.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  columns = std::max(columns, kLeastColumns);
  std::vector<std::string> pieces(1);
  std::size_t used = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    text.remove_prefix(glyph.bytes.size());
    const std::size_t width = display_width(glyph.bytes);
    if (width > columns - used) {
      pieces.emplace_back("↪ ");
      used = 2;
    }
    pieces.back() += glyph.bytes;
    used += width;
  }
  return pieces;
}

RowKind row_kind(DiffKind kind) {
  switch (kind) {
    case DiffKind::kSame:
      return RowKind::kSame;
    case DiffKind::kAdded:
      return RowKind::kAdded;
    case DiffKind::kRemoved:
      return RowKind::kRemoved;
  }
  return RowKind::kText;
}

class RowWriter {
 public:
  RowWriter(std::string_view title, std::size_t max_columns)
      : title_(title), columns_(std::max(max_columns, kBodyIndent + kLeastColumns)) {}

  void write(const std::string& path, const json::value& value) {
    if (value.is_object() && !value.get_object().empty())
      return write_object(path, value.get_object());
    if (value.is_array() && !value.get_array().empty()) return write_array(path, value.get_array());
    if (value.is_string() && !value.get_string().empty())
      return write_text(path, value.get_string());
    write_line(path, json_text(value));
  }

  void write_text(const std::string& path, std::string_view text) {
    note_title(text);
    if (text.find('\n') == text.npos) return write_line(path, visible(text));
    add_field(path, "");
    for (const std::string_view line : lines_of(text))
      add_body(RowKind::kText, line);
  }

  // Whether a field shows all of the title but a short beginning.
  bool has_title() const { return has_title_; }

  std::vector<PermissionRow> take() { return std::move(rows_); }

 private:
  void write_line(const std::string& path, const std::string& line) {
    const bool fits = display_width(path) + 2 + display_width(line) <= columns_;
    add_field(path, fits ? line : "");
    if (!fits) add_body(RowKind::kText, line);
  }

  void write_object(const std::string& path, const json::object& object) {
    const EditNames* const edit = edit_in(object);
    if (edit) write_edit(path, *edit, object);
    for (const auto& [key, value] : object) {
      const std::string_view name = key;
      const bool is_shown = edit && (name == edit->before || name == edit->after);
      if (!is_shown) write(path_of(path, name), value);
    }
  }

  void write_array(const std::string& path, const json::array& array) {
    for (std::size_t i = 0; i < array.size(); ++i)
      write(fmt::format("{}[{}]", path, i), array[i]);
  }

  static const EditNames* edit_in(const json::object& object) {
    for (const EditNames& names : kEditNames) {
      const json::value* const before = object.if_contains(names.before);
      const json::value* const after = object.if_contains(names.after);
      if (!before || !after || !after->is_string()) continue;
      if (!before->is_string() && !before->is_null()) continue;
      const bool is_blank =
          after->get_string().empty() && (before->is_null() || before->get_string().empty());
      if (!is_blank) return &names;
    }
    return nullptr;
  }

  void write_edit(const std::string& path, const EditNames& names, const json::object& object) {
    const json::value& before = object.at(names.before);
    const std::string_view old_text = before.is_null() ? "" : std::string_view(before.get_string());
    const std::string_view new_text = object.at(names.after).get_string();
    write_line(path, fmt::format("{}{} → {}", names.before, before.is_null() ? " (null)" : "",
                                 names.after));
    std::vector<std::string_view> old_lines = lines_of(old_text);
    std::vector<std::string_view> new_lines = lines_of(new_text);
    std::string last_line;  // with the mark
    if (!old_text.empty() && !new_text.empty() &&
        old_text.ends_with('\n') != new_text.ends_with('\n')) {
      std::string_view& last = old_text.ends_with('\n') ? new_lines.back() : old_lines.back();
      last_line = std::string(last) + "⟨no line break⟩";
      last = last_line;
    }
    add_diff(diff_lines(old_lines, new_lines));
  }

  // Nothing is left out, because the agent wrote both sides: an unchanged line may be the dangerous
  // one.
  void add_diff(const std::vector<DiffLine>& lines) {
    for (const DiffLine& line : lines)
      add_body(row_kind(line.kind), line.text);
  }

  void add_field(const std::string& label, const std::string& text) {
    std::vector<std::string> labels = wrapped(label, columns_ - 2);
    for (std::string& piece : labels)
      rows_.push_back({RowKind::kField, std::move(piece), ""});
    rows_.back().text = text;
  }

  void add_body(RowKind kind, std::string_view line) {
    for (std::string& piece : wrapped(visible(line), columns_ - kBodyIndent))
      rows_.push_back({kind, "", std::move(piece)});
  }

  void note_title(std::string_view text) {
    if (text.empty() || !title_.ends_with(text)) return;
    const std::string_view rest = title_.substr(0, title_.size() - text.size());
    has_title_ |= rest.find('\n') == rest.npos && display_width(visible(rest)) < kTitleColumns;
  }

  std::string_view title_;
  std::size_t columns_;
  std::vector<PermissionRow> rows_;
  bool has_title_ = false;
};

}  // namespace

PermissionView view_permission(const PermissionAsked& asked, std::size_t max_columns) {
  const std::string_view title = asked.title;
  RowWriter writer(title, max_columns);
  if (!asked.input.is_null()) writer.write("input", asked.input);
  if (!asked.details.is_null()) writer.write("details", asked.details);
  std::vector<PermissionRow> rows = writer.take();

  const std::string_view first = title.substr(0, title.find('\n'));
  const std::size_t columns = std::min(std::max(max_columns, kLeastColumns), kTitleColumns);
  const std::string line = visible(first) + (first.size() < title.size() ? "…" : "");
  const bool is_whole = first.size() == title.size() && display_width(line) <= columns;
  if (!is_whole && !writer.has_title()) {
    RowWriter whole({}, max_columns);
    whole.write_text("title", title);
    std::vector<PermissionRow> above = whole.take();
    rows.insert(rows.begin(), std::make_move_iterator(above.begin()),
                std::make_move_iterator(above.end()));
  }
  return {.title = printable(line, columns), .rows = std::move(rows)};
}

std::string row_text(const PermissionRow& row) {
  switch (row.kind) {
    case RowKind::kField:
      return row.label + (row.text.empty() ? ":" : ": " + row.text);
    case RowKind::kText:
      return "  │ " + row.text;
    case RowKind::kSame:
      return "    " + row.text;
    case RowKind::kAdded:
      return "  + " + row.text;
    case RowKind::kRemoved:
      return "  - " + row.text;
  }
  return row.text;
}

std::vector<std::string> scope_lines(const PermissionOption& option) {
  if (option.kind != OptionKind::kAllowAlways) return {};
  if (option.scope.empty())
    return {fmt::format("later requests, as the agent understands \"{}\"", visible(option.label))};
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(option.scope))
    lines.push_back(visible(line));
  return lines;
}

}  // namespace oriel
