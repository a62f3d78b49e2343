// SPDX-License-Identifier: MIT
// Short keys for states, for sets that keep them in sorted runs: which of the values seen so far each part of a state
// has, by collapse compression [holzmann.97.spin], packed to the bit. Keys of neighbouring states differ in little, as
// states do, so sorted keys compress and make small automata, and are two to nine times shorter (docs/design/runs.md).
// If keys turn out not to be much shorter, or the values need too much memory, the key of a state is the state.
//
// We differ from the table in RAM (collapse_set.h): fields have room for a quarter more values than there are, because
// to widen them means to rewrite all runs; they stay in their order, so that this keeps the order of keys.
//
// C1  a number is below 2^(width of its field).    C2  different states have different keys (dictionary.h, D1).
// C3  keys that were widened are in the order in which they were.
// Cost: a dictionary entry per value (dictionary.h); a state is encoded by looking up the parts in which it differs
// from the one before. Threads: encode() and decode() by all at once, each with a number of its own; the rest by one
// while no other is inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "store/dictionary.h"
#include "store/key_layout.h"
#include "store/look_ahead.h"
#include "store/state_parts.h"

namespace tideline {

class CollapseCode {
 public:
  static constexpr unsigned kWidthMost = 28;

  // What has become of keys that were made before.
  enum class Change : std::uint8_t {
    kNone,   // they are as they were
    kWider,  // widen_key() makes new ones of them, in the same order
    kPlain,  // old_state() makes states of them, in another order
  };

  // No parts: keys are the states. `bytes_max`: of the dictionaries.
  CollapseCode(std::uint64_t state_bits, std::span<const StatePart> parts, unsigned threads, std::uint64_t bytes_max,
               MemoryBudget& budget);

  [[nodiscard]] bool is_plain() const { return dictionaries_.empty(); }
  [[nodiscard]] std::uint64_t key_bits() const { return is_plain() ? state_bits_ : layout_.bits(); }
  [[nodiscard]] std::size_t key_words() const { return std::max<std::uint64_t>(1, (key_bits() + 63) / 64); }
  [[nodiscard]] std::uint64_t bytes() const;  // of the dictionaries
  [[nodiscard]] std::uint64_t bytes_max() const { return bytes_max_; }

  // The keys of the states, one behind the other and one readable word behind the last; valid until the thread's next
  // call. Null: make_room() comes first, and then once more.
  [[nodiscard]] const Word* encode(unsigned thread, const Word* states, std::size_t count);
  // Where keys are to be written that decode() gets next: room for `count` of them and a word.
  Word* keys_to_decode(unsigned thread, std::size_t count);
  void decode(unsigned thread, std::size_t count, Word* states);

  // Makes room for values that were refused, if fields are wide enough and memory allows it.
  [[nodiscard]] bool make_room();
  // The same with wider fields, or else without dictionaries.
  [[nodiscard]] Change change();
  // After kWider. `old` has two readable words behind it, `key` one that may be written.
  void widen_key(const Word* old, Word* key) const;
  // After kPlain, until forget_old(); `old` as above.
  void old_state(const Word* old, Word* state);
  void forget_old();

  // What a later process needs: the widths of the fields and how many values each part has, and the values.
  [[nodiscard]] std::size_t parts() const { return dictionaries_.size(); }
  [[nodiscard]] unsigned width(std::size_t part) const { return layout_.width(part); }
  [[nodiscard]] std::uint64_t values(std::size_t part) const { return dictionaries_[part]->size(); }
  [[nodiscard]] std::uint64_t value(std::size_t part, std::uint32_t number) const {
    return dictionaries_[part]->value(number);
  }
  // For a code that is new: fields as they were, and a value behind those that the part has. False if memory ended.
  void set_widths(const std::vector<unsigned>& widths);
  [[nodiscard]] bool add_value(std::size_t part, std::uint64_t value);
  // Keys are the states from now on.
  void make_plain();

 private:
  // The state that a thread encoded last, with its numbers and its key in the present layout; and the one that it
  // decoded last.
  struct alignas(64) Coder {
    bool is_valid = false;
    std::vector<Word> state;
    std::vector<std::uint32_t> numbers;  // by part
    std::vector<Word> key;
    std::vector<Word> batch;  // keys
    std::vector<std::uint32_t> decoded_numbers;
    std::vector<std::uint64_t> decoded_values;
    std::vector<Word> decoded;
    std::vector<Word> to_decode;  // keys
  };
  [[nodiscard]] bool encode_part(Coder& coder, const Word* state, std::size_t part);
  [[nodiscard]] bool encode_whole(Coder& coder, const Word* state);
  void decode_keys(Coder& coder, const KeyLayout& layout, const Word* keys, std::size_t count, Word* states) const;
  void begin_decoding(Coder& coder) const;
  [[nodiscard]] bool grow(const std::vector<unsigned>& widths);

  std::uint64_t state_bits_;
  std::uint64_t bytes_max_;
  StateParts parts_;
  std::vector<std::unique_ptr<Dictionary>> dictionaries_;  // by part; none: keys are the states
  LookAhead look_ahead_;                                   // in these
  KeyLayout layout_;
  std::vector<Coder> coders_;
  std::unique_ptr<KeyMoves> moves_;                            // after kWider
  std::vector<std::unique_ptr<Dictionary>> old_dictionaries_;  // after kPlain
};

}  // namespace tideline
