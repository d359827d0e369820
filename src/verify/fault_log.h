#pragma once
// The faults of a verification, as JSON lines.

#include <boost/json/object.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace oriel {

// Used on one shard.
class FaultLog {
 public:
  // Writes nothing if there is no file.
  explicit FaultLog(const std::filesystem::path& file);

  // Adds when: milliseconds since the construction.
  void note(const boost::json::object& line);

 private:
  std::ofstream out_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace oriel
