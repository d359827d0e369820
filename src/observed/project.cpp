#include "observed/project.h"

#include "base/id.h"
#include "base/text/text_hash.h"

#include <filesystem>
#include <system_error>

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBaseLength = 64;
constexpr std::size_t kHashDigits = 10;

// Without ".", "..", repeated slashes and one at the end.
fs::path normal_form(std::string_view path) {
  fs::path normal = fs::path(path).lexically_normal();
  if (!normal.has_filename() && normal.has_parent_path() && normal != normal.root_path())
    normal = normal.parent_path();
  return normal;
}

// The base name, with "-" for characters that an id cannot have.
std::string id_part(std::string_view name) {
  std::string part;
  for (const char c : name.substr(0, kMaxBaseLength))
    part += is_name(std::string_view(&c, 1)) && c != ':' ? c : '-';
  return part.empty() ? "root" : part;
}

bool exists_on_disk(const std::string& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

}  // namespace

Project find_project(std::string_view cwd, const std::function<bool(const std::string&)>& exists) {
  const fs::path start = normal_form(cwd.empty() ? "/" : cwd);
  fs::path root = start;
  for (fs::path at = start;; at = at.parent_path()) {
    if (exists((at / ".git").string())) {
      root = at;
      break;
    }
    if (!at.has_relative_path()) break;
  }
  const std::string name = root.filename().string();
  const std::string hash = hex(text_hash(root.string())).substr(0, kHashDigits);
  return {.project_id = id_part(name) + "-" + hash,
          .name = name.empty() ? root.string() : name,
          .root = root.string()};
}

Project find_project(std::string_view cwd) {
  return find_project(cwd, exists_on_disk);
}

}  // namespace oriel
