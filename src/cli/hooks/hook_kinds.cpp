#include "cli/hooks/hook_kinds.h"

namespace oriel {

const HookNames* find_hook_kind(std::string_view word) {
  for (const HookNames& kind : kHookKinds) {
    if (word == kind.event || word == kind.name) return &kind;
  }
  return nullptr;
}

}  // namespace oriel
