// SPDX-License-Identifier: MIT
#include "model/next_state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::size_t kFirstCapacity = 64;

// Called from generated C, through which no exception can pass: out of memory ends the process, as a limit (status 3).
[[noreturn]] void out_of_memory() {
  std::fprintf(stderr, "tideline: the system refused memory for successor states; no verdict was reached\n");
  std::_Exit(3);
}

void grow(tl_buffer* buffer) {
  const std::size_t capacity = buffer->capacity == 0 ? kFirstCapacity : 2 * buffer->capacity;
  const std::size_t state_bytes = (capacity * buffer->words + 1) * sizeof(std::uint64_t);
  void* states = std::realloc(buffer->states, state_bytes);
  if (states == nullptr)
    out_of_memory();
  buffer->states = static_cast<std::uint64_t*>(states);
  void* commands = std::realloc(buffer->commands, capacity * sizeof(std::uint64_t));
  if (commands == nullptr)
    out_of_memory();
  buffer->commands = static_cast<std::uint64_t*>(commands);
  buffer->capacity = capacity;
}

}  // namespace

Successors::Successors(std::size_t words) : buffer_{} {
  CHECK(words > 0);
  buffer_.words = words;
  buffer_.grow = grow;
  grow(&buffer_);
}

Successors::~Successors() {
  std::free(buffer_.states);
  std::free(buffer_.commands);
}

void NextState::progress(const Word*, std::size_t count, std::uint64_t* keys) {
  std::fill_n(keys, count, 0);
}

}  // namespace tideline
