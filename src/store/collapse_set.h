// SPDX-License-Identifier: MIT
// The visited set that keeps, of each state, which of the values seen so far each of its parts has: collapse
// compression [holzmann.97.spin]. A state is divided into parts, about one per process (src/store/state_parts.h), each
// part has a dictionary of its values, and the numbers of the values, packed to the bit, are the state's key. Keys are
// the cells of an ArraySet; see docs/design/collapse.md.
//
// We differ: numbers have no fixed width. A dictionary that outgrows its width stops the threads. Its field gets a free
// bit of the keys; where there is none, the keys are rewritten in place, longer or with their fields moved, which
// changes no state's number and therefore not the index.
//
// The hash of a state is made from the sum of its numbers, each times a factor of its part (multilinear hashing), so
// that it follows from the key without the values, and from the hash of the state before by what has changed.
//
// C1  a number is below 2^(width of its field).    C2  equal states have equal keys and different ones different keys:
// a part's number and its value determine each other (D1).
// Cost: the sum over the parts of log2(values), rounded up to a byte, per state; each value 16 to 32 bytes, once. A
// state is encoded by looking up those parts in which it differs from the one before. Threads: see array_set.h.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "store/array_set.h"
#include "store/dictionary.h"
#include "store/key_layout.h"
#include "store/key_sums.h"
#include "store/look_ahead.h"
#include "store/state_array.h"
#include "store/state_hash.h"
#include "store/state_parts.h"

namespace tideline {

class CollapsedStates {
 public:
  using Source = StateParts;
  static constexpr std::uint64_t kMoreBytes = 2;  // of a key, as parts take more values

  CollapsedStates(const StateParts& parts, unsigned threads, MemoryBudget& budget);

  [[nodiscard]] std::size_t words() const { return parts_.words(); }
  [[nodiscard]] std::size_t cell_words() const { return layout_.words(); }
  [[nodiscard]] const StateArray& cells() const { return keys_; }
  [[nodiscard]] StateArray& cells() { return keys_; }
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] std::uint64_t version() const { return version_; }

  [[nodiscard]] const Word* encode(unsigned thread, const Word* states, std::size_t count, std::uint64_t* hashes);
  void decode(unsigned thread, NumberRange range, Word* out);
  void hash(NumberRange range, std::uint64_t* out) const;
  // Widens the fields of parts whose dictionaries have refused a value; the keys are rewritten in pieces.
  [[nodiscard]] bool make_room(std::uint64_t used);
  // The same, when there is time for it.
  void put_in_order(std::uint64_t used);
  [[nodiscard]] std::uint64_t next_pieces();
  void do_piece(std::uint64_t piece);

  [[nodiscard]] std::uint64_t key_bits() const { return layout_.bits(); }
  [[nodiscard]] std::uint64_t rewritten() const { return rewritten_; }  // keys, in all

 private:
  // The state that a thread encoded last, with its numbers and its key in the present layout.
  struct alignas(64) Encoder {
    bool is_valid = false;
    std::vector<Word> state;
    std::vector<std::uint32_t> numbers;  // by part
    std::uint64_t sum = 0;               // of the numbers, each times its part's factor
    std::vector<Word> key;
    std::vector<Word> batch;  // keys of the states being inserted
  };

  // The state that a thread decoded last.
  struct alignas(64) Decoder {
    std::vector<std::uint32_t> numbers;  // by part
    std::vector<std::uint64_t> values;   // the same
    std::vector<Word> key;
    std::vector<Word> state;
  };

  // kPieces: see key_layout.h.
  template <bool kPieces>
  [[nodiscard]] bool encode_all(Encoder& encoder, const Word* states, std::size_t count, std::uint64_t* hashes);
  template <bool kPieces>
  [[nodiscard]] bool encode_change(Encoder& encoder, const Word* before, const Word* state);
  template <bool kPieces>
  void decode_all(Decoder& decoder, NumberRange range, Word* out) const;
  [[nodiscard]] std::uint64_t sum_of_parts(const Word* key) const;
  // Called for every part that differs: GCC does not inline it by itself.
  template <bool kPieces>
  [[nodiscard, gnu::always_inline]] bool encode_part(Encoder& encoder, const Word* state, std::size_t part) {
    const std::uint32_t number = dictionaries_[part]->number_of(parts_.get(state, part));
    if (number == Dictionary::kRefused)
      return false;
    std::uint32_t& last = encoder.numbers[part];
    encoder.sum += factors_[part] * (std::uint64_t{number} - last);
    layout_.flip<kPieces>(encoder.key.data(), part, last ^ number);
    last = number;
    return true;
  }
  static std::uint64_t hash_of_sum(std::uint64_t sum) { return mix(sum ^ 0xa0761d6478bd642fU, 0x8ebc6af09c88c6e3U); }
  [[nodiscard]] bool encode_whole(Encoder& encoder, const Word* state);
  [[nodiscard]] bool change_layout(const KeyLayout& next, std::uint64_t used);
  [[nodiscard]] std::vector<unsigned> widths_needed() const;
  [[nodiscard]] KeyLayout wider(std::uint64_t used) const;
  void use_spare_bits(std::vector<unsigned>& widths) const;

  StateParts parts_;
  std::vector<std::unique_ptr<Dictionary>> dictionaries_;  // by part
  LookAhead look_ahead_;                                   // in these
  std::vector<std::uint64_t> factors_;                     // the same: odd and otherwise arbitrary
  KeyLayout layout_;
  KeySums sums_;  // in this layout
  StateArray keys_;
  std::vector<Encoder> encoders_;  // by thread
  std::vector<Decoder> decoders_;  // the same
  std::atomic<std::uint64_t> dictionary_bytes_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t rewritten_ = 0;
  // While keys are rewritten.
  std::optional<KeyMoves> moves_;
  NumberRange round_;
  std::uint64_t piece_keys_ = 0;
};

using CollapseSet = ArraySet<CollapsedStates>;
extern template class ArraySet<CollapsedStates>;

}  // namespace tideline
