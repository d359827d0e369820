#pragma once
// Prints results as lines of tab-separated values.

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

namespace oriel {

inline double ratio(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

inline std::string number(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value;
  return text.str();
}

inline std::string microseconds(std::uint64_t ns) {
  return number(static_cast<double>(ns) / 1e3, 1);
}

void print_line(const auto& first, const auto&... others) {
  std::cout << first;
  ((std::cout << '\t' << others), ...);
  std::cout << '\n';
}

}  // namespace oriel
