// SPDX-License-Identifier: MIT
#include "store/disk_cloud.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "store/state_hash.h"

namespace tideline {
namespace {

// The curve of figure 6: points (a, b) between which it is linear. b0 is only said to be above 0.
struct Point {
  double age;
  double weight;
};
constexpr Point kCurve[] = {{0.0, 0.1}, {0.4, 0.4}, {0.7, 0.6}, {1.0, 1.0}};

// The share of deleted keys that the cloud misses is "close to" 1 and 0 beyond these.
constexpr double kMissedHigh = 0.1;
constexpr double kMissedLow = 0.02;
// The access rate has been "too long above a critical limit": this many calibrations, this share of the blocks.
constexpr double kCriticalShare = 0.8;
constexpr std::uint64_t kTooLong = 3;

}  // namespace

DiskCloud::DiskCloud(const Parameters& parameters) : parameters_(parameters), random_state_(parameters.seed) {}

double DiskCloud::weight(double age) {
  const Point* right = kCurve + 1;
  while (right->age < age && right != std::end(kCurve) - 1)
    ++right;
  const Point* left = right - 1;
  return left->weight + (right->weight - left->weight) * (age - left->age) / (right->age - left->age);
}

// splitmix64 [steele.14.oopsla]: a counter and a finisher, so its state is one word.
double DiskCloud::random() {
  random_state_ += 0x9e3779b97f4a7c15U;
  return std::ldexp(static_cast<double>(hash_word(random_state_) >> 11), -53);
}

// One after the other, without putting back: each draw by the weights of those that are left.
std::vector<bool> DiskCloud::draw(std::size_t blocks, std::size_t count) {
  std::vector<double> weights(blocks);
  double left = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    weights[i] = weight(blocks == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(blocks - 1));
    left += weights[i];
  }
  std::vector<bool> chosen(blocks, count >= blocks);
  for (std::size_t k = 0; k < count && count < blocks; ++k) {
    double at = random() * left;
    std::size_t last = blocks;  // the last one that is left, should rounding lead beyond it
    for (std::size_t i = 0; i < blocks && at >= 0; ++i) {
      if (chosen[i])
        continue;
      last = i;
      at -= weights[i];
    }
    chosen[last] = true;
    left -= weights[last];
  }
  return chosen;
}

ReadPlan DiskCloud::plan(std::uint64_t entries) {
  ++checks_;
  ReadPlan plan;
  if (entries == 0)
    return plan;
  const std::uint64_t per_block =
      std::max(parameters_.block_entries_min, (entries + parameters_.blocks_max - 1) / parameters_.blocks_max);
  const std::uint64_t blocks = (entries + per_block - 1) / per_block;
  const auto wanted = static_cast<std::uint64_t>(std::llround(share_ * static_cast<double>(blocks)));
  const std::vector<bool> cloud = draw(blocks, std::clamp<std::uint64_t>(wanted, 1, blocks));
  plan.calibrating = checks_ % parameters_.calibrate_every == 0;
  const bool all = plan.calibrating || nothing_new_;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const ReadPlan::Range block{i * per_block, std::min(entries, (i + 1) * per_block), cloud[i]};
    if (!all && !cloud[i])
      plan.complete = false;
    else if (!plan.ranges.empty() && plan.ranges.back().end == block.begin &&
             plan.ranges.back().in_cloud == block.in_cloud)
      plan.ranges.back().end = block.end;
    else
      plan.ranges.push_back(block);
  }
  return plan;
}

void DiskCloud::learn(const ReadPlan& plan, std::uint64_t deleted_in_cloud, std::uint64_t deleted_not_in_cloud,
                      std::uint64_t found_new) {
  if (plan.complete)
    nothing_new_ = found_new == 0;
  if (!plan.calibrating)
    return;
  const bool left_out =
      std::any_of(plan.ranges.begin(), plan.ranges.end(), [](const ReadPlan::Range& range) { return !range.in_cloud; });
  const std::uint64_t deleted = deleted_in_cloud + deleted_not_in_cloud;
  if (left_out && deleted > 0)
    calibrate(static_cast<double>(deleted_not_in_cloud) / static_cast<double>(deleted));
  high_calibrations_ = share_ > kCriticalShare ? high_calibrations_ + 1 : 0;
  if (high_calibrations_ >= kTooLong && random() < parameters_.reset_probability) {
    share_ = kInitialShare;
    high_calibrations_ = 0;
  }
}

// `missed`: of the keys that were on disk, the share that the cloud did not have.
void DiskCloud::calibrate(double missed) {
  const double least = 1.0 / static_cast<double>(parameters_.blocks_max);
  if (missed >= kMissedHigh)
    share_ = std::min(1.0, share_ * (1 + parameters_.speedup));
  else if (missed <= kMissedLow)
    share_ = std::max(least, share_ * (1 - parameters_.slowdown));
}

void DiskCloud::save(SavedSet& saved) const {
  saved.numbers["cloud.share"] = std::bit_cast<std::uint64_t>(share_);
  saved.numbers["cloud.random"] = random_state_;
  saved.numbers["cloud.checks"] = checks_;
  saved.numbers["cloud.high"] = high_calibrations_;
  saved.numbers["cloud.nothing_new"] = nothing_new_ ? 1 : 0;
}

Status DiskCloud::load(const SavedSet& saved) {
  const auto number = [&saved](const char* name) {
    const auto found = saved.numbers.find(name);
    return found == saved.numbers.end() ? 0 : found->second;
  };
  const auto share = std::bit_cast<double>(number("cloud.share"));
  if (!(share > 0 && share <= 1))
    return Status::error("the manifest has no size of the disk cloud");
  share_ = share;
  random_state_ = number("cloud.random");
  checks_ = number("cloud.checks");
  high_calibrations_ = number("cloud.high");
  nothing_new_ = number("cloud.nothing_new") != 0;
  return Status::ok();
}

}  // namespace tideline
