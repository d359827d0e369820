#include "agent/sandbox/private_home.h"

#include <spdlog/fmt/fmt.h>

#include <system_error>

namespace oriel {
namespace {

namespace fs = std::filesystem;

// Every directory is made by itself: a link that an agent left in the place of one is an error.
void make_directory(const fs::path& root, const fs::path& relative, std::error_code& ec) {
  fs::path path = root;
  for (const fs::path& name : relative) {
    path /= name;
    if (fs::is_symlink(fs::symlink_status(path, ec))) fs::remove(path, ec);
    fs::create_directory(path, ec);
    if (ec) return;
  }
}

// A link would lead the copy, or a mount, elsewhere.
void remove_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(fs::symlink_status(path, ignored))) fs::remove(path, ignored);
}

// A file that cannot be copied is missing: the agent starts without it.
void copy_settings(const fs::path& from, const fs::path& to) {
  remove_file(to);
  std::error_code ignored;
  if (fs::is_regular_file(from, ignored)) fs::copy_file(from, to, ignored);
}

}  // namespace

std::optional<Error> prepare_private_home(const AgentSpec& spec, const Environment& own) {
  const auto users_home = own.find("HOME");
  if (spec.private_home.empty() || users_home == own.end()) return std::nullopt;
  std::error_code ec;
  if (fs::create_directories(spec.private_home, ec))
    fs::permissions(spec.private_home, fs::perms::owner_all, ec);
  for (const HomePart& part : spec.home_parts) {
    const fs::path path = spec.private_home / part.path;
    if (part.access == HomeAccess::kPrivate)
      make_directory(spec.private_home, part.path, ec);
    else if (part.access == HomeAccess::kCopied)
      copy_settings(fs::path(users_home->second) / part.path, path);
    else if (std::error_code ignored; fs::is_symlink(fs::symlink_status(path, ignored)))
      remove_file(path);
    if (ec) break;
  }
  if (!ec) return std::nullopt;
  return Error{.kind = ErrorKind::kDirectoryMissing,
               .message = fmt::format("the private home '{}' cannot be made: {}",
                                      spec.private_home.string(), ec.message()),
               .hint = "make --data-dir writable"};
}

}  // namespace oriel
