// SPDX-License-Identifier: MIT
// What a breadth-first search asks of its visited set: a set of states that is its queue as well. Every kind (plain,
// tree, signatures) keeps this contract, so the search does not know which one it has.
//
// S1  a state that was inserted is handed out by take() exactly once, in the layer after the one being handed out when
//     it was inserted; states inserted before the first next_layer() form layer 0.
// S2  insert() and take() may be called by all threads at once, each with a number of its own below threads();
//     next_layer() and restart() are called by one thread while no other is in the set.
// S3  an exact set (omission_probability() == 0) decides equality on whole states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/next_state.h"

namespace tideline {

// What a set on disk needs to be found again: files of the working directory by what they are for, and numbers by name.
struct SavedSet {
  struct SavedFile {
    std::string role;
    std::string name;
    std::uint64_t records = 0;
    auto operator<=>(const SavedFile&) const = default;
  };
  std::vector<SavedFile> files;
  std::map<std::string, std::uint64_t> numbers;
};

// States that a set hands over: all that it knows; among them, those of the current layer that were not taken, and
// those of the layer being built.
enum class Known : std::uint8_t { kVisited, kFrontier, kNext };
// Gets the states in pieces, which it may reorder, or write over. It may go on with a piece until its next call
// returns; the last call has no states.
using HandOver = std::function<Status(Known what, Word* states, std::size_t count)>;

class VisitedSet {
 public:
  virtual ~VisitedSet() = default;
  VisitedSet() = default;
  VisitedSet(const VisitedSet&) = delete;
  VisitedSet& operator=(const VisitedSet&) = delete;

  // Called once, before anything but load().
  virtual Status begin() { return Status::ok(); }
  // Inserts `count` states (words each, one behind the other, one readable word behind the last). Appends to `fresh`
  // the positions (0..count-1) of those that were not in the set; equal states inserted by two threads are fresh for
  // one. A set on disk that finds duplicates only at the end of a layer may call states fresh that are not; size() and
  // take() do not count them. False if memory ended, or if trouble() says so: then some of the states are missing from
  // the set, and the search is incomplete.
  [[nodiscard]] virtual bool insert(unsigned thread, const Word* states, std::size_t count,
                                    std::vector<std::uint32_t>& fresh) = 0;
  // Copies up to `most` states of the current layer to `out` (room for most * words + 1 words). 0: none is left, or
  // trouble().
  virtual std::size_t take(unsigned thread, std::size_t most, Word* out) = 0;
  // What was inserted since the last call becomes the current layer; its size. What take() has left is dropped.
  virtual std::uint64_t next_layer() = 0;
  // Makes layer `layer` current again, for take() only. False if this kind of set does not keep its layers.
  virtual bool restart(std::uint64_t layer) = 0;

  // Called by a thread that waits for others to end the layer, also while one of them is in next_layer(): does a piece
  // of what they wait for, if there is any.
  virtual bool help(unsigned /*thread*/) { return false; }

  // What went wrong with the disk, if anything; the set is of no use after that, but for what save() wrote before.
  [[nodiscard]] virtual Status trouble() const { return Status::ok(); }
  // Called by one thread while no other is in the set, when memory has ended: calls `to` with all states, and once more
  // with those of the frontier and of the next layer. The set is of no use afterwards.
  [[nodiscard]] virtual bool can_hand_over() const { return false; }
  // Bytes that hand_over() gives back before it takes any.
  [[nodiscard]] virtual std::uint64_t freed_first() const { return 0; }
  virtual Status hand_over(const HandOver&) { return Status::error("this set does not hand over"); }
  // Called by one thread between next_layer() and the first take(): writes and syncs what load() needs to make a new,
  // empty set equal to this one. Sets that live in RAM cannot.
  [[nodiscard]] virtual bool can_save() const { return false; }
  [[nodiscard]] virtual const char* saved_as() const { return ""; }  // word of --search for load()
  virtual Status save(SavedSet&) { return Status::error("this set lives in RAM"); }
  virtual Status load(const SavedSet&) { return Status::error("this set lives in RAM"); }
  // Are its states on disk by now?
  [[nodiscard]] virtual bool on_disk() const { return false; }
  // False: a layer is not a distance from the start states; a state is taken in some layer after its insertion (S1).
  [[nodiscard]] virtual bool breadth_first() const { return true; }
  // Expanded states count more than once in `visited` if the set forgets some: then size() is not known.
  [[nodiscard]] virtual bool counts_distinct() const { return true; }

  // The rest may be called at any time by any thread; while others insert, they are a moment old.
  [[nodiscard]] virtual std::uint64_t size() const = 0;   // states inserted
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;  // memory held, the queue included
  // The most states that were in RAM at once.
  [[nodiscard]] virtual std::uint64_t peak_states() const { return size(); }
  // An upper bound on the probability that a state was taken for another one (0: exact).
  [[nodiscard]] virtual double omission_probability() const = 0;
};

}  // namespace tideline
