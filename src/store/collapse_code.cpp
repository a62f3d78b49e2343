// SPDX-License-Identifier: MIT
#include "store/collapse_code.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"

namespace tideline {
namespace {

// Fields that are made have room for so many values more than there are, in parts of these.
constexpr std::uint64_t kSparePart = 4;
constexpr std::uint64_t kSpareMin = 2;
// Keys of more than the state's words over this are not worth the dictionaries.
constexpr std::size_t kWordsPerKeyWord = 2;

unsigned width_for(std::uint64_t values, unsigned part_bits) {
  const std::uint64_t wanted = values + values / kSparePart + kSpareMin;
  return std::min({static_cast<unsigned>(std::bit_width(wanted - 1)), part_bits, CollapseCode::kWidthMost});
}

}  // namespace

CollapseCode::CollapseCode(std::uint64_t state_bits, std::span<const StatePart> parts, unsigned threads,
                           std::uint64_t bytes_max, MemoryBudget& budget)
    : state_bits_(state_bits),
      bytes_max_(bytes_max),
      parts_(parts.empty() ? 0 : state_bits, {parts.begin(), parts.end()}),
      layout_(std::vector<unsigned>(parts.size(), 0)),
      coders_(threads) {
  for (std::size_t part = 0; part < parts_.size(); ++part)
    dictionaries_.push_back(std::make_unique<Dictionary>(parts_.bits(part), budget));
}

std::uint64_t CollapseCode::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& dictionary : dictionaries_)
    bytes += dictionary->bytes();
  return bytes;
}

const Word* CollapseCode::encode(unsigned thread, const Word* states, std::size_t count) {
  if (is_plain())
    return states;
  Coder& coder = coders_[thread];
  const std::size_t words = parts_.words();
  const std::size_t key_words = this->key_words();
  coder.batch.resize(count * key_words + 1);
  Word* key = coder.batch.data();
  const Word* before = coder.state.data();
  const Word* const end = states + count * words;
  for (const Word* state = states; state != end; state += words, key += key_words) {
    look_ahead_.from(parts_, state, end);
    bool room = true;
    if (coder.is_valid)
      parts_.differences(before, state, [&](std::size_t part) { room = room && encode_part(coder, state, part); });
    else
      room = encode_whole(coder, state);
    if (!room) {
      coder.is_valid = false;
      return nullptr;
    }
    std::copy_n(coder.key.data(), key_words, key);
    before = state;
  }
  if (count > 0)
    coder.state.assign(before, before + words);
  return coder.batch.data();
}

bool CollapseCode::encode_part(Coder& coder, const Word* state, std::size_t part) {
  const std::uint32_t number = dictionaries_[part]->number_of(parts_.get(state, part));
  if (number == Dictionary::kRefused)
    return false;
  layout_.flip<false>(coder.key.data(), part, coder.numbers[part] ^ number);
  coder.numbers[part] = number;
  return true;
}

bool CollapseCode::encode_whole(Coder& coder, const Word* state) {
  coder.numbers.assign(parts_.size(), 0);
  coder.key.assign(layout_.words(), 0);
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (!encode_part(coder, state, part))
      return false;
  coder.is_valid = true;
  return true;
}

Word* CollapseCode::keys_to_decode(unsigned thread, std::size_t count) {
  std::vector<Word>& keys = coders_[thread].to_decode;
  keys.resize(std::max(keys.size(), count * key_words() + 2));
  return keys.data();
}

void CollapseCode::decode(unsigned thread, std::size_t count, Word* states) {
  Coder& coder = coders_[thread];
  begin_decoding(coder);
  decode_keys(coder, layout_, coder.to_decode.data(), count, states);
}

void CollapseCode::begin_decoding(Coder& coder) const {
  if (!coder.decoded_numbers.empty())
    return;
  coder.decoded_numbers.assign(parts_.size(), Dictionary::kRefused);
  coder.decoded_values.assign(parts_.size(), 0);
  coder.decoded.assign(parts_.words() + 1, 0);
}

// What a number means never changes, so a thread goes on from the state that it decoded last, in whatever layout.
void CollapseCode::decode_keys(Coder& coder, const KeyLayout& layout, const Word* keys, std::size_t count,
                               Word* states) const {
  const auto& dictionaries = is_plain() ? old_dictionaries_ : dictionaries_;
  const std::size_t key_words = std::max<std::uint64_t>(1, (layout.bits() + 63) / 64);
  for (std::size_t i = 0; i < count; ++i, keys += key_words, states += parts_.words()) {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::uint32_t number = layout.get<false>(keys, part);
      if (number == coder.decoded_numbers[part])
        continue;
      coder.decoded_numbers[part] = number;
      const std::uint64_t value = dictionaries[part]->value(number);
      parts_.flip(coder.decoded.data(), part, value ^ coder.decoded_values[part]);
      coder.decoded_values[part] = value;
    }
    std::copy_n(coder.decoded.data(), parts_.words(), states);
  }
}

// The dictionaries get room for one more value where one was refused.
bool CollapseCode::grow(const std::vector<unsigned>& widths) {
  for (std::size_t part = 0; part < dictionaries_.size(); ++part)
    if (!dictionaries_[part]->make_room(widths[part]))
      return false;
  look_ahead_.choose(dictionaries_);
  return bytes() <= bytes_max_;
}

bool CollapseCode::make_room() {
  return grow(layout_.widths());
}

CollapseCode::Change CollapseCode::change() {
  std::vector<unsigned> widths;
  for (std::size_t part = 0; part < dictionaries_.size(); ++part) {
    const std::uint64_t values = dictionaries_[part]->size() + (dictionaries_[part]->wants_more() ? 1 : 0);
    widths.push_back(std::max(layout_.width(part), width_for(values, parts_.bits(part))));
  }
  const KeyLayout next(widths);
  if (!grow(widths) || (next.bits() + 63) / 64 * kWordsPerKeyWord > parts_.words()) {
    old_dictionaries_ = std::exchange(dictionaries_, {});
    look_ahead_.choose(dictionaries_);
    return Change::kPlain;
  }
  moves_ = std::make_unique<KeyMoves>(layout_, next);
  layout_ = next;
  for (Coder& coder : coders_)
    coder.is_valid = false;
  return Change::kWider;
}

void CollapseCode::widen_key(const Word* old, Word* key) const {
  std::fill_n(key, key_words() + 1, 0);
  moves_->apply(old, key);
}

void CollapseCode::old_state(const Word* old, Word* state) {
  begin_decoding(coders_.front());
  decode_keys(coders_.front(), layout_, old, 1, state);
}

void CollapseCode::forget_old() {
  moves_.reset();
  old_dictionaries_.clear();
}

void CollapseCode::set_widths(const std::vector<unsigned>& widths) {
  CHECK(widths.size() == dictionaries_.size());
  layout_ = KeyLayout(widths);
}

bool CollapseCode::add_value(std::size_t part, std::uint64_t value) {
  Dictionary& dictionary = *dictionaries_[part];
  const auto expected = static_cast<std::uint32_t>(dictionary.size());
  while (true) {
    const std::uint32_t number = dictionary.number_of(value);
    if (number != Dictionary::kRefused)
      return number == expected;
    if (!dictionary.make_room(layout_.width(part)))
      return false;
  }
}

void CollapseCode::make_plain() {
  dictionaries_.clear();
  look_ahead_.choose(dictionaries_);
}

}  // namespace tideline
