// SPDX-License-Identifier: MIT
#include "store/collapse_set.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "store/array_set_impl.h"

namespace tideline {
namespace {

// From so many keys on, fields get free bits one by one, wherever they are, until there are none.
constexpr std::uint64_t kManyKeys = std::uint64_t{1} << 15;
constexpr unsigned kWidthMost = 28;
// Keys that a thread rewrites before it asks for more.
constexpr std::uint64_t kPieceKeys = 4096;

}  // namespace

CollapsedStates::CollapsedStates(const StateParts& parts, unsigned threads, MemoryBudget& budget)
    : parts_(parts),
      layout_(std::vector<unsigned>(parts.size(), 0)),
      keys_(0, budget),
      encoders_(threads),
      decoders_(threads) {
  for (Encoder& encoder : encoders_)
    encoder.state.resize(parts_.words());
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    dictionaries_.push_back(std::make_unique<Dictionary>(parts_.bits(part), budget));
    factors_.push_back(mix((part + 1) * 0x9e3779b97f4a7c15U, 0xe7037ed1a0b428dbU) | 1U);
  }
}

std::uint64_t CollapsedStates::bytes() const {
  return keys_.bytes() + dictionary_bytes_.load(std::memory_order_relaxed);
}

const Word* CollapsedStates::encode(unsigned thread, const Word* states, std::size_t count, std::uint64_t* hashes) {
  Encoder& encoder = encoders_[thread];
  encoder.batch.resize(count * layout_.words());
  const bool room = layout_.pieces() == 0 ? encode_all<false>(encoder, states, count, hashes)
                                          : encode_all<true>(encoder, states, count, hashes);
  return room ? encoder.batch.data() : nullptr;
}

template <bool kPieces>
bool CollapsedStates::encode_all(Encoder& encoder, const Word* states, std::size_t count, std::uint64_t* hashes) {
  const std::size_t words = parts_.words();
  const std::size_t key_words = layout_.words();
  Word* key = encoder.batch.data();
  const Word* before = encoder.state.data();
  const Word* const end = states + count * words;
  for (const Word* state = states; state != end; state += words, key += key_words) {
    look_ahead_.from(parts_, state, end);
    if (!(encoder.is_valid ? encode_change<kPieces>(encoder, before, state) : encode_whole(encoder, state))) {
      encoder.is_valid = false;
      return false;
    }
    for (std::size_t i = 0; i < key_words; ++i)
      key[i] = encoder.key[i];
    *hashes++ = hash_of_sum(encoder.sum);
    before = state;
  }
  std::copy_n(before, words, encoder.state.data());
  return true;
}

template <bool kPieces>
bool CollapsedStates::encode_change(Encoder& encoder, const Word* before, const Word* state) {
  bool room = true;
  parts_.differences(before, state,
                     [&](std::size_t part) { room = room && encode_part<kPieces>(encoder, state, part); });
  return room;
}

// Also the first time, and after a change of the layout.
bool CollapsedStates::encode_whole(Encoder& encoder, const Word* state) {
  encoder.numbers.assign(parts_.size(), 0);
  encoder.sum = 0;
  encoder.key.assign(layout_.words(), 0);
  for (std::size_t part = 0; part < parts_.size(); ++part)
    if (!encode_part<true>(encoder, state, part))
      return false;
  encoder.is_valid = true;
  return true;
}

// What a number means never changes, so that a thread goes on from the state that it decoded last, in whatever layout.
void CollapsedStates::decode(unsigned thread, NumberRange range, Word* out) {
  Decoder& decoder = decoders_[thread];
  if (decoder.numbers.empty()) {
    decoder.numbers.assign(parts_.size(), Dictionary::kRefused);
    decoder.values.assign(parts_.size(), 0);
    decoder.state.assign(parts_.words() + 1, 0);
  }
  decoder.key.resize(layout_.words());
  layout_.pieces() == 0 ? decode_all<false>(decoder, range, out) : decode_all<true>(decoder, range, out);
}

// As in encoding, only what differs from the state before is looked at.
template <bool kPieces>
void CollapsedStates::decode_all(Decoder& decoder, NumberRange range, Word* out) const {
  const std::size_t words = parts_.words();
  std::uint32_t* numbers = decoder.numbers.data();
  std::uint64_t* values = decoder.values.data();
  for (std::uint64_t i = range.begin; i < range.end; ++i, out += words) {
    keys_.load(i, decoder.key.data());
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const std::uint32_t number = layout_.get<kPieces>(decoder.key.data(), part);
      if (number == numbers[part])
        continue;
      numbers[part] = number;
      const std::uint64_t value = dictionaries_[part]->value(number);
      parts_.flip(decoder.state.data(), part, value ^ values[part]);
      values[part] = value;
    }
    std::copy_n(decoder.state.data(), words, out);
  }
}

void CollapsedStates::hash(NumberRange range, std::uint64_t* out) const {
  std::vector<Word> key(layout_.words());
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    keys_.load(i, key.data());
    *out++ = hash_of_sum(sums_.are_there() ? sums_.sum(key.data()) : sum_of_parts(key.data()));
  }
}

std::uint64_t CollapsedStates::sum_of_parts(const Word* key) const {
  std::uint64_t sum = 0;
  for (std::size_t part = 0; part < parts_.size(); ++part)
    sum += factors_[part] * layout_.get(key, part);
  return sum;
}

bool CollapsedStates::make_room(std::uint64_t used) {
  moves_.reset();
  if (std::none_of(dictionaries_.begin(), dictionaries_.end(), [](const auto& one) { return one->wants_more(); }))
    return true;  // another thread has seen to it
  const KeyLayout next = wider(used);
  std::uint64_t bytes = 0;
  bool room = true;
  for (std::size_t part = 0; part < next.size(); ++part) {
    room = room && dictionaries_[part]->make_room(next.width(part));
    bytes += dictionaries_[part]->bytes();
  }
  dictionary_bytes_.store(bytes, std::memory_order_relaxed);
  look_ahead_.choose(dictionaries_);
  return room && change_layout(next, used);
}

// All keys are read when the index grows: a good time to get rid of pieces, which cost a little at every access.
void CollapsedStates::put_in_order(std::uint64_t used) {
  moves_.reset();
  if (layout_.pieces() > 0)
    (void)change_layout(KeyLayout(layout_.widths(), layout_.bits()), used);  // keys stay if it fails
}

bool CollapsedStates::change_layout(const KeyLayout& next, std::uint64_t used) {
  KeyMoves moves(layout_, next);
  if (next.bits() == layout_.bits() && moves.is_identity()) {
    layout_ = next;
    sums_.set(layout_, factors_);
    return true;
  }
  if (!keys_.begin_rewriting(used, next.bits()))
    return false;
  moves_.emplace(std::move(moves));
  rewritten_ += used;
  layout_ = next;
  sums_.set(layout_, factors_);
  ++version_;
  for (Encoder& encoder : encoders_)
    encoder.is_valid = false;
  return true;
}

std::uint64_t CollapsedStates::next_pieces() {
  if (!moves_)
    return 0;
  round_ = keys_.next_round();
  piece_keys_ = round_.begin == 0 && !keys_.keeps_length() ? round_.size() : kPieceKeys;
  return round_.size() == 0 ? 0 : (round_.size() + piece_keys_ - 1) / piece_keys_;
}

void CollapsedStates::do_piece(std::uint64_t piece) {
  const std::uint64_t begin = round_.begin + piece * piece_keys_;
  keys_.rewrite({begin, std::min(round_.end, begin + piece_keys_)},
                [this](const Word* old, Word* now) { moves_->apply(old, now); });
}

std::vector<unsigned> CollapsedStates::widths_needed() const {
  std::vector<unsigned> widths;
  for (const auto& dictionary : dictionaries_) {
    const std::uint64_t wanted = dictionary->size() + (dictionary->wants_more() ? 1 : 0);
    widths.push_back(wanted == 0 ? 0 : static_cast<unsigned>(std::bit_width(wanted - 1)));
  }
  return widths;
}

// A layout in which every field is as wide as its dictionary needs it.
KeyLayout CollapsedStates::wider(std::uint64_t used) const {
  std::vector<unsigned> widths = widths_needed();
  std::uint64_t more = 0;  // bits that fields lack
  for (std::size_t part = 0; part < widths.size(); ++part)
    more += widths[part] - std::min(widths[part], layout_.width(part));
  if (more == 0)
    return layout_;
  if (used < kManyKeys) {
    use_spare_bits(widths);
    return KeyLayout(widths);
  }
  if (more > layout_.free_bits())
    return KeyLayout(widths, layout_.bits());  // the fields in order again, and what is left of a byte behind them
  KeyLayout next = layout_;
  for (std::size_t part = 0; part < widths.size(); ++part)
    while (next.width(part) < widths[part])
      next.widen(part);
  return next;
}

// What is left of the last byte goes to the fullest dictionaries.
void CollapsedStates::use_spare_bits(std::vector<unsigned>& widths) const {
  const std::uint64_t bits = std::accumulate(widths.begin(), widths.end(), std::uint64_t{0});
  for (std::uint64_t spare = (bits + 7) / 8 * 8 - bits; spare > 0; --spare) {
    std::size_t fullest = widths.size();
    double most = 0;
    for (std::size_t part = 0; part < widths.size(); ++part) {
      const double load = static_cast<double>(dictionaries_[part]->size()) / static_cast<double>(1ULL << widths[part]);
      if (widths[part] < std::min(parts_.bits(part), kWidthMost) && load > most) {
        most = load;
        fullest = part;
      }
    }
    if (fullest == widths.size())
      return;
    ++widths[fullest];
  }
}

template class ArraySet<CollapsedStates>;

}  // namespace tideline
