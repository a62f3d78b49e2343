// SPDX-License-Identifier: MIT
#include "store/spilling_set.h"

#include <algorithm>

namespace tideline {
namespace {

// Part of the memory that is kept for the change: for the pieces that are handed over.
constexpr std::uint64_t kReservePart = 12;
// It is given back when the RAM set would free so many times as much before it hands over.
constexpr std::uint64_t kReserves = 2;

}  // namespace

SpillingSet::SpillingSet(std::unique_ptr<VisitedSet> ram, std::unique_ptr<CollapsedRunSet> disk, SpillOptions options,
                         MemoryBudget& budget)
    : ram_(std::move(ram)),
      disk_(std::move(disk)),
      options_(std::move(options)),
      reserve_(PageBuffer::allocate(budget.available() / kReservePart, budget)),
      gate_(options_.threads, [](std::uint64_t) {}) {}

VisitedSet& SpillingSet::active() const {
  return on_disk() ? static_cast<VisitedSet&>(*disk_) : *ram_;
}

bool SpillingSet::insert(unsigned thread, const Word* states, std::size_t count, std::vector<std::uint32_t>& fresh) {
  gate_.enter(thread);
  const bool is_full = !on_disk() && options_.ram_states_max != 0 && ram_->size() >= options_.ram_states_max;
  bool done = !is_full && active().insert(thread, states, count, fresh);
  if (!done && !on_disk()) {
    // What the RAM set took of the batch before memory ended comes to the disk set twice, which finds it again.
    gate_.change(thread, [this] {
      if (!on_disk() && trouble_.is_ok())
        move_to_disk();
      return 0;
    });
    done = on_disk() && disk_->insert(thread, states, count, fresh);
  }
  gate_.leave(thread);
  return done;
}

void SpillingSet::move_to_disk() {
  if (options_.say)
    options_.say("the memory budget is reached: the search goes on with the visited states on disk");
  reserve_.reset();
  const Status status = ram_->hand_over(
      [this](Known what, Word* states, std::size_t count) { return disk_->adopt(what, states, count); });
  const std::lock_guard lock(change_mutex_);
  trouble_ = status;
  if (!status.is_ok())
    return;
  ram_peak_states_ = ram_->peak_states();
  ram_.reset();
  trouble_ = disk_->begin();
  on_disk_.store(trouble_.is_ok(), std::memory_order_release);
}

std::uint64_t SpillingSet::next_layer() {
  if (!trouble_.is_ok())
    return 0;
  if (!on_disk() && ram_->freed_first() >= kReserves * reserve_.size())
    reserve_.reset();
  return active().next_layer();
}

std::size_t SpillingSet::take(unsigned thread, std::size_t most, Word* out) {
  gate_.enter(thread);
  const std::size_t taken = trouble_.is_ok() ? active().take(thread, most, out) : 0;
  gate_.leave(thread);
  return taken;
}

bool SpillingSet::help(unsigned thread) {
  gate_.enter(thread);
  const bool helped = trouble_.is_ok() && active().help(thread);
  gate_.leave(thread);
  return helped;
}

Status SpillingSet::trouble() const {
  const std::lock_guard lock(change_mutex_);
  return !trouble_.is_ok() || !on_disk() ? trouble_ : disk_->trouble();
}

std::uint64_t SpillingSet::size() const {
  const std::lock_guard lock(change_mutex_);
  return ram_ ? ram_->size() : disk_->size();
}

std::uint64_t SpillingSet::peak_states() const {
  const std::lock_guard lock(change_mutex_);
  return ram_ ? ram_->peak_states() : std::max(ram_peak_states_, disk_->peak_states());
}

std::uint64_t SpillingSet::bytes() const {
  const std::lock_guard lock(change_mutex_);
  return ram_ ? ram_->bytes() : disk_->bytes();
}

}  // namespace tideline
