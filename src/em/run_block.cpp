// SPDX-License-Identifier: MIT
#include "em/run_block.h"

#include <algorithm>
#include <bit>

#include "em/state_order.h"

namespace tideline {
namespace {

// One bit per byte of `word` that is not zero.
unsigned nonzero_bytes(Word word) {
  constexpr Word kLow7 = 0x7f7f7f7f7f7f7f7fU;
  constexpr Word kGather = 0x0102040810204080U;  // brings bits 0, 8, ..., 56 together in the top byte
  const Word high = (((word & kLow7) + kLow7) | word) & ~kLow7;
  return static_cast<unsigned>(((high >> 7) * kGather) >> 56);
}

}  // namespace

std::size_t run_block_bytes(std::uint64_t records, std::size_t words, std::uint64_t index_bytes_max) {
  constexpr std::uint64_t kBlocksMin = 256;
  constexpr std::uint64_t kBlocksMax = std::uint64_t{1} << 15;
  // With each block goes its first state and where it is. What is left of a state is about this (docs/design/runs.md).
  const std::uint64_t state_bytes = words * sizeof(Word);
  const std::uint64_t blocks = std::clamp(index_bytes_max / (state_bytes + 24), kBlocksMin, kBlocksMax);
  const std::uint64_t bytes = records * (3 + state_bytes / 16);
  return std::clamp<std::size_t>(std::bit_ceil(bytes / blocks), kRunBlockBytesMin, kRunBlockBytesMax);
}

RunBlockBuilder::RunBlockBuilder(std::size_t words, std::size_t block_bytes)
    : words_(words),
      block_bytes_(block_bytes),
      record_bytes_max_(words * (sizeof(Word) + 1) + (words + kLanesPerByte - 1) / kLanesPerByte),
      previous_(words) {}

void RunBlockBuilder::add(const Word* state) {
  if (size_ + record_bytes_max_ > bytes_.size())
    bytes_.resize(std::max(2 * bytes_.size(), block_bytes_ + record_bytes_max_));
  if (records_ % kGroupRecords == 0) {
    if (records_ == 0)
      first_.assign(state, state + words_);
    offsets_.push_back(static_cast<std::uint32_t>(size_));
    std::memcpy(bytes_.data() + size_, state, words_ * sizeof(Word));
    size_ += words_ * sizeof(Word);
  } else {
    add_difference(state);
  }
  std::memcpy(previous_.data(), state, words_ * sizeof(Word));
  ++records_;
}

void RunBlockBuilder::add_difference(const Word* state) {
  std::uint8_t* lanes = bytes_.data() + size_;
  std::uint8_t* out = lanes;
  if (words_ > 1) {
    const std::size_t lane_bytes = (words_ + kLanesPerByte - 1) / kLanesPerByte;
    std::memset(lanes, 0, lane_bytes);
    out += lane_bytes;
  }
  for (std::size_t i = 0; i < words_; ++i) {
    const Word differ = state[i] ^ previous_[i];
    if (differ == 0)
      continue;
    if (words_ > 1)
      lanes[i / kLanesPerByte] = static_cast<std::uint8_t>(lanes[i / kLanesPerByte] | 1U << i % kLanesPerByte);
    unsigned mask = nonzero_bytes(differ);
    *out++ = static_cast<std::uint8_t>(mask);
    for (; mask != 0; mask &= mask - 1)
      *out++ = static_cast<std::uint8_t>(state[i] >> (8 * static_cast<unsigned>(std::countr_zero(mask))));
  }
  size_ = static_cast<std::size_t>(out - bytes_.data());
}

std::span<const std::uint8_t> RunBlockBuilder::finish() {
  const std::size_t head = offsets_.size() * sizeof(std::uint32_t);
  whole_.resize(head + size_);
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const auto offset = static_cast<std::uint32_t>(offsets_[i] + head);
    std::memcpy(whole_.data() + i * sizeof offset, &offset, sizeof offset);
  }
  std::memcpy(whole_.data() + head, bytes_.data(), size_);
  return whole_;
}

void RunBlockBuilder::clear() {
  size_ = 0;
  offsets_.clear();
  records_ = 0;
}

void RunBlockCursor::open(const std::uint8_t* raw, std::uint32_t records) {
  raw_ = raw;
  records_ = records;
  record_ = 0;
  if (records_ > 0)
    enter_group(0);
}

const std::uint8_t* RunBlockCursor::group(std::size_t i) const {
  std::uint32_t offset = 0;
  std::memcpy(&offset, raw_ + i * sizeof offset, sizeof offset);
  return raw_ + offset;
}

void RunBlockCursor::enter_group(std::size_t i) {
  record_ = static_cast<std::uint32_t>(i * kGroupRecords);
  at_ = group(i);
  std::memcpy(state_.data(), at_, words_ * sizeof(Word));
  at_ += words_ * sizeof(Word);
}

int RunBlockCursor::compare_first(std::size_t group_number, const Word* key) const {
  const std::uint8_t* first = group(group_number);
  for (std::size_t i = words_; i-- > 0;) {
    Word word = 0;
    std::memcpy(&word, first + i * sizeof word, sizeof word);
    if (word != key[i])
      return word < key[i] ? -1 : 1;
  }
  return 0;
}

void RunBlockCursor::seek(const Word* key) {
  if (at_end())
    return;
  // The last group whose first record is not above the key; the one we are in if none further on is.
  std::size_t low = record_ / kGroupRecords;
  std::size_t high = groups();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (compare_first(middle, key) <= 0 ? low : high) = middle;
  }
  if (low > record_ / kGroupRecords)
    enter_group(low);
  while (!at_end() && below(key))
    next();
}

}  // namespace tideline
