#include "runtime/shards.h"

#include "runtime/run_or_abort.h"

#include <pthread.h>
#include <string>

namespace oriel {

Shard::Shard(unsigned index) : index_(index), io_(1), work_(io_.get_executor()) {}

Shards::Shards(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    shards_.push_back(std::make_unique<Shard>(i));
}

Shards::~Shards() {
  join();
}

void Shards::start() {
  for (auto& shard : shards_) {
    const std::string name = "shard-" + std::to_string(shard->index_);
    const auto run = [&shard = *shard, name] {
      run_or_abort(name.c_str(), [&shard] { shard.io_.run(); });
    };
    shard->thread_ = std::thread(run);
    pthread_setname_np(shard->thread_.native_handle(), name.c_str());
  }
}

void Shards::join() {
  release();
  wait();
}

void Shards::release() {
  for (auto& shard : shards_)
    shard->work_.reset();
}

void Shards::wait() {
  for (auto& shard : shards_) {
    if (shard->thread_.joinable()) shard->thread_.join();
  }
}

}  // namespace oriel
