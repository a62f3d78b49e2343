// SPDX-License-Identifier: MIT
#include "store/visited_table.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstBuckets = 256;
constexpr std::uint64_t kStatesMax = std::numeric_limits<std::uint32_t>::max();
// Load factors in percent: grow at the first; go on to the second if the budget refuses to grow.
constexpr std::uint64_t kLoadWanted = 84;
constexpr std::uint64_t kLoadMost = 95;
// States probed together: enough to hide a cache miss behind the others, few enough to stay in the first-level cache.
constexpr std::size_t kProbeBatch = 32;

}  // namespace

VisitedTable::VisitedTable(std::uint64_t state_bits, MemoryBudget& budget)
    : budget_(budget), states_(state_bits, budget) {}

unsigned VisitedTable::matches(const Bucket& bucket, std::uint8_t tag) {
  const unsigned used = (1U << bucket.count) - 1;
#if defined(__SSE2__)
  const __m128i tags = _mm_load_si128(reinterpret_cast<const __m128i*>(&bucket));
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(tag));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(tags, wanted))) & used;
#else
  unsigned found = 0;
  for (unsigned k = 0; k < kSlots; ++k)
    found |= static_cast<unsigned>(bucket.tags[k] == tag) << k;
  return found & used;
#endif
}

bool VisitedTable::find(const Word* state, std::uint64_t hash, Bucket*& bucket) const {
  const std::uint8_t tag = tag_of(hash);
  std::uint64_t at = bucket_of(hash);
  for (;;) {
    bucket = buckets() + at;
    for (unsigned found = matches(*bucket, tag); found != 0; found &= found - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctz(found));
      if (states_.equals(bucket->numbers[slot], state))
        return true;
    }
    if (bucket->count < kSlots)
      return false;
    at = at + 1 == bucket_count_ ? 0 : at + 1;
  }
}

void VisitedTable::prefetch_candidate(std::uint64_t hash) const {
  const Bucket& bucket = buckets()[bucket_of(hash)];
  const unsigned found = matches(bucket, tag_of(hash));
  if (found != 0)
    states_.prefetch(bucket.numbers[__builtin_ctz(found)]);
}

bool VisitedTable::insert(const Word* states, const std::uint64_t* hashes, std::size_t count,
                          std::vector<std::uint32_t>& fresh) {
  const std::size_t words = states_.words();
  for (std::size_t begin = 0; begin < count; begin += kProbeBatch) {
    const std::size_t end = std::min(count, begin + kProbeBatch);
    while (states_.size() + (end - begin) > grow_at_)
      if (!make_room())
        return false;
    for (std::size_t i = begin; i < end; ++i)
      __builtin_prefetch(buckets() + bucket_of(hashes[i]), 1);
    for (std::size_t i = begin; i < end; ++i)
      prefetch_candidate(hashes[i]);
    for (std::size_t i = begin; i < end; ++i) {
      Bucket* bucket = nullptr;
      if (find(states + i * words, hashes[i], bucket))
        continue;
      if (!states_.reserve_one())
        return false;
      bucket->tags[bucket->count] = tag_of(hashes[i]);
      CHECK(states_.size() < kStatesMax);  // V3: a number that wrapped would make a new state look known
      bucket->numbers[bucket->count++] = static_cast<std::uint32_t>(states_.size());
      states_.append(states + i * words);
      fresh.push_back(static_cast<std::uint32_t>(i));
    }
  }
  return true;
}

bool VisitedTable::contains(const Word* state) const {
  Bucket* bucket = nullptr;
  return bucket_count_ != 0 && find(state, hash_state(state, states_.words()), bucket);
}

// Grows the index, or, if there is no memory for that, fills it further.
bool VisitedTable::make_room() {
  if (index_lost_ || states_.size() + kProbeBatch > kStatesMax)
    return false;
  for (const std::uint64_t percent : {200U, 150U, 120U}) {
    if (grow_index(std::max(kFirstBuckets, bucket_count_ * percent / 100)))
      return true;
  }
  const std::uint64_t most = std::min(kStatesMax, bucket_count_ * kSlots * kLoadMost / 100);
  if (index_lost_ || grow_at_ >= most)
    return false;
  grow_at_ = most;
  return true;
}

bool VisitedTable::grow_index(std::uint64_t bucket_count) {
  if (index_lost_ || !index_.replace(bucket_count * sizeof(Bucket), budget_)) {
    index_lost_ = index_lost_ || (bucket_count_ != 0 && index_.data() == nullptr);
    return false;
  }
  bucket_count_ = bucket_count;
  grow_at_ = std::min(kStatesMax, bucket_count_ * kSlots * kLoadWanted / 100);
  fill_index();
  return true;
}

void VisitedTable::fill_index() {
  std::vector<Word> state(states_.words() + 1);
  std::uint64_t hashes[kProbeBatch];
  for (std::uint64_t begin = 0; begin < states_.size(); begin += kProbeBatch) {
    const std::uint64_t end = std::min<std::uint64_t>(states_.size(), begin + kProbeBatch);
    for (std::uint64_t i = begin; i < end; ++i) {
      states_.load(i, state.data());
      hashes[i - begin] = hash_state(state.data(), states_.words());
      __builtin_prefetch(buckets() + bucket_of(hashes[i - begin]), 1);
    }
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint64_t at = bucket_of(hashes[i - begin]);
      while (buckets()[at].count == kSlots)
        at = at + 1 == bucket_count_ ? 0 : at + 1;
      Bucket& bucket = buckets()[at];
      bucket.tags[bucket.count] = tag_of(hashes[i - begin]);
      bucket.numbers[bucket.count++] = static_cast<std::uint32_t>(i);
    }
  }
}

}  // namespace tideline
