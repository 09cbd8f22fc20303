#pragma once

#include <cstdio>
#include <cstdlib>

/// Stops the program when an invariant of ours is broken. Stays on in release builds; never used on input data.
#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
