// SPDX-License-Identifier: MIT
#include "store/state_array.h"

#include <sys/mman.h>

#include <algorithm>

namespace tideline {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{2} << 20;
constexpr std::uint64_t kFirstPiece = std::uint64_t{256} << 10;
// So few cells are rewritten by one thread.
constexpr std::uint64_t kFewCells = 1 << 15;

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

StateArray::StateArray(std::uint64_t state_bits, MemoryBudget& budget)
    : words_(words_for(state_bits)), stride_(bytes_for(state_bits)), budget_(budget) {
  reserved_ = round_up(budget.total(), kPiece);
  void* space = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    reserved_ = 0;
  else
    base_ = static_cast<std::uint8_t*>(space);
}

StateArray::~StateArray() {
  if (base_ == nullptr)
    return;
  munmap(base_, reserved_);
  budget_.release(bytes());
}

bool StateArray::grow(std::uint64_t bytes_needed) {
  const std::uint64_t usable = bytes();
  const std::uint64_t piece = usable < kPiece ? std::max(usable, kFirstPiece) : kPiece;
  const std::uint64_t least = round_up(bytes_needed - usable, kFirstPiece);
  std::uint64_t more = std::max(least, round_up(piece, kFirstPiece));
  if (usable + more > reserved_ || !budget_.charge(more)) {
    more = least;  // what is left of the budget is used, too
    if (usable + more > reserved_ || !budget_.charge(more))
      return false;
  }
  if (mprotect(base_ + usable, more, PROT_READ | PROT_WRITE) != 0) {
    budget_.release(more);
    return false;
  }
  if (more >= kPiece)
    (void)madvise(base_ + usable, more, MADV_HUGEPAGE);  // a wish: without it the search is only slower
  usable_.store(usable + more, std::memory_order_relaxed);
  return true;
}

bool StateArray::begin_rewriting(std::uint64_t count, std::uint64_t bits) {
  const std::uint64_t bytes_needed = count * bytes_for(bits);
  if (bytes_needed > bytes() && !grow(bytes_needed))
    return false;
  next_bits_ = bits;
  to_rewrite_ = count;
  return true;
}

NumberRange StateArray::next_round() {
  const std::uint64_t end = to_rewrite_;
  if (end == 0) {
    stride_ = bytes_for(next_bits_);
    words_ = words_for(next_bits_);
    return {};
  }
  // The new places of cells `begin` and on are behind the old one of cell end-1. Cells that keep their length move
  // nowhere.
  const std::uint64_t next_stride = bytes_for(next_bits_);
  std::uint64_t begin = next_stride == stride_ ? 0 : (end * stride_ + next_stride - 1) / next_stride;
  if (end < kFewCells)
    begin = 0;
  to_rewrite_ = begin;
  return {begin, end};
}

}  // namespace tideline
