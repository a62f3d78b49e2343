// SPDX-License-Identifier: MIT
// The nodes of an automaton (state_automaton.h), packed into bytes, and the table that finds a node again while the
// automaton is made.
//
// A node is read downwards from its address: a byte with the number of edges and the kind of targets, the labels in
// increasing order, then the targets, as distances to their addresses. A node is put behind its targets. Often it is
// put directly behind its last one; then this one is not written: it is where the node ends. A chain of nodes with one
// edge takes two bytes each in that way.
//
// N1  a node lies in one chunk of 64 KiB; an address is its position in all chunks, which are never moved.
// Memory: from the memory of runs. Threads: read by all at once when it is finished.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "em/run_memory.h"

namespace tideline {

using NodeAddress = std::uint32_t;

// The first byte of a node.
inline constexpr unsigned kTargetBytesMask = 3;  // 0: none, of the last level; or one less
inline constexpr unsigned kAdjacent = 4;         // the last target is not written
inline constexpr unsigned kEdgesShift = 3;       // 0 edges: one less is in the next byte
inline constexpr std::uint8_t kChainHead = 1U << kEdgesShift | kAdjacent | 1U;  // one edge, to the node below
inline constexpr std::uint32_t kChainBytes = 2;

// A node that is being collected. A node of the last level has no targets (0).
struct OpenNode {
  static constexpr std::size_t kEdgesMax = 256;
  std::uint32_t edges = 0;
  bool last_level = false;
  std::array<std::uint8_t, kEdgesMax> labels;
  std::array<NodeAddress, kEdgesMax> targets;

  void begin(std::uint8_t label) {
    edges = 0;
    add(label);
  }
  void add(std::uint8_t label) {
    labels[edges] = label;
    targets[edges++] = 0;
  }
};

// A node, decoded.
struct AutomatonNode {
  std::uint32_t edges = 0;
  std::uint32_t target_bytes = 0;  // 0: of the last level
  bool adjacent = false;           // the last target is not written
  NodeAddress address = 0;
  const std::uint8_t* labels = nullptr;  // downwards

  [[nodiscard]] std::uint8_t label(std::uint32_t edge) const { return *(labels - edge); }
  // The edge with this label; `edges` if there is none.
  [[nodiscard]] std::uint32_t find(std::uint8_t label) const {
    if (edges == 1)
      return *labels == label ? 0 : 1;
    const void* found = std::memchr(labels - (edges - 1), label, edges);
    return found == nullptr ? edges : static_cast<std::uint32_t>(labels - static_cast<const std::uint8_t*>(found));
  }
  [[nodiscard]] NodeAddress target(std::uint32_t edge) const;
};

class AutomatonNodes {
 public:
  explicit AutomatonNodes(RunMemory& memory) : memory_(memory) {}
  ~AutomatonNodes();
  AutomatonNodes(const AutomatonNodes&) = delete;
  AutomatonNodes& operator=(const AutomatonNodes&) = delete;

  // Of the chunks, and of the nodes in them.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t node_bytes() const { return end_; }
  // 0 if there is no memory for it.
  [[nodiscard]] NodeAddress append(const OpenNode& node);
  // A node with one edge directly behind its target; 0 if it would not be there.
  [[nodiscard]] NodeAddress append_chain(NodeAddress target, std::uint8_t label);
  // The node with one edge that is written directly behind its target, if there is one with this label; 0 if not.
  // Whatever the bytes behind the target are meant to be: if they read like that node, they are that node.
  [[nodiscard]] NodeAddress chain_above(NodeAddress target, std::uint8_t label) const;
  [[nodiscard]] AutomatonNode at(NodeAddress address) const;
  // The node's first byte; the others are below it.
  [[nodiscard]] const std::uint8_t* head_of(NodeAddress address) const {
    return chunks_[address >> kChunkBits].data() + (address & (kChunkBytes - 1));
  }
  [[nodiscard]] bool equal(NodeAddress address, const OpenNode& node) const;
  // After the last append(): gives back what was not used.
  void finish();

 private:
  static constexpr unsigned kChunkBits = 16;
  static constexpr std::size_t kChunkBytes = std::size_t{1} << kChunkBits;
  [[nodiscard]] bool make_room(std::size_t bytes);

  RunMemory& memory_;
  std::vector<PageBuffer> chunks_;
  std::uint64_t end_ = 1;    // position behind the last node; 0 is nobody's address
  std::uint64_t bytes_ = 0;  // of the chunks
  bool finished_ = false;
};

// Finds equal nodes among those that were entered. It doubles as long as there is memory, and forgets then. Nodes of a
// chain, which are most where states are long, are found by their targets (chain_above()) and are not entered.
class NodeRegister {
 public:
  NodeRegister(RunMemory& memory, const AutomatonNodes& nodes) : memory_(memory), nodes_(nodes) {}
  ~NodeRegister();
  NodeRegister(const NodeRegister&) = delete;
  NodeRegister& operator=(const NodeRegister&) = delete;

  [[nodiscard]] std::uint64_t bytes() const { return buckets_.size(); }
  // The address of a node equal to this one; 0 if none is known.
  [[nodiscard]] NodeAddress find(const OpenNode& node) const;
  void enter(NodeAddress address, const OpenNode& node);

 private:
  static constexpr std::uint32_t kSlots = 12;
  // A cache line.
  struct alignas(64) Bucket {
    std::uint8_t tags[kSlots];  // a part of the hash that is not 0; 0: empty
    std::uint32_t next;         // slot to be used anew when all are full
    NodeAddress addresses[kSlots];
  };
  void grow();
  void release(std::uint64_t bytes) {
    memory_.note_finished(bytes);
    memory_.release(bytes);
  }
  void put(NodeAddress address, std::uint64_t hash);
  [[nodiscard]] Bucket& bucket(std::uint64_t hash) const {
    return reinterpret_cast<Bucket*>(buckets_.data())[hash >> shift_];
  }
  static std::uint8_t tag(std::uint64_t hash) { return static_cast<std::uint8_t>(hash % 255 + 1); }

  RunMemory& memory_;
  const AutomatonNodes& nodes_;
  PageBuffer buckets_;
  unsigned shift_ = 64;
  std::uint64_t entered_ = 0;
  bool refused_ = false;
};

inline AutomatonNode AutomatonNodes::at(NodeAddress address) const {
  const std::uint8_t* first = head_of(address);
  const std::uint8_t head = *first;
  AutomatonNode node;
  node.address = address;
  node.adjacent = (head & kAdjacent) != 0;
  node.target_bytes = (head & kTargetBytesMask) == 0 ? 0 : (head & kTargetBytesMask) + 1;
  node.edges = head >> kEdgesShift;
  node.labels = first - 1;
  if (node.edges == 0) {
    node.edges = *(first - 1) + 1U;
    node.labels = first - 2;
  }
  return node;
}

inline NodeAddress AutomatonNode::target(std::uint32_t edge) const {
  const std::uint8_t* above = labels - edges + 1;  // the byte above the first target
  if (adjacent && edge + 1 == edges) {
    const std::uint32_t head = edges > 31 ? 2 : 1;
    return address - (head + edges + (edges - 1) * target_bytes);
  }
  // A target's lowest byte is the lowest in memory. Above it there are at least two more, of the node itself.
  std::uint32_t distance = 0;
  std::memcpy(&distance, above - (edge + 1) * target_bytes, sizeof distance);
  return address - (distance & (~std::uint32_t{0} >> (32 - 8 * target_bytes)));
}

}  // namespace tideline
