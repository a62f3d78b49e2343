// SPDX-License-Identifier: MIT
// Representatives of random states of many shapes: the same for all permutations of a state, inside the state's orbit,
// and agreeing with the exhaustive route on which states are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ir/bits.h"
#include "ir/multiset.h"
#include "murphi_support.h"
#include "symmetry/canonicaliser.h"
#include "symmetry/exhaustive.h"
#include "symmetry/scalarsets.h"

namespace tideline {
namespace {

using symmetry::Canonicaliser;
using symmetry::Element;
using symmetry::Exhaustive;
using symmetry::Layout;
using symmetry::Permuter;
using State = std::vector<Word>;

// Declarations only; states are made at random.
const char* const kShapes[] = {
    // vectors, names in fixed places, names in vectors
    "type p: scalarset(4); var a: array[p] of 0..2; b: array[p] of p; c: array[0..2] of p; d: 0..5;",
    // several scalarsets, unions with an enumeration, a gap-free and a nested union index
    "type p: scalarset(3); q: scalarset(2); e: enum{x, y}; u: union{p, e, q};"
    "var a: array[u] of boolean; b: array[q] of u; c: u;",
    // matrices, plain and naming
    "type p: scalarset(3); q: scalarset(2); var m: array[p] of array[p] of boolean; n: array[p] of array[q] of p;",
    "type p: scalarset(4); var m: array[p] of array[p] of record f: boolean; g: p; end;",
    // three dimensions
    "type p: scalarset(3); var m: array[p] of array[p] of array[p] of boolean;",
    // multisets of names, one chunk and several
    "type p: scalarset(3); m: record s: p; d: p; k: 0..1; end; var n: multiset[4] of m; a: array[p] of boolean;",
    "type p: scalarset(4); m: record s: p; w: array[0..9] of 0..100; d: p; end; var n: multiset[3] of m;",
    // multisets in arrays, and arrays in multisets
    "type p: scalarset(3); m: record s: p; k: 0..1; end; var n: array[p] of multiset[2] of m; c: p;",
    "type p: scalarset(3); q: scalarset(2); m: record s: q; w: array[p] of boolean; end;"
    "var n: multiset[3] of m; b: array[q] of p;",
    "type p: scalarset(3); m: record w: array[p] of p; end; var n: array[p] of multiset[2] of m;",
    // records around, plain parts between, wide elements
    "type p: scalarset(3); r: record a: 0..3; b: array[p] of record c: p; d: array[0..3] of 0..60000; end; e: 0..7; "
    "end;"
    "var x: array[0..1] of r; y: array[p] of r;",
    // larger sets: pairs, cycles and twins abound
    "type p: scalarset(6); var next: array[p] of p;",
    "type p: scalarset(4); q: scalarset(4); var owner: array[p] of q; next: array[q] of q;",
};

const char* const kRest = " startstate begin end; rule true ==> begin end;";

class RandomState {
 public:
  RandomState(const ir::Program& program, unsigned seed) : program_(program), random_(seed) {}

  State make() {
    // Few values, so that elements are often alike.
    spread_ = 1 + random_() % 4;
    State state(program_.state_words() + 1);
    for (const ir::Variable& variable : program_.variables) {
      fill(*variable.type, variable.offset, state);
      ir::sort_multisets(*variable.type, state.data(), variable.offset);
    }
    return state;
  }

 private:
  void fill(const ir::Type& type, std::uint64_t bit, State& state) {
    switch (type.kind) {
      case ir::TypeKind::kSimple:
        ir::put_bits(state.data(), bit, type.bits, code_of(*type.domain));
        break;
      case ir::TypeKind::kArray:
        for (const ir::Interval& part : type.domain->parts)
          for (std::int64_t i = part.lo; i <= part.hi; ++i)
            fill(*type.element, bit + static_cast<std::uint64_t>(i - type.domain->hull().lo) * type.stride(), state);
        break;
      case ir::TypeKind::kRecord:
        for (const ir::Field& field : type.fields)
          fill(*field.type, bit + field.offset, state);
        break;
      case ir::TypeKind::kMultiset:
        for (std::uint64_t slot = 0; slot < type.domain->hull().size(); ++slot, bit += type.stride()) {
          if (random_() % 3 == 0)
            continue;
          fill(*type.element, bit, state);
          ir::put_bits(state.data(), bit + type.element->bits, 1, 1);
        }
        break;
    }
  }

  std::uint64_t code_of(const ir::Domain& domain) {
    if (random_() % 4 == 0 && domain.has_undefined)
      return 0;
    const ir::Interval part = domain.parts[random_() % domain.parts.size()];
    const bool is_plain = domain.kind == ir::DomainKind::kRange || domain.kind == ir::DomainKind::kBoolean;
    const std::uint64_t count = is_plain ? std::min<std::uint64_t>(spread_, part.size()) : part.size();
    return domain.encode(part.lo + static_cast<std::int64_t>(random_() % count));
  }

  const ir::Program& program_;
  std::mt19937 random_;
  std::uint64_t spread_ = 1;
};

std::vector<Element> random_order(const Layout& layout, std::mt19937& random) {
  std::vector<Element> order;
  for (const symmetry::Scalarset& scalarset : layout.scalarsets()) {
    const std::size_t begin = order.size();
    for (Element k = 0; k < scalarset.count; ++k)
      order.push_back(static_cast<Element>(scalarset.first + k));
    std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), random);
  }
  return order;
}

template <typename Route>
State representative(Route& route, State state) {
  state.back() = 0;
  route.canonicalise(state.data());
  return state;
}

class Shapes : public ::testing::TestWithParam<const char*> {};

TEST_P(Shapes, RepresentativesAreCanonical) {
  const murphi::Loaded loaded(std::string(GetParam()) + kRest);
  const ir::Program* program = loaded.program.get();
  ASSERT_NE(program, nullptr) << loaded.diagnostics.render();
  const std::vector<ir::Interval> scalarsets = symmetry::scalarsets_of(*program);
  RandomState states(*program, 7);
  const State example = states.make();
  const Layout layout(*program, scalarsets, example.data());
  Canonicaliser fast(layout);
  Exhaustive plain(*program, scalarsets);
  Permuter permuter(layout);
  std::mt19937 random(11);
  for (int round = 0; round < 1000; ++round) {
    const State state = states.make();
    State permuted(state.size());
    permuter.permute(state.data(), random_order(layout, random), permuted.data());
    const State chosen = representative(fast, state);
    EXPECT_EQ(chosen, representative(fast, permuted)) << "round " << round;
    EXPECT_EQ(chosen, representative(fast, chosen)) << "round " << round;
    // The three are in one orbit, as the other route sees it.
    EXPECT_EQ(representative(plain, state), representative(plain, permuted)) << "round " << round;
    EXPECT_EQ(representative(plain, state), representative(plain, chosen)) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Symmetry, Shapes, ::testing::ValuesIn(kShapes));

TEST(SymmetryLayout, EveryBitIsFixedOrMovesOnce) {
  const murphi::Loaded loaded(std::string(kShapes[10]) + kRest);
  const ir::Program* program = loaded.program.get();
  ASSERT_NE(program, nullptr) << loaded.diagnostics.render();
  const State zero(program->state_words() + 1);
  const Layout layout(*program, symmetry::scalarsets_of(*program), zero.data());
  Permuter permuter(layout);
  RandomState states(*program, 3);
  std::vector<Element> identity(layout.elements());
  for (std::size_t e = 0; e < identity.size(); ++e)
    identity[e] = static_cast<Element>(e);
  for (int round = 0; round < 50; ++round) {
    const State state = states.make();
    State same(state.size());
    permuter.permute(state.data(), identity, same.data());
    EXPECT_EQ(state, same);
  }
}

TEST(SymmetryLayout, OnlyTheChosenScalarsetsArePermuted) {
  const murphi::Loaded loaded(
      std::string("type p: scalarset(3); q: scalarset(3); var a: array[p] of 0..2; b: array[q] of 0..2;") + kRest);
  const ir::Program* program = loaded.program.get();
  ASSERT_NE(program, nullptr) << loaded.diagnostics.render();
  const std::vector<ir::Interval> all = symmetry::scalarsets_of(*program);
  ASSERT_EQ(all.size(), 2U);
  const State zero(program->state_words() + 1);
  const Layout layout(*program, {all.front()}, zero.data());
  EXPECT_EQ(layout.elements(), 3U);
  EXPECT_EQ(layout.chunks().size(), 1U);
}

// A table of a billion entries would be no reduction.
TEST(SymmetryLayout, MembersOfVeryLargeUnionsAreLeftAlone) {
  const murphi::Loaded loaded(
      std::string("type p: scalarset(3); q: scalarset(1000000000); r: scalarset(2); u: union{p, q};"
                  "var x: u; a: array[p] of 0..2; b: array[r] of 0..2;") +
      kRest);
  ASSERT_NE(loaded.program, nullptr) << loaded.diagnostics.render();
  const State zero(loaded.program->state_words() + 1);
  const Layout layout(*loaded.program, symmetry::scalarsets_of(*loaded.program), zero.data());
  EXPECT_EQ(layout.elements(), 2U);
}

}  // namespace
}  // namespace tideline
