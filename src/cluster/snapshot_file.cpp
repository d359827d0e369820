#include "cluster/snapshot_file.h"

#include "base/text/text_hash.h"
#include "journal/crc32c.h"
#include "posix/file_descriptor.h"
#include "posix/file_lock.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace oriel {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_failed(const char* action, const fs::path& file) {
  throw std::runtime_error(std::string("cannot ") + action + " " + file.string() + ": " +
                           std::strerror(errno));
}

void sync_path(const fs::path& file) {
  const FileDescriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened || fsync(opened.get()) != 0) throw_failed("sync", file);
}

fs::path file_beside(const fs::path& journal, const char* suffix) {
  return journal.string() + suffix;
}

void remove_file(const fs::path& file) {
  if (unlink(file.c_str()) != 0 && errno != ENOENT) throw_failed("remove", file);
}

}  // namespace

std::uint64_t snapshot_digest(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw_failed("read", file);
  std::uint64_t digest = 0;
  std::string piece(kSnapshotPiece, '\0');
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto size = static_cast<std::size_t>(in.gcount());
    if (size > 0) digest = text_hash(hex(crc32c(std::string_view(piece).substr(0, size))), digest);
  }
  if (in.bad()) throw_failed("read", file);
  return digest;
}

void install_snapshot(const fs::path& snapshot, const fs::path& journal) {
  const FileLock lock(file_beside(journal, ".lock"));
  const fs::path directory = journal.has_parent_path() ? journal.parent_path() : fs::path(".");
  sync_path(snapshot);
  // SQLite would apply the write-ahead log of the old file to the new one.
  for (const char* suffix : {"", "-wal", "-shm", ".head"})
    remove_file(file_beside(journal, suffix));
  sync_path(directory);
  if (rename(snapshot.c_str(), journal.c_str()) != 0) throw_failed("replace", journal);
  sync_path(directory);
}

}  // namespace oriel
