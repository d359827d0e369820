#include "posix/process_settings.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <system_error>

namespace oriel {
namespace {

constexpr mode_t kPrivate = 077;

// As when the process was started; none: unchanged. They belong to the process, as umask itself.
std::optional<mode_t> started_umask;
std::optional<rlimit> started_open_files;

}  // namespace

void make_new_files_private() {
  const mode_t before = ::umask(kPrivate);
  if (!started_umask) started_umask = before;
}

std::uint64_t raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    throw std::system_error(errno, std::generic_category(), "getrlimit");
  const rlimit raised{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) return limit.rlim_cur;
  if (!started_open_files) started_open_files = limit;
  return raised.rlim_cur;
}

void restore_settings_in_child() {
  if (started_umask) ::umask(*started_umask);
  if (started_open_files) ::setrlimit(RLIMIT_NOFILE, &*started_open_files);
}

}  // namespace oriel
