#include "posix/descriptors/open_directory.h"

#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace oriel {

FileDescriptor open_directory(const std::filesystem::path& path) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  return FileDescriptor(
      static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

std::string identity_of(const FileDescriptor& file) {
  struct stat status {};

  if (::fstat(file.get(), &status) != 0)
    throw std::system_error(errno, std::generic_category(), "fstat");
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

}  // namespace oriel
