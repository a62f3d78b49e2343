// SPDX-License-Identifier: MIT
// The records of a run's block before it is compressed: sorted states in groups of 32, the first of a group whole, each
// other as what differs from the state before it (docs/formats/run.md). A group can be decoded without those before it.
//
// A difference is, for states of several words, a bit per word that differs (eight words to a byte), and for each of
// those words a byte with a bit per byte that differs, and those bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "model/next_state.h"

namespace tideline {

inline constexpr std::size_t kGroupRecords = 32;
inline constexpr std::size_t kLanesPerByte = 8;
// A block is closed when its records have so many bytes: the more states a run has, the larger, so that its index stays
// below `index_bytes_max` (about, and unless blocks are as large as they may be); a small block costs less to look
// into.
inline constexpr std::size_t kRunBlockBytesMin = std::size_t{4} << 10;
inline constexpr std::size_t kRunBlockBytesMax = std::size_t{64} << 10;
std::size_t run_block_bytes(std::uint64_t records, std::size_t words, std::uint64_t index_bytes_max);

// Collects the records of one block.
class RunBlockBuilder {
 public:
  RunBlockBuilder(std::size_t words, std::size_t block_bytes);
  // States come in increasing order.
  void add(const Word* state);
  [[nodiscard]] bool full() const { return size_ >= block_bytes_ && records_ >= kGroupRecords; }
  [[nodiscard]] std::uint32_t records() const { return records_; }
  [[nodiscard]] const std::uint8_t* key() const { return reinterpret_cast<const std::uint8_t*>(first_.data()); }
  // The block's bytes; valid until clear().
  std::span<const std::uint8_t> finish();
  void clear();

 private:
  void add_difference(const Word* state);

  std::size_t words_;
  std::size_t block_bytes_;
  std::size_t record_bytes_max_;
  std::vector<Word> previous_;
  std::vector<Word> first_;
  std::vector<std::uint8_t> bytes_;  // of the groups: the first size_ of them
  std::size_t size_ = 0;
  std::vector<std::uint32_t> offsets_;  // of the groups in bytes_
  std::vector<std::uint8_t> whole_;     // offsets and groups
  std::uint32_t records_ = 0;
};

// Walks over a block's records.
class RunBlockCursor {
 public:
  explicit RunBlockCursor(std::size_t words) : words_(words), state_(words) {}
  // The block's bytes (with eight readable ones behind them) must outlive the walk. Stands on the first record.
  void open(const std::uint8_t* raw, std::uint32_t records);
  [[nodiscard]] bool at_end() const { return record_ >= records_; }
  [[nodiscard]] const Word* state() const { return state_.data(); }
  // Records from here on.
  [[nodiscard]] std::uint32_t left() const { return records_ - record_; }
  void next() {
    ++record_;
    if (record_ >= records_)
      return;
    if (record_ % kGroupRecords == 0)
      enter_group(record_ / kGroupRecords);
    else
      decode_difference();
  }
  // Moves forward to the first record that is not below `key`, or to the end.
  void seek(const Word* key);

 private:
  [[nodiscard]] std::size_t groups() const { return (records_ + kGroupRecords - 1) / kGroupRecords; }
  [[nodiscard]] const std::uint8_t* group(std::size_t i) const;
  [[nodiscard]] int compare_first(std::size_t group_number, const Word* key) const;
  void enter_group(std::size_t i);
  void decode_difference();
  void decode_word(std::size_t i);
  [[nodiscard]] bool below(const Word* key) const {
    for (std::size_t i = words_; i-- > 0;)
      if (state_[i] != key[i])
        return state_[i] < key[i];
    return false;
  }

  std::size_t words_;
  std::vector<Word> state_;
  const std::uint8_t* raw_ = nullptr;
  const std::uint8_t* at_ = nullptr;  // the next difference
  std::uint32_t records_ = 0;
  std::uint32_t record_ = 0;
};

inline void RunBlockCursor::decode_difference() {
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

inline void RunBlockCursor::decode_word(std::size_t i) {
  auto* bytes = reinterpret_cast<std::uint8_t*>(&state_[i]);
  for (unsigned mask = *at_++; mask != 0; mask &= mask - 1)
    bytes[std::countr_zero(mask)] = *at_++;
}

}  // namespace tideline
