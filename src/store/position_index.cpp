// SPDX-License-Identifier: MIT
#include "store/position_index.h"

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstCells = 512;
constexpr std::uint64_t kCellsMax = std::uint64_t{1} << 32;

}  // namespace

void PositionIndex::remove(std::uint64_t hash, std::uint32_t position) {
  const std::uint64_t wanted = (hash & kHashMask) | (position + 1);
  std::uint64_t hole = home(hash);
  while (cells()[hole] != wanted) {
    CHECK(cells()[hole] != 0);
    hole = (hole + 1) & mask_;
  }
  // An entry behind the hole may move into it unless its home lies behind the hole, too.
  for (std::uint64_t at = (hole + 1) & mask_; cells()[at] != 0; at = (at + 1) & mask_) {
    const std::uint64_t away = (at - home(cells()[at])) & mask_;
    if (away < ((at - hole) & mask_))
      continue;
    cells()[hole] = cells()[at];
    hole = at;
  }
  cells()[hole] = 0;
  --size_;
}

void PositionIndex::clear() {
  if (capacity() != 0)
    std::memset(cells_.data(), 0, capacity() * sizeof(std::uint64_t));
  size_ = 0;
}

bool PositionIndex::grow() {
  const std::uint64_t now = capacity() == 0 ? kFirstCells : 2 * capacity();
  if (now > kCellsMax)
    return false;
  PageBuffer larger = PageBuffer::allocate(now * sizeof(std::uint64_t), budget_);
  if (larger.data() == nullptr)
    return false;
  const PageBuffer old = std::move(cells_);
  const std::uint64_t before = old.data() == nullptr ? 0 : mask_ + 1;
  const auto* entries = reinterpret_cast<const std::uint64_t*>(old.data());
  cells_ = std::move(larger);
  mask_ = now - 1;
  size_ = 0;
  for (std::uint64_t i = 0; i < before; ++i)
    if (entries[i] != 0)
      add(entries[i], static_cast<std::uint32_t>(entries[i]) - 1);
  return true;
}

}  // namespace tideline
