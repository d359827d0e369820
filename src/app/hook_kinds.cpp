#include "app/hook_kinds.h"

namespace oriel {

const HookKind* find_hook_kind(std::string_view word) {
  for (const HookKind& kind : kHookKinds) {
    if (word == kind.event || word == kind.name) return &kind;
  }
  return nullptr;
}

}  // namespace oriel
