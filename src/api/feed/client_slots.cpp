#include "api/feed/client_slots.h"

namespace oriel {

ClientSlot::~ClientSlot() {
  slots_->own_.give_back(credential_id_);
  slots_->taken_.fetch_sub(1);
}

ClientSlots::Taken ClientSlots::take(const std::string& credential_id) {
  if (!own_.take(credential_id)) {
    refused_own_.fetch_add(1);
    return FullSlots::kOfPrincipal;
  }
  if (!take_one()) {
    own_.give_back(credential_id);
    refused_.fetch_add(1);
    return FullSlots::kAll;
  }
  return std::make_shared<ClientSlot>(shared_from_this(), credential_id);
}

bool ClientSlots::take_one() {
  std::size_t taken = taken_.load();
  while (taken < limits_.all) {
    if (taken_.compare_exchange_weak(taken, taken + 1)) return true;
  }
  return false;
}

}  // namespace oriel
