// SPDX-License-Identifier: MIT
// Assertions about our own code. A failed CHECK is our bug: it prints where and why and ends with exit status 70, so
// that it can never be mistaken for a verdict. User errors are Diagnostics, environment errors are Status; see those
// headers.
#pragma once

namespace tideline {

// Prints "internal error: file:line: condition" to standard error and ends the process with exit status 70.
[[noreturn]] void check_failed(const char* file, int line, const char* condition);

}  // namespace tideline

// Always on: use where the cost does not show.
#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) [[unlikely]]                              \
      ::tideline::check_failed(__FILE__, __LINE__, #condition); \
  } while (false)

// Only in debug and sanitizer builds: for inner loops.
#ifdef NDEBUG
#define DCHECK(condition) \
  do {                    \
  } while (false)
#else
#define DCHECK(condition) CHECK(condition)
#endif
