// SPDX-License-Identifier: MIT
#include "store/part_queue.h"

#include <algorithm>
#include <cstring>

#include "em/state_order.h"

namespace tideline {

PartQueue::PartQueue(std::uint64_t state_bits, unsigned threads, PageBuffer room, PageBuffer cache)
    : words_(std::max<std::uint64_t>(1, (state_bits + 63) / 64)),
      room_(std::move(room)),
      cache_(state_bits, threads == 1, std::move(cache)),
      capacity_(room_.size() / (words_ * sizeof(Word))) {}

bool PartQueue::append(const Word* states, std::size_t count) {
  std::size_t at = size_.load(std::memory_order_relaxed);
  do {
    if (capacity_ - at < count)
      return false;
  } while (!size_.compare_exchange_weak(at, at + count, std::memory_order_relaxed));
  if (count > 0)
    std::memcpy(room_.data() + at * words_ * sizeof(Word), states, count * words_ * sizeof(Word));
  return true;
}

std::vector<PartQueue::Group> PartQueue::groups(const PartTree& tree) {
  std::vector<Group> groups;
  tree.group(reinterpret_cast<Word*>(room_.data()), size(), words_,
             [&groups](PartNumber part, Word* states, std::size_t count) {
               groups.push_back({part, states, count});
             });
  return groups;
}

void PartQueue::sort(Group& group) const {
  group.count = sort_unique_states(group.states, group.count, words_);
}

void PartQueue::keep(const std::vector<Group>& groups) {
  std::vector<Group> in_order = groups;
  std::sort(in_order.begin(), in_order.end(), [](const Group& a, const Group& b) { return a.states < b.states; });
  auto* to = reinterpret_cast<Word*>(room_.data());
  for (const Group& group : in_order) {
    std::memmove(to, group.states, group.count * words_ * sizeof(Word));
    to += group.count * words_;
  }
  size_.store(static_cast<std::size_t>(to - reinterpret_cast<Word*>(room_.data())) / words_, std::memory_order_relaxed);
}

}  // namespace tideline
