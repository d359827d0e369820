#include "posix/text_file.h"

#include "posix/atomic_file.h"

#include <spdlog/fmt/fmt.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;

Error cannot(const char* what, const fs::path& file, const std::string& why) {
  return {.kind = ErrorKind::kFileFailed,
          .message = fmt::format("cannot {} {}: {}", what, file.string(), why),
          .hint = {}};
}

Error cannot(const char* what, const fs::path& file) {
  return cannot(what, file, std::strerror(errno));
}

Result<void> make_directories(const fs::path& directory) {
  if (directory.empty() || fs::exists(directory)) return {};
  const auto made = make_directories(directory.parent_path());
  if (!made) return made.error();
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return cannot("make", directory);
  return {};
}

}  // namespace

fs::path file_behind(fs::path name) {
  std::error_code problem;
  for (int links = 0; links < kMaxLinks && fs::is_symlink(name, problem); ++links)
    name = name.parent_path() / fs::read_symlink(name, problem);
  return name;
}

Result<std::string> read_text_file(const fs::path& file) {
  constexpr auto kValue = boost::system::in_place_value;
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::not_found) return Result<std::string>(kValue);
  if (problem) return cannot("read", file, problem.message());
  if (status.type() != fs::file_type::regular) return cannot("read", file, "it is not a file");
  std::ifstream in(file, std::ios::binary);
  if (!in) return cannot("read", file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return cannot("read", file);
  return Result<std::string>(kValue, std::move(text));
}

fs::path backup_of(const fs::path& file) {
  return file.string() + ".oriel-backup";
}

Result<void> change_text_file(const fs::path& file, const std::string& text) {
  const auto made = make_directories(file.parent_path());
  if (!made) return made.error();

  std::error_code problem;
  if (fs::status(file, problem).type() != fs::file_type::not_found) {
    const auto before = read_text_file(file);
    if (!before) return before.error();
    const auto kept = replace_file(backup_of(file), *before, file);
    if (!kept) return kept.error();
  }
  return replace_file(file, text, file);
}

}  // namespace oriel
