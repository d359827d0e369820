#pragma once
// A claim of a fuzz target: what it says is false is a crash that the fuzzer reports.

#include <cstdio>
#include <cstdlib>

#define ORIEL_CHECK(claim)                                                            \
  do {                                                                                \
    if (!(claim)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #claim); \
      std::abort();                                                                   \
    }                                                                                 \
  } while (false)
