// SPDX-License-Identifier: MIT
#include "io/growing_pages.h"

#include <sys/mman.h>

namespace tideline {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
// Pieces: small ones while the whole is small, so that a small model does not hold megabytes.
constexpr std::uint64_t kSmallPiece = std::uint64_t{64} << 10;

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

GrowingPages::GrowingPages(MemoryBudget& budget) : budget_(budget) {
  reserved_ = round_up(budget.total(), kHugePage) + kHugePage;
  void* space = mmap(nullptr, reserved_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED)
    reserved_ = 0;
  else
    base_ = static_cast<std::uint8_t*>(space);
}

GrowingPages::~GrowingPages() {
  if (base_ == nullptr)
    return;
  munmap(base_, reserved_);
  budget_.release(usable_);
}

bool GrowingPages::extend_to(std::uint64_t bytes) {
  if (bytes <= usable_)
    return true;
  const std::uint64_t wanted = round_up(bytes, kSmallPiece);
  const std::uint64_t more = wanted - usable_;
  if (wanted > reserved_ || !budget_.charge(more))
    return false;
  if (mprotect(base_ + usable_, more, PROT_READ | PROT_WRITE) != 0) {
    budget_.release(more);
    return false;
  }
  if (wanted >= 2 * kHugePage)
    (void)madvise(base_, round_up(wanted, kHugePage), MADV_HUGEPAGE);  // a wish: without it the search is only slower
  usable_ = wanted;
  return true;
}

}  // namespace tideline
