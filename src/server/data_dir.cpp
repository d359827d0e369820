#include "server/data_dir.h"

#include "base/log.h"

namespace oriel {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kOthers = fs::perms::group_all | fs::perms::others_all;

// A directory that also holds other things must not be closed: it may be a home or /tmp.
bool is_ours(const fs::path& dir) {
  std::error_code ec;
  return fs::is_empty(dir, ec) || fs::exists(dir / "journal.db", ec) ||
         fs::exists(dir / "tokens.json", ec);
}

}  // namespace

Result<void> prepare_data_dir(const fs::path& dir) {
  std::error_code ec;
  fs::create_directories(dir, ec);
  const fs::perms mode = ec ? fs::perms::none : fs::status(dir, ec).permissions();
  if (ec)
    return Error{.kind = ErrorKind::kBadOption,
                 .message = "cannot create " + dir.string() + ": " + ec.message(),
                 .hint = "choose a writable directory"};
  if ((mode & kOthers) == fs::perms::none) return {};
  if (is_ours(dir)) fs::permissions(dir, fs::perms::owner_all, ec);
  if (ec || !is_ours(dir))
    log()->warn("the data directory {} is open to other users: run chmod 700 on it", dir.string());
  return {};
}

}  // namespace oriel
