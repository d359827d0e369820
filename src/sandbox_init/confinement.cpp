#include "sandbox_init/confinement.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <unistd.h>
#include <vector>

namespace {

// The numbers of calls on one architecture.
struct Numbers {
  std::array<unsigned, 3> keys;  // add_key, request_key, keyctl
  std::array<unsigned, 2>
      flags;        // clone, unshare: calls whose first argument may ask for a namespace
  unsigned clone3;  // which hides its flags from a filter
};

constexpr Numbers kNative{.keys = {SYS_add_key, SYS_request_key, SYS_keyctl},
                          .flags = {SYS_clone, SYS_unshare},
                          .clone3 = SYS_clone3};

// A process may also use the 32-bit calls of its processor.
#if defined(__x86_64__)
constexpr unsigned kNativeArchitecture = AUDIT_ARCH_X86_64;
constexpr unsigned kWithoutMark = ~0x40000000U;  // of x32
constexpr Numbers k32{.keys = {286, 287, 288}, .flags = {120, 310}, .clone3 = 435};
#elif defined(__aarch64__)
constexpr unsigned kNativeArchitecture = AUDIT_ARCH_AARCH64;
constexpr unsigned kWithoutMark = ~0U;
constexpr Numbers k32{.keys = {309, 310, 311}, .flags = {120, 337}, .clone3 = 435};
#else
#error "the numbers of the 32-bit calls of this architecture are missing"
#endif

using Filter = std::vector<sock_filter>;

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
}

sock_filter end(unsigned action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

// Skips that many instructions unless the test holds.
sock_filter unless(unsigned test, unsigned value, std::size_t skipped) {
  return BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, static_cast<unsigned char>(skipped));
}

Filter rules(const Numbers& numbers) {
  Filter rules = {load(offsetof(seccomp_data, nr)),
                  BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kWithoutMark)};
  const auto add = [&rules](const Filter& more) {
    rules.insert(rules.end(), more.begin(), more.end());
  };
  for (const unsigned number : numbers.keys)
    add({unless(BPF_JEQ, number, 1), end(SECCOMP_RET_ERRNO | EPERM)});
  // Libraries then use clone.
  add({unless(BPF_JEQ, numbers.clone3, 1), end(SECCOMP_RET_ERRNO | ENOSYS)});
  for (const unsigned number : numbers.flags)
    add({unless(BPF_JEQ, number, 4), load(offsetof(seccomp_data, args)),
         unless(BPF_JSET, CLONE_NEWUSER, 1), end(SECCOMP_RET_ERRNO | EPERM),
         end(SECCOMP_RET_ALLOW)});
  add({end(SECCOMP_RET_ALLOW)});
  return rules;
}

}  // namespace

bool give_up_calls() {
  // May fail, for lack of quota: the filter alone keeps all keys out of reach.
  ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  const Filter native = rules(kNative);
  const Filter others = rules(k32);
  Filter filter = {load(offsetof(seccomp_data, arch)),
                   unless(BPF_JEQ, kNativeArchitecture, native.size())};
  filter.insert(filter.end(), native.begin(), native.end());
  filter.insert(filter.end(), others.begin(), others.end());
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()),
                           .filter = filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
