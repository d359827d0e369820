#include "agent/adapters/adapter.h"

#include "agent/adapters/acp_adapter.h"
#include "agent/adapters/claude_adapter.h"
#include "agent/adapters/codex_adapter.h"
#include "agent/adapters/droid_adapter.h"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace oriel {

std::unique_ptr<Adapter> make_adapter(AdapterKind kind) {
  switch (kind) {
    case AdapterKind::kDroid:
      return std::make_unique<DroidAdapter>();
    case AdapterKind::kClaude:
      return std::make_unique<ClaudeAdapter>(
          boost::uuids::to_string(boost::uuids::random_generator()()));
    case AdapterKind::kCodex:
      return std::make_unique<CodexAdapter>();
    case AdapterKind::kAcp:
      break;
  }
  return std::make_unique<AcpAdapter>();
}

}  // namespace oriel
