#include "server/space_reserve.h"

#include "posix/file_descriptor.h"

#include <sys/statvfs.h>

#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace oriel {

SpaceReserve::SpaceReserve(std::filesystem::path file, std::uint64_t bytes)
    : file_(std::move(file)), bytes_(bytes) {}

bool SpaceReserve::fill() {
  if (is_filled_ || is_released_ || bytes_ == 0) return is_filled_;
  ::unlink(file_.c_str());  // of an earlier server, perhaps with another size
  if (!has_room()) return false;
  const FileDescriptor file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  is_filled_ = file && ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes_)) == 0;
  if (!is_filled_) ::unlink(file_.c_str());
  return is_filled_;
}

void SpaceReserve::release() {
  is_released_ = true;
  is_filled_ = false;
  ::unlink(file_.c_str());
}

bool SpaceReserve::has_room() const {
  struct statvfs disk {};

  if (::statvfs(file_.parent_path().c_str(), &disk) != 0) return false;
  return std::uint64_t{disk.f_bavail} * disk.f_frsize >= 2 * bytes_;
}

}  // namespace oriel
