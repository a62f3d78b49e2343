// SPDX-License-Identifier: MIT
#include "store/compact_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "base/prefetch.h"

namespace tideline {
namespace {

constexpr std::uint64_t kFirstBuckets = 64;
constexpr std::uint64_t kPageBuckets = 4096 / BitBucket::kBytes;
constexpr std::uint64_t kSmallBuckets = 4096;  // below this, growing doubles
// A roomy table doubles up to here (32 MiB): a short search would spend a quarter of its time on moving numbers.
constexpr std::uint64_t kRoomySmallBuckets = std::uint64_t{1} << 19;
// Bits of a slot that say in which of its buckets the number is; the load in percent at which such a table grows, and
// to which it is filled if the budget refuses. Up to the first about one number in 1024 finds all of its buckets full.
struct Reach {
  unsigned bits;
  unsigned load_wanted;
  unsigned load_most;
};
constexpr Reach kReaches[] = {{2, 82, 84}, {3, 90, 92}, {4, 92, 95}};
constexpr Reach kRoomyReach = {2, 80, 84};
// Buckets of the old table that one thread moves at once: a part of the round's, so that nobody waits long for the last
// piece, within bounds.
constexpr std::uint64_t kPiecesPerRound = 32;
constexpr std::uint64_t kPieceBucketsMin = 512;
constexpr std::uint64_t kPieceBucketsMax = 4096;
// How far ahead of the number being looked up the homes of others are fetched, and then, where the home is full, the
// next place.
constexpr std::size_t kHomeAhead = 32;
constexpr std::size_t kNextAhead = 12;
constexpr std::uint64_t kStashFirst = 64;
constexpr std::uint64_t kStashShare = 512;      // one in so many numbers may be in the stash
constexpr std::uint64_t kStashEntryBytes = 64;  // of std::unordered_set, generously

}  // namespace

CompactTable::Layout::Layout(unsigned the_key_bits, std::uint64_t the_buckets, Growth the_growth)
    : key_bits(the_key_bits), buckets(the_buckets), growth(the_growth) {
  const auto implied = static_cast<unsigned>(std::bit_width(buckets) - 1);
  rest_bits = key_bits > implied ? key_bits - implied : 1;
  for (const Reach& choice : growth == Growth::kRoomy ? std::span(&kRoomyReach, 1) : std::span<const Reach>(kReaches)) {
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

CompactTable::CompactTable(unsigned key_bits, Growth growth, unsigned threads, MemoryBudget& budget)
    : budget_(budget), pages_(budget), growth_(growth), alone_(threads == 1) {
  CHECK(key_bits >= kKeyBitsMin && key_bits <= kKeyBitsMax);
  layout_.key_bits = key_bits;
}

CompactTable::~CompactTable() {
  budget_.release(stash_bytes_);
}

bool CompactTable::reserve(std::uint64_t more) {
  while (const std::uint64_t pieces = prepare_growth(more))
    for (std::uint64_t piece = 0; piece < pieces; ++piece)
      move_piece(piece);
  return has_room(more);
}

std::uint64_t CompactTable::prepare_growth(std::uint64_t more) {
  while (growing_ || !has_room(more)) {
    if (!growing_ && !start_growth())
      return 0;
    if (const std::uint64_t pieces = next_round())
      return pieces;
  }
  return 0;
}

// Starts to grow, or fills the table further if there is no memory for that. False if it is filled as far as goes.
bool CompactTable::start_growth() {
  const std::uint64_t now = layout_.buckets;
  const bool roomy = growth_ == Growth::kRoomy;
  if (now < (roomy ? kRoomySmallBuckets : kSmallBuckets) && start_growth(now + std::max(kFirstBuckets, now), growth_))
    return true;
  if (now >= kSmallBuckets && roomy && start_growth(now + now * 2 / 5, Growth::kRoomy))
    return true;
  for (const std::uint64_t part : {8U, 16U, 64U})
    if (now >= kSmallBuckets && start_growth(now + now / part, Growth::kTight))
      return true;
  if (now == 0 || fill_limit_ >= layout_.fill_most)
    return false;
  fill_limit_ = layout_.fill_most;
  return true;
}

bool CompactTable::start_growth(std::uint64_t buckets, Growth growth) {
  const Layout next(layout_.key_bits, buckets, growth);
  const std::uint64_t stash_limit = kStashFirst + next.fill_wanted / kStashShare;
  const std::uint64_t stash_more = std::max(stash_bytes_, stash_limit * kStashEntryBytes) - stash_bytes_;
  if (!budget_.charge(stash_more))
    return false;
  if (!pages_.extend_to(next.buckets_used() * BitBucket::kBytes)) {
    budget_.release(stash_more);
    return false;
  }
  old_ = layout_;
  layout_ = next;
  fill_limit_ = next.fill_wanted;
  stash_limit_ = stash_limit;
  stash_bytes_ += stash_more;
  bytes_.store(pages_.size() + stash_bytes_, std::memory_order_relaxed);
  growing_ = true;
  sources_begin_ = old_.buckets_used();
  return true;
}

// A number in bucket b of the old table has its home at b - kOffsetMost or above, and its new home at that times
// new / old or above. Returns the number of pieces; 0 if the table has grown.
std::uint64_t CompactTable::next_round() {
  while (growing_) {
    sources_end_ = sources_begin_;
    const Wide scaled = static_cast<Wide>(sources_end_) * old_.buckets + layout_.buckets - 1;
    sources_begin_ = kOffsetMost + static_cast<std::uint64_t>(scaled / layout_.buckets);
    if (sources_begin_ >= sources_end_) {
      move_rest();
      growing_ = false;
    } else if (!alone_ && sources_end_ - sources_begin_ > kPieceBucketsMin) {
      const std::uint64_t round = sources_end_ - sources_begin_;
      piece_buckets_ = std::clamp(round / kPiecesPerRound, kPieceBucketsMin, kPieceBucketsMax);
      return (round + piece_buckets_ - 1) / piece_buckets_;
    } else {
      move_buckets(sources_begin_, sources_end_, {});
    }
  }
  return 0;
}

// The lowest buckets, too few to be moved in rounds, and the stash.
void CompactTable::move_rest() {
  const std::vector<BitBucket> buckets(&bucket(0), &bucket(sources_end_));
  std::fill_n(&bucket(0), sources_end_, BitBucket());
  if (!buckets.empty()) {
    Reader reader(old_, 0);
    for (const BitBucket& from : buckets)
      reader.read(from, [this](std::uint64_t key) { place(key, {}); });
  }
  const std::unordered_set<std::uint64_t> stashed = std::move(stash_);
  stash_.clear();
  stash_size_.store(0, std::memory_order_relaxed);
  for (const std::uint64_t key : stashed)
    place(key, {});
}

// Numbers from below a bucket b go to b * new / old + kOffsetMost at most, those from b on have been seen above to go
// to (b - kOffsetMost) * new / old at least. What lies in between for either border of a piece is shared with the
// neighbour.
void CompactTable::move_piece(std::uint64_t piece) {
  const std::uint64_t begin = sources_begin_ + piece * piece_buckets_;
  const std::uint64_t end = std::min(sources_end_, begin + piece_buckets_);
  move_buckets(begin, end, {scaled(begin) + kOffsetMost + 1, scaled(end - kOffsetMost)});
}

// Writes to the new pages to which numbers of old buckets begin .. end-1 go. A page that is read first gets the page of
// zeros in its place, and when it is written all cores are interrupted for the exchange; a large page may be lost.
void CompactTable::touch_fresh(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t first = std::max(old_.buckets_used(), scaled(begin - std::min(begin, kOffsetMost)));
  const std::uint64_t last = std::min(layout_.buckets_used(), scaled(end) + kOffsetMost);
  for (std::uint64_t b = first; b < last; b += kPageBuckets)
    bucket(b).touch();
}

void CompactTable::move_buckets(std::uint64_t begin, std::uint64_t end, OwnBuckets own) {
  touch_fresh(begin, end);
  Reader reader(old_, begin);
  for (std::uint64_t b = begin; b < end; ++b) {
    const BitBucket from = bucket(b);
    bucket(b) = BitBucket();
    reader.read(from, [this, own](std::uint64_t key) { place(key, own); });
  }
}

// Puts a number that is not in the table into its first place that has room.
void CompactTable::place(std::uint64_t key, OwnBuckets own) {
  for (unsigned attempt = 0; attempt < layout_.tries; ++attempt) {
    const std::uint64_t index = layout_.place(key, attempt);
    BitBucket& to = bucket(index);
    const bool shared = index < own.begin || index >= own.end;
    if (shared)
      to.lock();
    if (to.count() < layout_.shape.slots) {
      to.append(layout_.slot(key, attempt), layout_.shape);
      return;
    }
    if (shared)
      to.unlock();
  }
  insert_in_stash(key);
}

CompactTable::Reader::Reader(const Layout& layout, std::uint64_t begin) : layout_(layout) {
  const Wide numbers = Wide{1} << layout.key_bits;
  quotient_step_ = static_cast<std::uint64_t>(numbers / layout.buckets);
  remainder_step_ = static_cast<std::uint64_t>(numbers % layout.buckets);
  index_ = begin - std::min(begin, kOffsetMost);
  const Wide scaled = static_cast<Wide>(index_) << layout.key_bits;
  quotient_ = static_cast<std::uint64_t>(scaled / layout.buckets);
  remainder_ = static_cast<std::uint64_t>(scaled % layout.buckets);
  while (index_ < begin)
    advance();
}

void CompactTable::Reader::advance() {
  firsts_[index_++ % kKept] = quotient_ + (remainder_ > 0 ? 1 : 0);
  quotient_ += quotient_step_;
  remainder_ += remainder_step_;
  if (remainder_ >= layout_.buckets) {
    remainder_ -= layout_.buckets;
    ++quotient_;
  }
}

void CompactTable::insert(std::span<const std::uint64_t> keys, std::size_t begin, std::size_t end,
                          std::uint32_t first_position, std::vector<std::uint32_t>& fresh) {
  const std::size_t before = fresh.size();
  if (begin == 0)
    for (std::size_t i = 0; i < std::min(kHomeAhead, keys.size()); ++i)
      prefetch_home(keys[i]);
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kHomeAhead < keys.size())
      prefetch_home(keys[i + kHomeAhead]);
    if (i + kNextAhead < keys.size())
      prefetch_next(keys[i + kNextAhead]);
    if (alone_ ? insert_alone(keys[i]) : insert_shared(keys[i]))
      fresh.push_back(first_position + static_cast<std::uint32_t>(i));
  }
  size_.fetch_add(fresh.size() - before, std::memory_order_relaxed);
}

// The home has been fetched: if it is full, the number is perhaps at its next place.
void CompactTable::prefetch_next(std::uint64_t key) const {
  if (bucket(layout_.home(key)).count() == layout_.shape.slots)
    prefetch_line_to_write(&bucket(layout_.place(key, 1)));
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

bool CompactTable::insert_alone(std::uint64_t key) {
  const Place place = look(key);
  if (place.found)
    return false;
  if (place.attempt == layout_.tries)
    return insert_in_stash(key);
  bucket(layout_.place(key, place.attempt)).append(layout_.slot(key, place.attempt), layout_.shape);
  return true;
}

bool CompactTable::insert_shared(std::uint64_t key) {
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
