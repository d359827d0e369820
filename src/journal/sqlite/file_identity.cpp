#include "journal/sqlite/file_identity.h"

#include <sys/stat.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace oriel {

FileIdentity::FileIdentity(std::filesystem::path file) : file_(std::move(file)) {
  struct stat facts {};

  if (stat(file_.c_str(), &facts) != 0) {
    throw std::runtime_error("cannot examine " + file_.string() + ": " +
                             std::generic_category().message(errno));
  }
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
}

bool FileIdentity::is_there() const {
  struct stat facts {};

  if (stat(file_.c_str(), &facts) == 0) return facts.st_dev == device_ && facts.st_ino == inode_;
  // Any other failure, such as a lack of memory, says nothing about the file.
  return errno != ENOENT && errno != ENOTDIR;
}

}  // namespace oriel
