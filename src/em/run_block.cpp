// SPDX-License-Identifier: MIT
#include "em/run_block.h"

#include <bit>

#include "em/state_order.h"

namespace tideline {
namespace {

constexpr std::size_t kLanesPerByte = 8;

// One bit per byte of `word` that is not zero.
unsigned nonzero_bytes(Word word) {
  constexpr Word kLow7 = 0x7f7f7f7f7f7f7f7fU;
  constexpr Word kGather = 0x0102040810204080U;  // brings bits 0, 8, ..., 56 together in the top byte
  const Word high = (((word & kLow7) + kLow7) | word) & ~kLow7;
  return static_cast<unsigned>(((high >> 7) * kGather) >> 56);
}

}  // namespace

void RunBlockBuilder::add(const Word* state) {
  if (records_ % kGroupRecords == 0) {
    if (records_ == 0)
      first_.assign(state, state + words_);
    offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    const auto* from = reinterpret_cast<const std::uint8_t*>(state);
    bytes_.insert(bytes_.end(), from, from + words_ * sizeof(Word));
  } else {
    add_difference(state);
  }
  std::memcpy(previous_.data(), state, words_ * sizeof(Word));
  ++records_;
}

void RunBlockBuilder::add_difference(const Word* state) {
  const std::size_t lanes = bytes_.size();
  if (words_ > 1)
    bytes_.resize(lanes + (words_ + kLanesPerByte - 1) / kLanesPerByte);
  for (std::size_t i = 0; i < words_; ++i) {
    const Word differ = state[i] ^ previous_[i];
    if (differ == 0)
      continue;
    if (words_ > 1)
      bytes_[lanes + i / kLanesPerByte] =
          static_cast<std::uint8_t>(bytes_[lanes + i / kLanesPerByte] | 1U << i % kLanesPerByte);
    unsigned mask = nonzero_bytes(differ);
    std::uint8_t coded[1 + sizeof(Word)];
    std::size_t size = 0;
    coded[size++] = static_cast<std::uint8_t>(mask);
    for (; mask != 0; mask &= mask - 1)
      coded[size++] = static_cast<std::uint8_t>(state[i] >> (8 * static_cast<unsigned>(std::countr_zero(mask))));
    bytes_.insert(bytes_.end(), coded, coded + size);
  }
}

std::span<const std::uint8_t> RunBlockBuilder::finish() {
  const std::size_t head = offsets_.size() * sizeof(std::uint32_t);
  whole_.resize(head + bytes_.size());
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const auto offset = static_cast<std::uint32_t>(offsets_[i] + head);
    std::memcpy(whole_.data() + i * sizeof offset, &offset, sizeof offset);
  }
  std::memcpy(whole_.data() + head, bytes_.data(), bytes_.size());
  return whole_;
}

void RunBlockBuilder::clear() {
  bytes_.clear();
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

void RunBlockCursor::decode_difference() {
  if (words_ == 1) {
    decode_word(0);
    return;
  }
  const std::uint8_t* lanes = at_;
  at_ += (words_ + kLanesPerByte - 1) / kLanesPerByte;
  for (std::size_t first = 0; first < words_; first += kLanesPerByte)
    for (unsigned set = *lanes++; set != 0; set &= set - 1)
      decode_word(first + static_cast<unsigned>(std::countr_zero(set)));
}

void RunBlockCursor::decode_word(std::size_t i) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&state_[i]);
  for (unsigned mask = *at_++; mask != 0; mask &= mask - 1)
    bytes[std::countr_zero(mask)] = *at_++;
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
