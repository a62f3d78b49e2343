// SPDX-License-Identifier: MIT
#include "em/automaton_nodes.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint32_t kEdgesInHead = 31;
constexpr std::size_t kFirstRegisterBytes = 4096;
// The nodes must have so many times the bytes of the register for it to be doubled: a smaller one forgets few that
// matter, since the nodes that are found again are mostly young.
constexpr std::uint64_t kNodesPerRegister = 4;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32U);
}

template <typename Target>
std::uint64_t hash_edges(std::uint32_t edges, const auto& label, const Target& target) {
  std::uint64_t hash = edges;
  for (std::uint32_t i = 0; i < edges; ++i)
    hash = mix(hash, label(i) | std::uint64_t{target(i)} << 8U);
  return mix(hash, edges);
}

std::uint64_t hash_of(const AutomatonNode& node) {
  return hash_edges(
      node.edges, [&node](std::uint32_t i) { return node.label(i); },
      [&node](std::uint32_t i) { return node.target_bytes == 0 ? NodeAddress{0} : node.target(i); });
}

std::uint64_t hash_of(const OpenNode& node) {
  return hash_edges(
      node.edges, [&node](std::uint32_t i) { return node.labels[i]; },
      [&node](std::uint32_t i) { return node.targets[i]; });
}

// How a node is written.
struct NodeShape {
  bool adjacent = false;
  std::uint32_t target_bytes = 0;
  std::size_t bytes = 0;
};

NodeShape shape_of(const OpenNode& node, std::uint64_t end) {
  NodeShape shape;
  const std::size_t head = node.edges > kEdgesInHead ? 2 : 1;
  shape.bytes = head + node.edges;
  if (node.last_level)
    return shape;
  shape.adjacent = node.targets[node.edges - 1] + std::uint64_t{1} == end;
  const std::uint32_t written = node.edges - (shape.adjacent ? 1 : 0);
  const auto* least = std::min_element(node.targets.begin(), node.targets.begin() + written);
  const std::uint64_t distance = written == 0 ? 0 : end + shape.bytes + std::size_t{4} * written - *least;
  shape.target_bytes = distance < (1U << 16U) ? 2 : distance < (1U << 24U) ? 3 : 4;
  shape.bytes += std::size_t{written} * shape.target_bytes;
  return shape;
}

}  // namespace

AutomatonNodes::~AutomatonNodes() {
  if (!finished_)
    memory_.note_finished(bytes_);
  memory_.release(bytes_);
}

bool AutomatonNodes::make_room(std::size_t bytes) {
  const std::uint64_t there = chunks_.size() * kChunkBytes;
  if (end_ + bytes <= there)
    return true;
  if (there + kChunkBytes > ~NodeAddress{0})
    return false;
  PageBuffer chunk = memory_.allocate_for_automaton(kChunkBytes);
  if (chunk.data() == nullptr)
    return false;
  bytes_ += chunk.size();
  chunks_.push_back(std::move(chunk));
  if (there > 0)
    end_ = there;
  return true;
}

NodeAddress AutomatonNodes::append_chain(NodeAddress target, std::uint8_t label) {
  const std::uint64_t in_chunk = end_ & (kChunkBytes - 1);
  if (target + std::uint64_t{1} != end_ || in_chunk == 0 || in_chunk + kChainBytes > kChunkBytes)
    return 0;
  std::uint8_t* at = chunks_[end_ >> kChunkBits].data() + in_chunk;
  at[0] = label;
  at[1] = kChainHead;
  end_ += kChainBytes;
  return static_cast<NodeAddress>(end_ - 1);
}

NodeAddress AutomatonNodes::append(const OpenNode& node) {
  NodeShape shape = shape_of(node, end_);
  if (!make_room(shape.bytes))
    return 0;
  shape = shape_of(node, end_);  // it may have moved to a new chunk
  const std::uint64_t address = end_ + shape.bytes - 1;
  CHECK(end_ >> kChunkBits == address >> kChunkBits);  // N1
  std::uint8_t* at = chunks_[end_ >> kChunkBits].data() + (address & (kChunkBytes - 1));
  const bool in_head = node.edges <= kEdgesInHead;
  *at-- = static_cast<std::uint8_t>((in_head ? node.edges << kEdgesShift : 0) | (shape.adjacent ? kAdjacent : 0) |
                                    (shape.target_bytes == 0 ? 0 : shape.target_bytes - 1));
  if (!in_head)
    *at-- = static_cast<std::uint8_t>(node.edges - 1);
  for (std::uint32_t i = 0; i < node.edges; ++i)
    *at-- = node.labels[i];
  for (std::uint32_t i = 0; shape.target_bytes > 0 && i + (shape.adjacent ? 1 : 0) < node.edges; ++i) {
    at -= shape.target_bytes;
    const auto distance = static_cast<std::uint32_t>(address - node.targets[i]);
    std::memcpy(at + 1, &distance, shape.target_bytes);
  }
  end_ = address + 1;
  return static_cast<NodeAddress>(address);
}

NodeAddress AutomatonNodes::chain_above(NodeAddress target, std::uint8_t label) const {
  const std::uint64_t address = std::uint64_t{target} + kChainBytes;
  const std::uint64_t in_chunk = address & (kChunkBytes - 1);
  if (address >= end_ || in_chunk == 0)
    return 0;
  const std::uint8_t* head = chunks_[address >> kChunkBits].data() + in_chunk;
  return *head == kChainHead && *(head - 1) == label ? static_cast<NodeAddress>(address) : 0;
}

bool AutomatonNodes::equal(NodeAddress address, const OpenNode& node) const {
  const AutomatonNode other = at(address);
  if (other.edges != node.edges || (other.target_bytes == 0) != node.last_level)
    return false;
  for (std::uint32_t i = 0; i < node.edges; ++i)
    if (other.label(i) != node.labels[i] || (!node.last_level && other.target(i) != node.targets[i]))
      return false;
  return true;
}

void AutomatonNodes::finish() {
  finished_ = true;
  memory_.note_finished(bytes_);
  PageBuffer& last = chunks_.back();
  const std::size_t before = last.size();
  last.shrink(end_ - (chunks_.size() - 1) * kChunkBytes);
  memory_.release(before - last.size());
  bytes_ -= before - last.size();
}

NodeRegister::~NodeRegister() {
  release(buckets_.size());
}

NodeAddress NodeRegister::find(const OpenNode& node) const {
  if (buckets_.data() == nullptr)
    return 0;
  const std::uint64_t hash = hash_of(node);
  const Bucket& in = bucket(hash);
  for (std::size_t i = 0; i < kSlots; ++i)
    if (in.tags[i] == tag(hash) && nodes_.equal(in.addresses[i], node))
      return in.addresses[i];
  return 0;
}

void NodeRegister::enter(NodeAddress address, const OpenNode& node) {
  const bool full = entered_ * 5 >= buckets_.size() / sizeof(Bucket) * kSlots * 4;
  if (full && !refused_ && buckets_.size() * kNodesPerRegister < nodes_.node_bytes() + kFirstRegisterBytes)
    grow();
  if (buckets_.data() != nullptr)
    put(address, hash_of(node));
}

void NodeRegister::put(NodeAddress address, std::uint64_t hash) {
  Bucket& in = bucket(hash);
  std::uint32_t slot = 0;
  while (slot < kSlots && in.tags[slot] != 0)
    ++slot;
  if (slot == kSlots) {
    slot = in.next;
    in.next = (in.next + 1) % kSlots;
  }
  in.tags[slot] = tag(hash);
  in.addresses[slot] = address;
  ++entered_;
}

void NodeRegister::grow() {
  const bool first = buckets_.data() == nullptr;
  const std::size_t bytes = first ? kFirstRegisterBytes : 2 * buckets_.size();
  PageBuffer larger = memory_.allocate_for_automaton(bytes);
  refused_ = larger.data() == nullptr;
  if (refused_)
    return;
  const PageBuffer old = std::move(buckets_);
  buckets_ = std::move(larger);
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(bytes / sizeof(Bucket)));
  entered_ = 0;
  for (std::size_t i = 0; i < old.size() / sizeof(Bucket); ++i) {
    const Bucket& in = reinterpret_cast<const Bucket*>(old.data())[i];
    for (std::size_t slot = 0; slot < kSlots; ++slot)
      if (in.tags[slot] != 0)
        put(in.addresses[slot], hash_of(nodes_.at(in.addresses[slot])));
  }
  release(old.size());
}

}  // namespace tideline
