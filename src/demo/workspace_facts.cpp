#include "demo/workspace_facts.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <utility>

namespace oriel {
namespace {

struct Language {
  std::string_view extension;
  std::string_view name;
};

constexpr Language kLanguages[] = {
    {".c", "C"},           {".cc", "C++"},         {".cpp", "C++"},        {".h", "C++"},
    {".hpp", "C++"},       {".cmake", "CMake"},    {".css", "CSS"},        {".go", "Go"},
    {".html", "HTML"},     {".java", "Java"},      {".js", "JavaScript"},  {".mjs", "JavaScript"},
    {".json", "JSON"},     {".md", "Markdown"},    {".py", "Python"},      {".rb", "Ruby"},
    {".rs", "Rust"},       {".sh", "shell"},       {".sql", "SQL"},        {".toml", "TOML"},
    {".ts", "TypeScript"}, {".tsx", "TypeScript"}, {".txt", "plain text"}, {".yaml", "YAML"},
    {".yml", "YAML"},
};

constexpr std::size_t kKindsNamed = 5;
constexpr std::size_t kMaxLineBytes = 200;

std::string_view language_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  const auto found =
      std::find_if(std::begin(kLanguages), std::end(kLanguages),
                   [&](const Language& language) { return language.extension == extension; });
  return found == std::end(kLanguages) ? std::string_view() : found->name;
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

}  // namespace

TextCounts& TextCounts::operator+=(const TextCounts& other) {
  lines += other.lines;
  words += other.words;
  bytes += other.bytes;
  return *this;
}

TextCounts count_text(std::string_view text) {
  TextCounts counts{.bytes = text.size()};
  bool is_in_word = false;
  for (const char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space && !is_in_word) ++counts.words;
    if (c == '\n') ++counts.lines;
    is_in_word = !is_space;
  }
  if (!text.empty() && text.back() != '\n') ++counts.lines;
  return counts;
}

bool is_binary(std::string_view bytes) {
  return bytes.find('\0') != bytes.npos;
}

std::vector<std::string> matching_lines(std::string_view text, std::string_view word,
                                        std::size_t limit) {
  std::vector<std::string> lines;
  for (std::size_t number = 1; !text.empty() && lines.size() < limit; ++number) {
    const std::string_view line = take_line(text);
    const auto found = std::search(line.begin(), line.end(), word.begin(), word.end(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    if (found == line.end()) continue;
    lines.push_back(fmt::format("{}: {}", number, line.substr(0, kMaxLineBytes)));
  }
  return lines;
}

std::string first_line(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    line.remove_prefix(std::min(line.size(), line.find_first_not_of("#=*- \t\r")));
    if (!line.empty()) return std::string(line.substr(0, kMaxLineBytes));
  }
  return {};
}

std::string describe_kinds(const std::vector<FileEntry>& files) {
  std::map<std::string_view, std::size_t> numbers;
  for (const FileEntry& file : files)
    ++numbers[language_of(file.path)];
  std::size_t others = std::exchange(numbers[""], 0);
  numbers.erase("");
  std::vector<std::pair<std::string_view, std::size_t>> kinds(numbers.begin(), numbers.end());
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [name, number] : kinds) {
    if (parts.size() == kKindsNamed) {
      others += number;
    } else {
      parts.push_back(fmt::format("{} {}", number, name));
    }
  }
  if (others > 0) parts.push_back(fmt::format("{} other", others));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<FileEntry> largest_files(std::vector<FileEntry> files, std::size_t count) {
  std::stable_sort(files.begin(), files.end(),
                   [](const FileEntry& a, const FileEntry& b) { return a.bytes > b.bytes; });
  files.resize(std::min(files.size(), count));
  return files;
}

std::string counted(std::uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string describe_size(std::uintmax_t bytes) {
  if (bytes < 1024) return counted(bytes, "byte");
  const double kibibytes = static_cast<double>(bytes) / 1024;
  return kibibytes < 1024 ? fmt::format("{:.1f} KiB", kibibytes)
                          : fmt::format("{:.1f} MiB", kibibytes / 1024);
}

}  // namespace oriel
