#include "journal/sqlite/sqlite_copy.h"

#include "journal/sqlite/sqlite_database.h"
#include "journal/sqlite/sqlite_epoch.h"
#include "posix/file_descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sqlite3.h>
#include <system_error>

namespace oriel {
namespace {

// Events are private. SQLite accepts an empty file.
void make_empty(const std::filesystem::path& file) {
  const FileDescriptor created(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (created) return;
  throw SqliteError(file, SQLITE_CANTOPEN, std::strerror(errno));
}

void require_space(SqliteDatabase& original, const std::filesystem::path& copy,
                   std::uint64_t spare_bytes) {
  const auto pages = static_cast<std::uint64_t>(original.number("PRAGMA page_count"));
  const auto page_bytes = static_cast<std::uint64_t>(original.number("PRAGMA page_size"));
  const std::uint64_t available = std::filesystem::space(copy).available;
  if (available > spare_bytes && available - spare_bytes > pages * page_bytes) return;
  throw SqliteError(copy, SQLITE_FULL, "there is not enough space on the disk for a copy");
}

void write_copy(const std::filesystem::path& from, const std::filesystem::path& to,
                std::uint64_t spare_bytes) {
  {
    SqliteDatabase original(from, SqliteDatabase::Access::kReadOnly);
    require_space(original, to, spare_bytes);
    SqliteStatement(original, "VACUUM INTO ?1").run(to.string());
  }
  SqliteDatabase copy(to, SqliteDatabase::Access::kReadWrite);
  settle_copy(copy);
}

}  // namespace

void copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
                   std::uint64_t spare_bytes) {
  make_empty(to);
  try {
    write_copy(from, to, spare_bytes);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(to, ignored);
    throw;
  }
}

}  // namespace oriel
