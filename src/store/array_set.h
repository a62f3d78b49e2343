// SPDX-License-Identifier: MIT
// A visited set that keeps its states, in some form, in an array for all threads, with a TagIndex over it
// (docs/design/bfs.md). What is kept of a state is its cell: the state itself (src/store/plain_set.h) or a shorter
// form that says the same (src/store/collapse_set.h). A thread claims runs of state numbers and appends to its own run,
// so that only the index is contended, and there only two threads that insert into the same bucket at the same moment.
//
// No state is copied when the index grows: the threads are stopped (Gate), the old index is dropped, and the new one is
// filled from the array by all that are there.
//
// Form is a class with Source, what it is made from, words() of a state, cell_words(), cells() (a StateArray), bytes(),
// kMoreBytes, by how many bytes cells may still grow;
//   encode(thread, states, count, hashes): cells of states, cell_words() each, and hashes, or null if make_room(numbers
//     in use) must be called first, alone; equal states have equal cells, different ones different cells;
//   put_in_order(numbers in use): called alone, before the index grows;
//   next_pieces(), do_piece(i): what make_room() and put_in_order() leave to do, in rounds of pieces, until there are
//     none (gate.h);
//   decode(thread, range, out): the states of these numbers;    hash(range, out): their hashes, which never change;
//   version(): another one after the cells have changed.
//
// P1  a state is in the array once.    P2  numbers are below 2^32 - 1.    P3  a number above claimed_ is in no index,
// and claimed_ <= grow_at_ < slots, so a probe ends (X4).    P4  cells change only when no thread is inside the gate;
// whoever reads one is inside.
// Cost: one cache miss for a new state (its bucket), two for a known one (bucket, cell); both are prefetched in
// batches. Memory: a cell and 64 / 12 / load bytes per state, load 0.42 to 0.84 (0.6 from five million states on); per
// thread one run more.
#pragma once

#include <limits>
#include <mutex>
#include <vector>

#include "store/gate.h"
#include "store/hand_over.h"
#include "store/layer_ranges.h"
#include "store/tag_index.h"
#include "store/visited_set.h"

namespace tideline {

template <typename Form>
class ArraySet final : public VisitedSet {
 public:
  ArraySet(const typename Form::Source& source, unsigned threads, MemoryBudget& budget)
      : budget_(budget),
        form_(source, threads, budget),
        index_(threads == 1),
        layers_(threads),
        runs_(threads),
        gate_(threads, [this](std::uint64_t piece) { do_piece(piece); }) {}

  [[nodiscard]] bool insert(unsigned thread, const Word* states, std::size_t count,
                            std::vector<std::uint32_t>& fresh) override;
  std::size_t take(unsigned thread, std::size_t most, Word* out) override;
  std::uint64_t next_layer() override;
  bool restart(std::uint64_t layer) override;
  bool help(unsigned /*thread*/) override { return gate_.help(); }
  // Before the first insert(): there will be about so many states. Saves growing.
  void expect(std::uint64_t states);
  [[nodiscard]] bool can_hand_over() const override { return true; }
  [[nodiscard]] std::uint64_t freed_first() const override { return index_bytes_.load(std::memory_order_relaxed); }
  Status hand_over(const HandOver& to) override;
  // The same without the layers before `layer`, each state once, those that were taken as kVisited, the others as
  // kFrontier or kNext only, and every piece done with when the call returns.
  Status hand_over_since(std::uint64_t layer, const HandOver& to);

  [[nodiscard]] std::uint64_t size() const override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] double omission_probability() const override { return 0.0; }
  [[nodiscard]] const Form& form() const { return form_; }

 private:
  static constexpr std::uint64_t kFirstBuckets = 256;
  static constexpr std::uint64_t kStatesMax = std::numeric_limits<std::uint32_t>::max();
  // Load factors in percent: grow at the first; go on to the second if the budget refuses to grow.
  static constexpr std::uint64_t kLoadWanted = 84;
  static constexpr std::uint64_t kLoadMost = 95;
  // An index grows to so many hundredths of its size: one with fewer slots to the double, as filling it anew took up to
  // a third of the time of a search; by less where memory ends, and not for less than a fiftieth.
  static constexpr std::uint64_t kSlotsLarge = std::uint64_t{1} << 22;
  static constexpr std::uint64_t kGrowthSmall = 200;
  static constexpr std::uint64_t kGrowthLarge = 138;
  static constexpr std::uint64_t kGrowthScarce = 120;
  static constexpr std::uint64_t kGrowthLeast = 102;
  // States probed between two looks at the gate and at the run.
  static constexpr std::size_t kProbeGroup = 32;
  // How far ahead of the state being probed buckets, and then cells, are fetched: far enough to hide a cache miss.
  static constexpr std::size_t kBucketAhead = 32;
  static constexpr std::size_t kStateAhead = 12;
  // A run is an eighth of what there is, shared among the threads, between these bounds.
  static constexpr std::uint64_t kRunBytesMax = std::uint64_t{64} << 10;
  static constexpr std::uint64_t kRunStatesMin = 2 * kProbeGroup;
  // States that one thread enters into a new index before it asks for more.
  static constexpr std::uint64_t kFillPiece = 4096;

  // The run of a thread: numbers begin .. next-1 are states that layers_ does not know yet, next .. end-1 are free.
  struct alignas(64) Run {
    std::uint64_t begin = 0;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    std::atomic<std::uint64_t> inserted = 0;  // states of this thread, for size()
    std::vector<std::uint64_t> hashes;        // of the states being inserted
  };

  // Cells of the states being inserted, from number `begin` on.
  struct Cells {
    const Word* data = nullptr;
    std::size_t begin = 0;
    std::size_t words = 0;  // each
    std::uint64_t version = 0;
    [[nodiscard]] const Word* at(std::size_t state) const { return data + (state - begin) * words; }
  };

  [[nodiscard]] bool encode(unsigned thread, const Word* states, std::size_t begin, Cells& cells);
  void probe(Run& run, const Word* cells, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& fresh);
  [[nodiscard]] bool claim(unsigned thread, std::uint64_t count);
  enum class Claim : std::uint8_t { kDone, kNoMemory, kIndexFull };
  [[nodiscard]] Claim try_claim(unsigned thread, std::uint64_t count);
  void log_runs();
  std::uint64_t grow();
  [[nodiscard]] bool grow_index();
  [[nodiscard]] std::uint64_t buckets_for_all_memory() const;
  std::uint64_t begin_filling();
  void fill(NumberRange range);
  void do_piece(std::uint64_t piece);
  Status hand_over_all(const std::vector<NumberRange>& visited, unsigned buffers, const HandOver& to);
  Status hand_over_ranges(Known what, const std::vector<NumberRange>& ranges, HandOverPieces& pieces);

  MemoryBudget& budget_;
  Form form_;
  TagIndex index_;
  LayerRanges layers_;
  std::vector<Run> runs_;  // one per thread
  std::mutex claim_mutex_;
  std::uint64_t claimed_ = 0;  // numbers that belong to runs; under claim_mutex_
  std::uint64_t grow_at_ = 0;  // where claimed_ must stop until the index has grown
  bool full_ = false;          // the index cannot grow
  bool lost_ = false;          // memory ended in the middle of a change: nothing can be inserted any more
  std::atomic<std::uint64_t> index_bytes_ = 0;  // for bytes()
  // What a round of the change under way does: the cells get another form, or the new index is touched, then filled.
  enum class Round : std::uint8_t { kForm, kTouch, kFill };
  Round round_ = Round::kForm;
  std::vector<NumberRange> to_fill_;  // pieces of the growth under way
  Gate gate_;
};

}  // namespace tideline
