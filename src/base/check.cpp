// SPDX-License-Identifier: MIT
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace tideline {

void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "tideline: internal error: %s:%d: %s\n", file, line, condition);
  std::fprintf(stderr, "This is a bug in Tideline, not in your model; no verdict was reached.\n");
  std::_Exit(70);
}

}  // namespace tideline
