// SPDX-License-Identifier: MIT
#include "progress/sample.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <unordered_set>
#include <utility>

#include "search/simulate.h"
#include "search/state_slots.h"
#include "store/state_hash.h"

namespace tideline::progress {
namespace {

// Bytes per sampled state: of each cell, and of everything else. Measured as peaks of whole runs.
constexpr std::uint64_t kCellBytes = 8;
constexpr std::uint64_t kStateBytes = 160;
constexpr std::size_t kCellsMax = 4096;
// Part of the budget that finding a measure may take.
constexpr std::uint64_t kMemoryPart = 3;

// Of the bundles of walks; each has an equal share of the expansions.
constexpr std::array<std::size_t, 4> kBundleWidths = {2000, 250, 30, 4};

class Sampler {
 public:
  Sampler(const ir::Program& program, EngineSource& engines, const SampleOptions& options)
      : program_(program),
        engines_(engines),
        options_(options),
        model_(engines.current().make()),
        words_(program.state_words()),
        random_(options.seed),
        out_(words_),
        known_(0, Hash{this}, Equal{this}) {
    sample_.words = words_;
    sample_.states.assign(1, 0);
    sample_.first_edge.push_back(0);
  }

  Sample run() {
    std::vector<StateIndex> layer = initial();
    while (!layer.empty() && !is_full(options_.limits.prefix_states))
      layer = expand_layer(layer, options_.limits.prefix_states);
    sample_.prefix = sample_.expanded.size();
    sample_.complete = layer.empty() && !sample_.interrupted;
    is_walking_ = true;
    if (!sample_.complete)
      walk();
    return std::move(sample_);
  }

 private:
  struct Hash {
    const Sampler* sampler;
    std::size_t operator()(StateIndex i) const { return hash_state(sampler->sample_.state(i), sampler->words_); }
  };
  struct Equal {
    const Sampler* sampler;
    bool operator()(StateIndex a, StateIndex b) const {
      return std::memcmp(sampler->sample_.state(a), sampler->sample_.state(b), sampler->words_ * sizeof(Word)) == 0;
    }
  };

  [[nodiscard]] bool is_full(std::uint64_t expansions) const {
    const std::uint64_t parts = is_walking_ ? 1 : 2;
    return sample_.interrupted || sample_.expanded.size() >= expansions ||
           sample_.targets.size() >= options_.limits.edges / parts || sample_.size() >= options_.limits.states / parts;
  }

  std::vector<StateIndex> initial() {
    model_->initial(out_);
    if (options_.symmetry != SymmetryMode::kOff && !options_.scalarsets.empty() && out_.size() > 0)
      representative_ = symmetry::Reduction(program_, options_.symmetry, options_.scalarsets, out_.state(0)).make();
    std::vector<StateIndex> fresh;
    for (std::size_t i = 0; i < out_.size(); ++i)
      if (out_.proper(i))
        add(out_.raw()->states + i * words_, fresh);
    sample_.starts = fresh.size();
    return fresh;
  }

  // The state's number; `fresh` grows by it if it is new.
  StateIndex add(Word* state, std::vector<StateIndex>& fresh) {
    if (representative_ != nullptr)
      representative_->canonicalise(state);
    const auto index = static_cast<StateIndex>(sample_.size());
    sample_.states.insert(sample_.states.end() - 1, state, state + words_);
    const auto [found, is_new] = known_.insert(index);
    if (is_new)
      fresh.push_back(index);
    else
      sample_.states.resize(sample_.states.size() - words_);
    return *found;
  }

  void expand(StateIndex source, std::vector<StateIndex>& fresh) {
    out_.clear();
    model_->expand(sample_.state(source), out_);
    for (std::size_t i = 0; i < out_.size(); ++i)
      if (out_.proper(i)) {
        const StateIndex target = add(out_.raw()->states + i * words_, fresh);
        if (target != source)
          sample_.targets.push_back(target);
      }
    sample_.expanded.push_back(source);
    is_expanded_.resize(std::max<std::size_t>(is_expanded_.size(), source + 1), false);
    is_expanded_[source] = true;
    sample_.first_edge.push_back(sample_.targets.size());
  }

  // Expands the states of a layer, as far as the limit allows. The new ones, and those that were not expanded.
  std::vector<StateIndex> expand_layer(const std::vector<StateIndex>& layer, std::uint64_t limit) {
    tick();
    std::vector<StateIndex> fresh;
    std::size_t next = 0;
    while (next < layer.size() && !is_full(limit))
      expand(layer[next++], fresh);
    fresh.insert(fresh.end(), layer.begin() + static_cast<std::ptrdiff_t>(next), layer.end());
    return fresh;
  }

  void tick() {
    if (Engine* engine = engines_.poll(); engine != nullptr)
      model_ = engine->make();
    sample_.interrupted = options_.interrupted != nullptr && options_.interrupted->load();
  }

  void walk() {
    for (std::size_t i = 0; i < kBundleWidths.size() && !sample_.complete; ++i) {
      const std::uint64_t limit = sample_.prefix + options_.limits.walk_states * (i + 1) / kBundleWidths.size();
      while (!sample_.complete && !is_full(limit))
        walk_bundle(kBundleWidths[i], limit);
    }
  }

  // From random states that were seen but not expanded, until nothing new is found or the limit is reached.
  void walk_bundle(std::size_t width, std::uint64_t limit) {
    std::vector<StateIndex> layer;
    for (StateIndex i = 0; i < sample_.size(); ++i)
      if (i >= is_expanded_.size() || !is_expanded_[i])
        layer.push_back(i);
    sample_.complete = layer.empty();
    while (!layer.empty() && !is_full(limit)) {
      choose(layer, width);
      layer = expand_layer(layer, limit);
    }
  }

  // A random part of the list, in random order.
  void choose(std::vector<StateIndex>& list, std::size_t count) {
    count = std::min(count, list.size());
    for (std::size_t i = 0; i < count; ++i)
      std::swap(list[i], list[i + random_.below(list.size() - i)]);
    list.resize(count);
  }

  const ir::Program& program_;
  EngineSource& engines_;
  const SampleOptions& options_;
  std::unique_ptr<NextState> model_;
  std::size_t words_;
  WalkRandom random_;
  Successors out_;
  std::unique_ptr<symmetry::Representative> representative_;
  Sample sample_;
  std::unordered_set<StateIndex, Hash, Equal> known_;
  bool is_walking_ = false;
  std::vector<bool> is_expanded_;  // false for states behind its end
};

}  // namespace

SampleLimits limits_for(const ir::Program& program, std::uint64_t memory_bytes) {
  const std::uint64_t cells = state_slots(program, kCellsMax).size();
  const std::uint64_t state_bytes = program.state_words() * sizeof(Word) + cells * kCellBytes + kStateBytes;
  SampleLimits limits;
  const std::uint64_t fit = std::max<std::uint64_t>(1, memory_bytes / kMemoryPart / state_bytes);
  if (fit >= limits.states)
    return limits;
  const double part = static_cast<double>(fit) / static_cast<double>(limits.states);
  const auto scale = [part](std::uint64_t& limit) {
    limit = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(limit) * part));
  };
  scale(limits.states);
  scale(limits.prefix_states);
  scale(limits.walk_states);
  scale(limits.edges);
  return limits;
}

Sample take_sample(const ir::Program& program, EngineSource& engines, const SampleOptions& options) {
  return Sampler(program, engines, options).run();
}

}  // namespace tideline::progress
