#include "small_disk.h"

#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

namespace oriel {
namespace {

constexpr const char* kMounted = "mounted\n";

}  // namespace

SmallDisk::SmallDisk(std::uint64_t mebibytes) {
  const std::string mount = "mount -t tmpfs -o size=" + std::to_string(mebibytes) + "m tmpfs " +
                            path().string() + " && echo mounted && exec sleep 600";
  holder_ = std::make_unique<TestProcess>(
      Command{.words = {"/usr/bin/unshare", "-Urm", "/bin/sh", "-c", mount}});
  eventually([this] { return holder_->out() == kMounted || !holder_->is_running(); });
}

std::string SmallDisk::problem() const {
  if (holder_->out() == kMounted) return "";
  return "cannot mount in a user namespace: " + holder_->err();
}

std::vector<std::string> SmallDisk::launcher() const {
  return {"/usr/bin/nsenter",       "-t", std::to_string(holder_->pid()), "-U", "-m",
          "--preserve-credentials", "--"};
}

void SmallDisk::fill() const {
  const int file = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("cannot fill " + filler().string());
  const std::string piece(4096, 'x');
  while (::write(file, piece.data(), piece.size()) > 0) {
  }
  ::close(file);
}

void SmallDisk::make_room() const {
  std::filesystem::remove(filler());
}

// Outside its namespace the disk is reached through the process that holds it.
std::filesystem::path SmallDisk::filler() const {
  return "/proc/" + std::to_string(holder_->pid()) + "/root" + (path() / "filler").string();
}

}  // namespace oriel
