// SPDX-License-Identifier: MIT
// Asks for a cache line that will be needed soon.
//
// The empty assembly keeps it: GCC takes a function that only prefetches, and is not inlined early, for one without
// effects, and drops its calls. All prefetches go through here (tests/tidy).
#pragma once

namespace tideline {

inline void prefetch_line(const void* line) {
  __builtin_prefetch(line);
  asm volatile("");
}

// A line that will be changed, so that it comes from another core's cache only once. GCC would make a prefetch for
// reading of it: not every x86-64 machine knows prefetchw, but those that do not pass over it.
inline void prefetch_line_to_write(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
  asm volatile("");
#endif
}

}  // namespace tideline
