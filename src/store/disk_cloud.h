// SPDX-License-Identifier: MIT
// Which blocks of the visited states on disk a check reads: the disk cloud of [dellapenna.02.fmcad]. Transitions are
// local: most lead to new states or to states found a few layers ago. So a check reads only some of the blocks, drawn
// at random, the recent ones with a higher probability; now and then it reads all of them, sees what the cloud would
// have missed, and makes the cloud larger or smaller.
//
// We differ: the size of the cloud is kept as a share of the blocks, since their number grows; what the paper leaves
// open (b0, "close to", "too long", "critical") has values here; and a rule guarantees that the search ends
// (docs/design/cloud.md).
// C1  a plan's ranges are disjoint, increasing, and together all entries if it is complete.
// C2  equal seeds and equal calls give equal plans.    C3  after a check that read everything and found nothing new,
// all checks are complete until one finds something.
// Cost: O(blocks^2) per plan, blocks <= blocks_max. Threads: one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "store/visited_set.h"

namespace tideline {

// What a check reads: ranges of entries in the order of their discovery.
struct ReadPlan {
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool in_cloud = true;
  };
  std::vector<Range> ranges;
  bool complete = true;      // the ranges are all that there is
  bool calibrating = false;  // the cloud is not everything, and the check is to see how good it is
};

class DiskCloud {
 public:
  struct Parameters {
    std::uint64_t blocks_max = 100;           // N
    std::uint64_t block_entries_min = 10000;  // B
    std::uint64_t calibrate_every = 10;       // checks
    double speedup = 0.15;
    double slowdown = 0.15;
    double reset_probability = 0.1;  // P
    std::uint64_t seed = 1;
  };

  static constexpr double kInitialShare = 0.6;

  explicit DiskCloud(const Parameters& parameters);

  // The next check's, with `entries` on disk.
  ReadPlan plan(std::uint64_t entries);
  // What that check found: keys deleted because of entries in the cloud and outside of it, and keys that are new.
  void learn(const ReadPlan& plan, std::uint64_t deleted_in_cloud, std::uint64_t deleted_not_in_cloud,
             std::uint64_t found_new);

  [[nodiscard]] double share() const { return share_; }  // of the blocks that are in the cloud
  // The piecewise-linear curve of the paper's figure 6 at `age` (0: the oldest block, 1: the newest), not normalised.
  static double weight(double age);
  // Draws `count` of `blocks` blocks: true for those.
  std::vector<bool> draw(std::size_t blocks, std::size_t count);

  void save(SavedSet& saved) const;
  Status load(const SavedSet& saved);

 private:
  void calibrate(double missed);
  double random();  // in [0, 1)

  Parameters parameters_;
  double share_ = kInitialShare;
  std::uint64_t random_state_;
  std::uint64_t checks_ = 0;
  std::uint64_t high_calibrations_ = 0;  // that found the share above the critical one, one after the other
  bool nothing_new_ = false;             // C3
};

}  // namespace tideline
