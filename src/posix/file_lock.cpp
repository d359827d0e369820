#include "posix/file_lock.h"

#include <sys/file.h>

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace oriel {
namespace {

constexpr std::chrono::milliseconds kLockCheck{1};

// The holder writes its process id right after it has got the lock.
std::string holder(int descriptor) {
  std::array<char, 16> text{};
  const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
  if (length <= 0) return "another process";
  return "process " + std::string(text.data(), static_cast<std::size_t>(length));
}

std::string lock_failure(const std::filesystem::path& file, int descriptor) {
  if (errno != EWOULDBLOCK) {
    return "cannot lock " + file.string() + ": " + std::generic_category().message(errno);
  }
  return "another Oriel uses this data directory: " + file.string() + " is held by " +
         holder(descriptor) + "; stop it, or choose another --data-dir";
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file)
    : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (!file_) {
    throw std::runtime_error("cannot open " + file.string() + ": " +
                             std::generic_category().message(errno) +
                             "; check that its directory exists and is writable");
  }
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw std::runtime_error(lock_failure(file, file_.get()));
  // For the message above; the lock holds without it.
  const std::string id = std::to_string(getpid());
  if (ftruncate(file_.get(), 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(file_.get(), id.data(), id.size(), 0);
  }
}

bool wait_until_unlocked(const std::filesystem::path& file, std::chrono::milliseconds within) {
  const FileDescriptor lock(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock) return true;  // nobody has ever held it
  const auto end = std::chrono::steady_clock::now() + within;
  while (flock(lock.get(), LOCK_SH | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kLockCheck);
  }
  return true;
}

}  // namespace oriel
