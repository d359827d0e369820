#pragma once
// Words and environments as exec takes them.

#include <string>
#include <vector>

namespace oriel {

// Pointers into `strings`, which has to outlive them, and a null pointer behind.
inline std::vector<char*> exec_words(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings)
    pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace oriel
