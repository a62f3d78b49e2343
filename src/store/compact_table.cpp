// SPDX-License-Identifier: MIT
#include "store/compact_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstBuckets = 64;
constexpr std::uint64_t kSmallBuckets = 4096;  // below this, growing doubles
// Bits of a slot that say in which of its buckets the number is; the load in percent at which such a table grows, and
// to which it is filled if the budget refuses. Up to the first about one number in 1024 finds all of its buckets full.
struct Reach {
  unsigned bits;
  unsigned load_wanted;
  unsigned load_most;
};
constexpr Reach kReaches[] = {{2, 82, 84}, {3, 90, 92}, {4, 92, 95}};
constexpr std::uint64_t kStashFirst = 64;
constexpr std::uint64_t kStashShare = 512;      // one in so many numbers may be in the stash
constexpr std::uint64_t kStashEntryBytes = 64;  // of std::unordered_set, generously

}  // namespace

CompactTable::Layout::Layout(unsigned the_key_bits, std::uint64_t the_buckets)
    : key_bits(the_key_bits), buckets(the_buckets) {
  const auto implied = static_cast<unsigned>(std::bit_width(buckets) - 1);
  rest_bits = key_bits > implied ? key_bits - implied : 1;
  for (const Reach& choice : kReaches) {
    const unsigned slot_bits = std::max(rest_bits + choice.bits, BitBucket::kTagBits + 1);
    const unsigned slots = std::min(BitBucket::kSlotsMax, BitBucket::kBitsForSlots / slot_bits);
    if (buckets * slots * choice.load_wanted / 100 <= fill_wanted)
      continue;
    shape = {slots, slot_bits};
    tries = 1U << choice.bits;
    fill_wanted = buckets * slots * choice.load_wanted / 100;
    fill_most = buckets * slots * choice.load_most / 100;
  }
}

std::uint64_t CompactTable::Layout::first(std::uint64_t home) const {
  const Wide scaled = static_cast<Wide>(home) << key_bits;
  return static_cast<std::uint64_t>((scaled + buckets - 1) / buckets);
}

CompactTable::CompactTable(unsigned key_bits, MemoryBudget& budget) : budget_(budget), pages_(budget) {
  CHECK(key_bits >= kKeyBitsMin && key_bits <= kKeyBitsMax);
  layout_.key_bits = key_bits;
}

CompactTable::~CompactTable() {
  budget_.release(stash_bytes_);
}

bool CompactTable::reserve(std::uint64_t more) {
  while (!has_room(more)) {
    const std::uint64_t now = layout_.buckets;
    const std::uint64_t fast = now < kSmallBuckets ? std::max(kFirstBuckets, now) : now / 8;
    if (grow(now + fast) || (now >= kSmallBuckets && (grow(now + now / 16) || grow(now + now / 64))))
      continue;
    if (now == 0 || fill_limit_ >= layout_.fill_most)
      return false;
    fill_limit_ = layout_.fill_most;
  }
  return true;
}

bool CompactTable::grow(std::uint64_t buckets) {
  const Layout next(layout_.key_bits, buckets);
  const std::uint64_t stash_limit = kStashFirst + next.fill_wanted / kStashShare;
  const std::uint64_t stash_more = stash_limit * kStashEntryBytes - stash_bytes_;
  if (!budget_.charge(stash_more))
    return false;
  if (!pages_.extend_to(next.buckets_all() * BitBucket::kBytes)) {
    budget_.release(stash_more);
    return false;
  }
  const Layout old = layout_;
  layout_ = next;
  fill_limit_ = next.fill_wanted;
  stash_limit_ = stash_limit;
  stash_bytes_ += stash_more;
  bytes_.store(pages_.size() + stash_bytes_, std::memory_order_relaxed);
  move_all(old);
  return true;
}

// The old table moves up to the end of the new one, then its buckets are read from the bottom up. All places of a
// number in the new table are below or at the bucket that has just been read (C4), so they are free.
void CompactTable::move_all(const Layout& old) {
  const std::uint64_t count = old.buckets_used();
  const std::uint64_t up = layout_.buckets_all() - count;
  std::memmove(&bucket(up), &bucket(0), count * BitBucket::kBytes);
  std::memset(&bucket(0), 0, std::min(up, count) * BitBucket::kBytes);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t b = 0; b < count; ++b) {
    keys.clear();
    read_bucket(old, b, bucket(b + up), keys);
    bucket(b + up).clear_alone();
    for (const std::uint64_t key : keys)
      place(key);
  }
  const std::unordered_set<std::uint64_t> stashed = std::move(stash_);
  stash_.clear();
  stash_size_.store(0, std::memory_order_relaxed);
  for (const std::uint64_t key : stashed)
    place(key);
}

void CompactTable::place(std::uint64_t key) {
  for (unsigned attempt = 0; attempt < layout_.tries; ++attempt) {
    BitBucket& to = bucket(layout_.place(key, attempt));
    if (to.count() == layout_.shape.slots)
      continue;
    to.append(layout_.slot(key, attempt), layout_.shape);
    return;
  }
  insert_in_stash(key);
}

void CompactTable::read_bucket(const Layout& layout, std::uint64_t index, const BitBucket& from,
                               std::vector<std::uint64_t>& out) {
  std::uint64_t home = ~std::uint64_t{0};
  std::uint64_t first = 0;
  for (unsigned i = 0, count = from.count(); i < count; ++i) {
    const std::uint64_t slot = from.slot(i, layout.shape);
    const std::uint64_t rest = layout.rest(slot);
    const std::uint64_t its_home = index - Layout::offset(rest, static_cast<unsigned>(slot >> layout.rest_bits));
    if (its_home != home) {
      home = its_home;
      first = layout.first(home);
    }
    out.push_back(first + layout.rest(rest - first));
  }
}

void CompactTable::insert(const std::uint64_t* keys, std::size_t count, std::uint32_t first_position,
                          std::vector<std::uint32_t>& fresh) {
  for (std::size_t i = 0; i < count; ++i)
    __builtin_prefetch(&bucket(layout_.home(keys[i])), 1);
  const std::size_t before = fresh.size();
  for (std::size_t i = 0; i < count; ++i)
    if (insert(keys[i]))
      fresh.push_back(first_position + static_cast<std::uint32_t>(i));
  size_.fetch_add(fresh.size() - before, std::memory_order_relaxed);
}

CompactTable::Place CompactTable::look(std::uint64_t key) const {
  for (unsigned attempt = 0; attempt < layout_.tries; ++attempt) {
    unsigned filled = 0;
    if (bucket(layout_.place(key, attempt)).find(layout_.slot(key, attempt), layout_.shape, filled))
      return {true, attempt, filled};
    if (filled < layout_.shape.slots)
      return {false, attempt, filled};
  }
  return {false, layout_.tries, 0};
}

bool CompactTable::insert(std::uint64_t key) {
  const Place place = look(key);
  if (place.found)
    return false;
  BitBucket& home = bucket(layout_.home(key));
  home.lock();
  if (place.attempt > 0 || home.count() != place.filled)
    return insert_locked(home, key);
  home.append(layout_.slot(key, 0), layout_.shape);  // nobody has been here since we looked
  return true;
}

// Looks again, since another thread may have been faster, and inserts; `home` is locked, and unlocked afterwards. Other
// buckets are locked one at a time and lie above it, so nobody waits in a circle.
bool CompactTable::insert_locked(BitBucket& home, std::uint64_t key) {
  const Place place = look(key);
  if (!place.found && place.attempt == 0) {
    home.append(layout_.slot(key, 0), layout_.shape);
    return true;
  }
  bool fresh = false;
  for (unsigned attempt = place.attempt; !place.found && !fresh && attempt < layout_.tries; ++attempt) {
    BitBucket& to = bucket(layout_.place(key, attempt));
    to.lock();
    fresh = to.count() < layout_.shape.slots;
    if (fresh)
      to.append(layout_.slot(key, attempt), layout_.shape);
    else
      to.unlock();
  }
  if (!place.found && !fresh)
    fresh = insert_in_stash(key);
  home.unlock();
  return fresh;
}

bool CompactTable::insert_in_stash(std::uint64_t key) {
  const std::lock_guard lock(stash_mutex_);
  const bool fresh = stash_.insert(key).second;
  stash_size_.store(stash_.size(), std::memory_order_relaxed);
  return fresh;
}

}  // namespace tideline
