// SPDX-License-Identifier: MIT
#include "symmetry/relations.h"

#include <algorithm>

#include "base/check.h"
#include "symmetry/mixing.h"

namespace tideline::symmetry {

namespace {

std::uint64_t reference_salt(std::uint64_t salt, std::size_t reference) {
  return salt + (reference + 1) * kOddC;
}

// Ordered fold: another piece of data about the same thing.
inline std::uint64_t fold(std::uint64_t hash, std::uint64_t data) {
  return (hash ^ data) * kOddA;
}

}  // namespace

Relations::Plan Relations::plan_of(const Chunk& chunk, std::uint64_t number) {
  Plan plan;
  plan.chunk = &chunk;
  plan.bit = chunk.bit;
  plan.mask = chunk.width == 0 ? 0 : ~std::uint64_t{0} >> (64 - chunk.width);
  plan.salt = mix(number + 1, kOddC);
  plan.has_usual = std::all_of(chunk.references.begin(), chunk.references.end(), [&chunk](const Reference& reference) {
    return (*reference.elements)[(chunk.usual >> reference.shift) & reference.mask] == kNoElement;
  });
  if (!chunk.dimensions.empty())
    plan.first = chunk.dimensions[0];
  if (chunk.dimensions.size() > 1)
    plan.second = chunk.dimensions[1];
  for (std::size_t r = 0; r < chunk.references.size(); ++r) {
    const Reference& reference = chunk.references[r];
    const std::uint64_t base = reference_salt(plan.salt, r);
    plan.names.push_back({.shift = reference.shift,
                          .mask = reference.mask,
                          .elements = reference.elements->data(),
                          .base = base,
                          .plain = {~std::uint64_t{0}, ~(reference.mask << reference.shift)},
                          .sums = {0, mix(base, kOddC), mix(base, kOddA)}});
  }
  return plan;
}

Relations::Relations(const Layout& layout) : layout_(layout), elements_(layout.elements()) {
  std::uint64_t number = 0;
  for (const Chunk& chunk : layout.chunks()) {
    const std::size_t dimensions = chunk.dimensions.size();
    const bool plain = chunk.references.empty();
    std::vector<Plan>& plans = dimensions == 0            ? fixed_
                               : dimensions == 1 && plain ? vectors_
                               : dimensions == 1          ? vector_references_
                               : dimensions == 2 && plain ? matrices_
                                                          : general_;
    plans.push_back(plan_of(chunk, number++));
  }
  for (const MultisetSite& site : layout.multisets()) {
    slots_.emplace_back();
    for (const Chunk& chunk : site.chunks)
      slots_.back().push_back(plan_of(chunk, number++));
  }
  for (const Scalarset& scalarset : layout.scalarsets())
    initial_.insert(initial_.end(), scalarset.count, mix(scalarset.first, kOddC));
  choose_ranked();
  facts_.resize(elements_);
  std::size_t edges = 1;  // one is written before it is known to be none
  for (const Plan& plan : vector_references_)
    edges += plan.first.count * plan.names.size();
  edges_.resize(edges);
}

// As many chunks of each scalarset as fit into a word.
void Relations::choose_ranked() {
  std::vector<unsigned> used(elements_, 0);  // bits, at the first element of a scalarset
  for (std::vector<Plan>* plans : {&vectors_, &vector_references_})
    for (Plan& plan : *plans) {
      unsigned& bits = used[plan.first.first];
      const bool is_ranked = bits + plan.chunk->width <= 64;
      plan.rank_width = is_ranked ? plan.chunk->width : 0;
      plan.rank_mask = is_ranked ? ~std::uint64_t{0} : 0;
      bits += plan.chunk->width;
    }
}

void Relations::collect(const Word* state) {
  for (std::size_t e = 0; e < elements_; ++e)
    facts_[e] = {.ordered = initial_[e]};
  colours_.resize(elements_);
  edge_count_ = 0;
  tuples_.clear();
  members_.clear();
  for (const Plan& plan : vectors_)
    collect_vector(plan, state);
  for (const Plan& plan : vector_references_) {
    if (plan.names.size() == 1)
      collect_vector_references<false>(plan, state);
    else
      collect_vector_references<true>(plan, state);
  }
  for (std::size_t e = 0; e < edge_count_; ++e)
    facts_[edges_[e].from].linked = facts_[edges_[e].to].linked = 1;
  for (const Plan& plan : fixed_)
    collect_fixed(plan, state);
  for (const Plan& plan : matrices_)
    collect_matrix(plan, state);
  for (const Plan& plan : general_)
    collect_general(plan, state);
  for (std::size_t site = 0; site < slots_.size(); ++site)
    collect_multiset(site, state);
  for (std::size_t e = 0; e < elements_; ++e)
    colours_[e] = mix(facts_[e].ordered + facts_[e].linked, facts_[e].sum);
}

inline void Relations::add_plain(const Plan& plan, std::uint64_t plain, Facts& facts) {
  facts.ordered = fold(facts.ordered, plain);
  facts.rank = facts.rank << plan.rank_width | (plain & plan.rank_mask);
}

inline void Relations::add_edge(std::uint64_t base, Element from, Element to) {
  if (edge_count_ == edges_.size())
    edges_.resize(2 * edge_count_ + 1);
  edges_[edge_count_++] = {base, from, to};
}

void Relations::collect_vector(const Plan& plan, const Word* state) {
  Facts* facts = facts_.data() + plan.first.first;
  std::uint64_t bit = plan.bit;
  for (Element k = 0; k < plan.first.count; ++k, bit += plan.first.stride)
    add_plain(plan, peek(state, bit, plan.mask), facts[k]);
}

// One reference says something in every other state, or what it says changes: no branch asks. Of several, most usually
// name nothing.
template <bool kSeveral>
void Relations::collect_vector_references(const Plan& plan, const Word* state) {
  Facts* const facts = facts_.data();
  Edge* edge = edges_.data() + edge_count_;
  std::uint64_t bit = plan.bit;
  const Dimension dimension = plan.first;
  const Name first = plan.names.front();
  for (std::uint32_t element = dimension.first; element != std::uint32_t{dimension.first} + dimension.count;
       ++element, bit += dimension.stride) {
    const std::uint64_t value = peek(state, bit, plan.mask);
    std::uint64_t plain = value;
    std::uint64_t sum = 0;
    const auto say = [&](const Name& name, std::uint32_t named) {
      const bool is_named = named != kNoElement;
      const bool is_other = is_named & (named != element);  // which one it is is for refinement to say
      const std::uint32_t to = is_other ? named : element;
      plain &= name.plain[is_named];
      sum += name.sums[is_named + is_other];
      *edge = {name.base, static_cast<Element>(element), static_cast<Element>(to)};
      edge += is_other;
    };
    if constexpr (kSeveral) {
      for (const Name& name : plan.names)
        if (const Element named = name.elements[(value >> name.shift) & name.mask]; named != kNoElement)
          say(name, named);
    } else {
      say(first, first.elements[(value >> first.shift) & first.mask]);
    }
    facts[element].sum += sum;
    add_plain(plan, plain, facts[element]);
  }
  edge_count_ = static_cast<std::size_t>(edge - edges_.data());
}

void Relations::collect_fixed(const Plan& plan, const Word* state) {
  const std::uint64_t value = peek(state, plan.bit, plan.mask);
  for (std::size_t r = 0; r < plan.chunk->references.size(); ++r) {
    const Reference& reference = plan.chunk->references[r];
    const Element named = (*reference.elements)[(value >> reference.shift) & reference.mask];
    if (named != kNoElement)
      facts_[named].sum += mix(reference_salt(plan.salt, r), kOddA);
  }
}

void Relations::collect_matrix(const Plan& plan, const Word* state) {
  for (Element i = 0; i < plan.first.count; ++i) {
    const auto row = static_cast<Element>(plan.first.first + i);
    std::uint64_t bit = plan.bit + i * plan.first.stride;
    for (Element k = 0; k < plan.second.count; ++k, bit += plan.second.stride) {
      const auto column = static_cast<Element>(plan.second.first + k);
      const std::uint64_t value = peek(state, bit, plan.mask);
      if (row == column) {
        facts_[row].ordered = fold(facts_[row].ordered, value);
      } else if (value != plan.chunk->usual) {
        facts_[row].linked = facts_[column].linked = 1;
        add_edge(mix(plan.salt, value), row, column);
      }
    }
  }
}

template <typename Visit>
void Relations::for_each_instance(const std::vector<Dimension>& dimensions, std::uint64_t bit, Visit&& visit) {
  const std::size_t outer = place_.size();
  for (const Dimension& dimension : dimensions)
    place_.push_back(dimension.first);
  for (;;) {
    visit(bit);
    std::size_t d = dimensions.size();
    for (; d > 0; --d) {
      const Dimension& dimension = dimensions[d - 1];
      Element& element = place_[outer + d - 1];
      bit += dimension.stride;
      if (++element < dimension.first + dimension.count)
        break;
      element = dimension.first;
      bit -= dimension.stride * dimension.count;
    }
    if (d == 0)
      break;
  }
  place_.resize(outer);
}

void Relations::collect_general(const Plan& plan, const Word* state) {
  place_.clear();
  for_each_instance(plan.chunk->dimensions, plan.bit, [&](std::uint64_t bit) {
    const std::uint64_t value = peek(state, bit, plan.mask);
    if (!plan.has_usual || value != plan.chunk->usual)
      collect_entry(plan, value);
  });
}

// The entry of a chunk at place_: its plain bits relate the place, each reference relates it and the element it names.
void Relations::collect_entry(const Plan& plan, std::uint64_t value) {
  std::uint64_t plain = value;
  for (std::size_t r = 0; r < plan.chunk->references.size(); ++r) {
    const Reference& reference = plan.chunk->references[r];
    const Element named = (*reference.elements)[(value >> reference.shift) & reference.mask];
    if (named == kNoElement)
      continue;
    plain &= ~(reference.mask << reference.shift);
    place_.push_back(named);
    relate(reference_salt(plan.salt, r));
    place_.pop_back();
  }
  relate(mix(plan.salt, plain));
}

void Relations::relate(std::uint64_t base) {
  if (place_.empty())
    return;
  const Element front = place_.front();
  if (std::all_of(place_.begin(), place_.end(), [front](Element e) { return e == front; })) {
    (front < elements_ ? facts_[front].sum : colours_[front]) += mix(base, place_.size());
    return;
  }
  for (const Element e : place_)
    if (e < elements_)
      facts_[e].linked = 1;
  if (place_.size() == 2) {
    add_edge(base, place_[0], place_[1]);
    return;
  }
  for (const Element e : place_)  // which places are equal
    base = fold(base, static_cast<std::uint64_t>(std::find(place_.begin(), place_.end(), e) - place_.begin()));
  tuples_.push_back(
      {mix(base, kOddC), static_cast<std::uint32_t>(members_.size()), static_cast<std::uint32_t>(place_.size())});
  members_.insert(members_.end(), place_.begin(), place_.end());
}

void Relations::collect_multiset(std::size_t site_number, const Word* state) {
  const MultisetSite& site = layout_.multisets()[site_number];
  place_.clear();
  for_each_instance(site.dimensions, site.bit, [&](std::uint64_t bit) {
    for (std::uint64_t slot = 0; slot < site.slots; ++slot, bit += site.stride) {
      if (peek(state, bit + site.stride - 1, 1) == 0)
        break;  // occupied slots come first
      if (site.has_dimensions)
        collect_slot_vertex(site_number, state, bit);
      else
        collect_slot(site_number, state, bit);
    }
  });
}

// One tuple: the place of the multiset and all elements that the slot names.
void Relations::collect_slot(std::size_t site, const Word* state, std::uint64_t slot_bit) {
  const std::size_t outer = place_.size();
  std::uint64_t base = 0;
  for (const Plan& plan : slots_[site]) {
    const std::uint64_t value = peek(state, slot_bit + plan.bit, plan.mask);
    std::uint64_t plain = value;
    base = mix(base, plan.salt);
    for (std::size_t r = 0; r < plan.chunk->references.size(); ++r) {
      const Reference& reference = plan.chunk->references[r];
      const Element named = (*reference.elements)[(value >> reference.shift) & reference.mask];
      if (named == kNoElement)
        continue;
      plain &= ~(reference.mask << reference.shift);
      base = fold(base, r + 1);
      place_.push_back(named);
    }
    base = mix(base, plain);
  }
  relate(base);
  place_.resize(outer);
}

// A vertex for the slot, related to the place of the multiset, to what it names, and to its own entries.
void Relations::collect_slot_vertex(std::size_t site, const Word* state, std::uint64_t slot_bit) {
  const std::vector<Element> outer = place_;
  CHECK(colours_.size() < kNoElement);
  const auto vertex = static_cast<Element>(colours_.size());
  colours_.push_back(mix(site, kOddA));
  place_.push_back(vertex);
  relate(mix(site, kOddC));
  place_.assign(1, vertex);
  for (const Plan& plan : slots_[site])
    for_each_instance(plan.chunk->dimensions, slot_bit + plan.bit,
                      [&](std::uint64_t bit) { collect_entry(plan, peek(state, bit, plan.mask)); });
  place_ = outer;
}

}  // namespace tideline::symmetry
