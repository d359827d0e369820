#include "agent/adapter.h"

#include "agent/acp_adapter.h"

namespace oriel {

std::unique_ptr<Adapter> make_adapter(AdapterKind) {
  return std::make_unique<AcpAdapter>();
}

}  // namespace oriel
