// SPDX-License-Identifier: MIT
#include "store/tree_set.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline {
namespace {

constexpr std::size_t kBatch = TreeFolder::kBatch;
// Sizes of the set at which the tree is cut anew.
constexpr std::uint64_t kRetuneAt[] = {std::uint64_t{1} << 14, std::uint64_t{1} << 18,
                                       std::numeric_limits<std::uint64_t>::max()};
constexpr std::uint64_t kSampleStates = std::uint64_t{1} << 14;

unsigned table_bits(const TreeShape& shape) {
  return std::max(CompactTable::kKeyBitsMin, shape.key_bits());
}

}  // namespace

TreeSet::Forest::Forest(TreeShape the_shape, std::size_t words, unsigned threads, MemoryBudget& budget)
    : shape(std::move(the_shape)),
      mix(table_bits(shape)),
      nodes(budget),
      roots(table_bits(shape), CompactTable::Growth::kTight, threads, budget),
      folders(threads, TreeFolder(shape, nodes, words)) {}

TreeSet::TreeSet(std::uint64_t state_bits, unsigned threads, MemoryBudget& budget, BitOrder order)
    : state_bits_(std::max<std::uint64_t>(1, state_bits)),
      words_((state_bits_ + 63) / 64),
      budget_(budget),
      threads_(threads),
      order_(std::move(order)),
      scratch_(threads, std::vector<Word>(kBatch * words_ + 1)),
      gate_(threads, [this](std::uint64_t piece) { forest_->roots.move_piece(piece); }),
      queue_(sizeof(std::uint64_t), threads, budget),
      forest_(std::make_unique<Forest>(TreeShape(state_bits_), words_, threads, budget)) {}

bool TreeSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  std::uint64_t keys[kBatch];
  std::uint64_t mixed[kBatch];
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    if (!enter_with_room(thread))
      return false;
    const std::size_t some = std::min(kBatch, count - begin);
    forest_->folders[thread].fold(reorder(thread, states + begin * words_, some), some, keys);
    for (std::size_t i = 0; i < some; ++i)
      mixed[i] = forest_->mix.mix(keys[i]);
    const std::size_t before = fresh.size();
    forest_->roots.insert({mixed, some}, 0, some, static_cast<std::uint32_t>(begin), fresh);
    bool queued = true;
    for (std::size_t i = before; i < fresh.size() && queued; ++i)
      queued = queue_.append(thread, &keys[fresh[i] - begin]);
    size_.fetch_add(fresh.size() - before, std::memory_order_relaxed);
    gate_.leave(thread);
    if (!queued)
      return false;
  }
  return true;
}

std::size_t TreeSet::take(unsigned thread, std::size_t most, Word* out) {
  std::uint64_t keys[kBatch];
  std::size_t taken = 0;
  while (taken < most) {
    gate_.enter(thread);
    const std::size_t some = queue_.take(thread, std::min(kBatch, most - taken), keys);
    for (std::size_t i = 0; i < some; ++i)
      unfold_in_order(thread, keys[i], out + (taken + i) * words_);
    gate_.leave(thread);
    if (some == 0)
      break;
    taken += some;
  }
  return taken;
}

// The states with their bits in the set's order.
const Word* TreeSet::reorder(unsigned thread, const Word* states, std::size_t count) {
  if (order_.is_identity())
    return states;
  Word* out = scratch_[thread].data();
  for (std::size_t i = 0; i < count; ++i)
    order_.apply(states + i * words_, out + i * words_, words_);
  return out;
}

void TreeSet::unfold_in_order(unsigned thread, std::uint64_t key, Word* out) {
  if (order_.is_identity()) {
    unfold(forest_->shape, forest_->nodes, key, out, words_);
    return;
  }
  unfold(forest_->shape, forest_->nodes, key, scratch_[thread].data(), words_);
  order_.undo(scratch_[thread].data(), out, words_);
}

// Enters the gate with room for a batch of every thread. False, and outside, if memory ended.
bool TreeSet::enter_with_room(unsigned thread) {
  gate_.enter(thread);
  while (!full_ && !has_room())
    gate_.change(thread, [this] { return make_room(); });
  if (full_)
    gate_.leave(thread);
  return !full_;
}

// Every thread may be about to insert a batch.
bool TreeSet::has_room() const {
  const std::uint64_t batches = threads_ * kBatch;
  return size() < kRetuneAt[retuned_] && forest_->roots.has_room(batches) &&
         forest_->nodes.has_room(batches * forest_->shape.size());
}

// Runs alone, again and again until it returns 0; the pieces that it returns are those of the roots' table.
std::uint64_t TreeSet::make_room() {
  if (size() >= kRetuneAt[retuned_]) {
    ++retuned_;
    retune();
  }
  const std::uint64_t batches = threads_ * kBatch;
  const std::uint64_t pieces = forest_->roots.prepare_growth(batches);
  if (pieces == 0)
    full_ = !forest_->roots.has_room(batches) || !forest_->nodes.reserve(batches * forest_->shape.size());
  forest_bytes_.store(forest_->roots.bytes() + forest_->nodes.bytes());
  return pieces;
}

void TreeSet::retune() {
  if (!forest_->shape.root().is_pair())
    return;
  const std::uint64_t sample_bytes = 2 * kSampleStates * words_ * sizeof(Word);
  if (!budget_.charge(sample_bytes))
    return;
  std::vector<Word> states = sample();
  TreeShape shape(state_bits_, states.data(), (states.size() - 1) / words_, words_);
  states = {};
  budget_.release(sample_bytes);
  auto next = std::make_unique<Forest>(std::move(shape), words_, threads_, budget_);
  if (refold(*next))
    forest_ = std::move(next);
}

// Every so-manieth state of the set.
std::vector<Word> TreeSet::sample() const {
  const std::uint64_t stride = size() / kSampleStates + 1;
  std::vector<Word> states;
  std::uint64_t number = 0;
  forest_->roots.for_each([&](std::uint64_t mixed) {
    if (number++ % stride != 0)
      return;
    states.resize(states.size() + words_);
    unfold(forest_->shape, forest_->nodes, forest_->mix.unmix(mixed), states.data() + states.size() - words_, words_);
  });
  states.push_back(0);
  return states;
}

// Folds all states and the queue into `next`. False, and nothing has changed, if memory ended.
bool TreeSet::refold(Forest& next) {
  std::vector<Word> state(words_);
  std::vector<std::uint32_t> fresh;
  bool room = true;
  const auto fold = [&](std::uint64_t key) {
    unfold(forest_->shape, forest_->nodes, key, state.data(), words_);
    next.folders[0].fold(state.data(), 1, &key);
    return key;
  };
  forest_->roots.for_each([&](std::uint64_t mixed) {
    room = room && next.roots.reserve(1) && next.nodes.reserve(next.shape.size());
    if (!room)
      return;
    const std::uint64_t key = next.mix.mix(fold(forest_->mix.unmix(mixed)));
    fresh.clear();
    next.roots.insert({&key, 1}, 0, 1, 0, fresh);
  });
  if (!room)
    return false;
  queue_.for_each([&](std::uint8_t* entry) {
    std::uint64_t key = 0;
    std::memcpy(&key, entry, sizeof key);
    key = fold(key);  // all of its nodes are there
    std::memcpy(entry, &key, sizeof key);
  });
  return true;
}

}  // namespace tideline
