// SPDX-License-Identifier: MIT
#include "store/signature_set.h"

#include <algorithm>
#include <cmath>

#include "store/packed_records.h"
#include "store/state_hash.h"

namespace tideline {
namespace {

// States looked up together: enough to hide a cache miss behind the others.
constexpr std::size_t kBatch = 32;

}  // namespace

SignatureSet::SignatureSet(std::uint64_t state_bits, unsigned signature_bits, std::uint64_t seed, unsigned threads,
                           MemoryBudget& budget)
    : words_(std::max<std::uint64_t>(1, (state_bits + 63) / 64)),
      entry_bytes_(std::max<std::uint64_t>(1, (state_bits + 7) / 8)),
      signature_bits_(signature_bits),
      seed_(seed),
      threads_(threads),
      gate_(threads, [](std::uint64_t) {}),
      queue_(entry_bytes_, threads, budget),
      table_(signature_bits, budget) {}

// Enters the gate with room for a batch of every thread. False, and outside, if memory ended.
bool SignatureSet::enter_with_room(unsigned thread) {
  const std::uint64_t batches = threads_ * kBatch;
  gate_.enter(thread);
  while (!full_ && !table_.has_room(batches))
    gate_.change(thread, [this, batches] {
      full_ = !table_.reserve(batches);
      return 0;
    });
  if (full_)
    gate_.leave(thread);
  return !full_;
}

bool SignatureSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  std::uint64_t signatures[kBatch];
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    if (!enter_with_room(thread))
      return false;
    const std::size_t some = std::min(kBatch, count - begin);
    for (std::size_t i = 0; i < some; ++i)
      signatures[i] = hash_state(states + (begin + i) * words_, words_, seed_) >> (64 - signature_bits_);
    const std::size_t before = fresh.size();
    table_.insert(signatures, some, static_cast<std::uint32_t>(begin), fresh);
    gate_.leave(thread);
    for (std::size_t i = before; i < fresh.size(); ++i)
      if (!queue_.append(thread, states + fresh[i] * words_))
        return false;
  }
  return true;
}

std::size_t SignatureSet::take(unsigned, std::size_t most, Word* out) {
  const std::size_t taken = queue_.take(most, out);
  unpack_records(out, taken, entry_bytes_, words_);
  return taken;
}

double SignatureSet::omission_probability() const {
  const auto states = static_cast<double>(size());
  return std::min(1.0, std::ldexp(states * (states + 1), -static_cast<int>(signature_bits_) - 1));
}

}  // namespace tideline
