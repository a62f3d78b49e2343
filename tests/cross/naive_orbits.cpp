// SPDX-License-Identifier: MIT
#include "naive_orbits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ir/bits.h"
#include "ir/multiset.h"

namespace tideline::cross {
namespace {

using State = std::vector<Word>;
using Permutation = std::map<std::int64_t, std::int64_t>;  // of scalarset members

// Every combination of a permutation of each scalarset.
std::vector<Permutation> all_permutations(const std::vector<ir::Interval>& scalarsets) {
  std::vector<Permutation> all{{}};
  for (const ir::Interval& members : scalarsets) {
    std::vector<Permutation> longer;
    std::vector<std::int64_t> images(members.size());
    std::iota(images.begin(), images.end(), members.lo);
    do {
      for (Permutation permutation : all) {
        for (std::size_t k = 0; k < images.size(); ++k)
          permutation[members.lo + static_cast<std::int64_t>(k)] = images[k];
        longer.push_back(std::move(permutation));
      }
    } while (std::next_permutation(images.begin(), images.end()));
    all = std::move(longer);
  }
  return all;
}

// The image of a value of the domain; integers may have the same number as a member and stay as they are.
std::int64_t image(const ir::Domain& domain, std::int64_t value, const Permutation& permutation) {
  if (domain.kind != ir::DomainKind::kScalarset && domain.kind != ir::DomainKind::kUnion)
    return value;
  const auto at = permutation.find(value);
  return at == permutation.end() || !domain.contains(value) ? value : at->second;
}

// Writes the permuted object at bit `a` of `from` to bit `b` of `to`. Multisets keep the order of their slots.
void permute(const ir::Type& type, const State& from, std::uint64_t a, State& to, std::uint64_t b,
             const Permutation& permutation) {
  switch (type.kind) {
    case ir::TypeKind::kSimple: {
      const std::int64_t value = type.domain->decode(ir::get_bits(from.data(), a, type.bits));
      ir::put_bits(to.data(), b, type.bits, type.domain->encode(image(*type.domain, value, permutation)));
      return;
    }
    case ir::TypeKind::kArray: {
      const ir::Interval hull = type.domain->hull();
      for (std::int64_t i = hull.lo; i <= hull.hi; ++i) {
        const auto old_place = static_cast<std::uint64_t>(i - hull.lo) * type.stride();
        const auto new_place =
            static_cast<std::uint64_t>(image(*type.domain, i, permutation) - hull.lo) * type.stride();
        permute(*type.element, from, a + old_place, to, b + new_place, permutation);
      }
      return;
    }
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        permute(*field.type, from, a + field.offset, to, b + field.offset, permutation);
      return;
    case ir::TypeKind::kMultiset:
      for (std::uint64_t slot = 0; slot < type.domain->hull().size(); ++slot) {
        const std::uint64_t place = slot * type.stride();
        const std::uint64_t occupied = ir::get_bits(from.data(), a + place + type.element->bits, 1);
        ir::put_bits(to.data(), b + place + type.element->bits, 1, occupied);
        if (occupied != 0)
          permute(*type.element, from, a + place, to, b + place, permutation);
      }
      return;
  }
}

State permuted(const ir::Program& program, const State& state, const Permutation& permutation) {
  State from = state;
  from.push_back(0);
  State to(from.size());
  for (const ir::Variable& variable : program.variables) {
    permute(*variable.type, from, variable.offset, to, variable.offset, permutation);
    ir::sort_multisets(*variable.type, to.data(), variable.offset);
  }
  to.pop_back();
  return to;
}

// Swaps of neighbouring members.
std::vector<Permutation> transpositions(const std::vector<ir::Interval>& scalarsets) {
  std::vector<Permutation> all;
  for (const ir::Interval& members : scalarsets)
    for (std::int64_t v = members.lo; v < members.hi; ++v)
      all.push_back({{v, v + 1}, {v + 1, v}});
  return all;
}

// What all commands and properties make of a state, in no order.
struct Outcomes {
  std::vector<std::pair<StepResult::Outcome, State>> steps;
  std::vector<int> properties;  // 0: false, 1: true, 2: fails
  bool operator==(const Outcomes&) const = default;
};

class Stepper {
 public:
  explicit Stepper(const ir::Program& program)
      : program_(program), interpreter_(program), next_(program.state_words() + 1) {}

  Outcomes starts() {
    Outcomes all;
    for (const ir::Rule& rule : program_.starts)
      for (ir::CommandId c = rule.first_command; c < rule.first_command + rule.command_count; ++c)
        add(interpreter_.start(c, next_.data()), all);
    std::sort(all.steps.begin(), all.steps.end());
    return all;
  }

  Outcomes outcomes(const State& state) {
    Outcomes all;
    for (const ir::Rule& rule : program_.rules)
      for (ir::CommandId c = rule.first_command; c < rule.first_command + rule.command_count; ++c)
        add(interpreter_.step(state.data(), c, next_.data()), all);
    std::sort(all.steps.begin(), all.steps.end());
    for (const ir::Property& property : program_.properties) {
      const PropertyResult result = interpreter_.evaluate(property, state.data());
      all.properties.push_back(result.failure ? 2 : result.holds ? 1 : 0);
    }
    return all;
  }

  Outcomes permuted_outcomes(const Outcomes& outcomes, const Permutation& permutation) {
    Outcomes all = outcomes;
    for (auto& [outcome, state] : all.steps)
      if (!state.empty())
        state = permuted(program_, state, permutation);
    std::sort(all.steps.begin(), all.steps.end());
    return all;
  }

 private:
  void add(const StepResult& step, Outcomes& all) {
    const bool has_state = step.outcome == StepResult::Outcome::kDone || step.outcome == StepResult::Outcome::kOutside;
    all.steps.emplace_back(step.outcome, has_state ? State(next_.begin(), next_.end() - 1) : State());
  }

  const ir::Program& program_;
  Interpreter interpreter_;
  State next_;
};

// Scalarsets and unions may be undefined, other simple parts are not.
void randomise(const ir::Type& type, State& state, std::uint64_t at, std::mt19937_64& random) {
  switch (type.kind) {
    case ir::TypeKind::kSimple: {
      const bool is_symbol =
          type.domain->kind == ir::DomainKind::kScalarset || type.domain->kind == ir::DomainKind::kUnion;
      const ir::Interval hull = type.domain->hull();
      std::int64_t value = hull.lo + static_cast<std::int64_t>(random() % hull.size());
      if (!type.domain->contains(value) || (is_symbol && random() % 4 == 0))
        value = ir::kUndefined;
      ir::put_bits(state.data(), at, type.bits, type.domain->encode(value));
      return;
    }
    case ir::TypeKind::kArray:
      for (std::uint64_t i = 0; i < type.domain->hull().size(); ++i)
        if (type.domain->contains(type.domain->hull().lo + static_cast<std::int64_t>(i)))
          randomise(*type.element, state, at + i * type.stride(), random);
      return;
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        randomise(*field.type, state, at + field.offset, random);
      return;
    case ir::TypeKind::kMultiset:
      for (std::uint64_t slot = 0; slot < type.domain->hull().size(); ++slot) {
        if (random() % 2 == 0)
          continue;
        ir::put_bits(state.data(), at + slot * type.stride() + type.element->bits, 1, 1);
        randomise(*type.element, state, at + slot * type.stride(), random);
      }
      return;
  }
}

State random_state(const ir::Program& program, std::mt19937_64& random) {
  State state(program.state_words() + 1);
  for (const ir::Variable& variable : program.variables) {
    randomise(*variable.type, state, variable.offset, random);
    ir::sort_multisets(*variable.type, state.data(), variable.offset);
  }
  state.pop_back();
  return state;
}

}  // namespace

bool is_equivariant(const ir::Program& program, const std::vector<ir::Interval>& scalarsets, const SeenStates& seen,
                    int count, std::mt19937_64& random) {
  Stepper stepper(program);
  const std::vector<Permutation> permutations = transpositions(scalarsets);
  const auto holds_in = [&](const State& state) {
    const Outcomes outcomes = stepper.outcomes(state);
    return std::all_of(permutations.begin(), permutations.end(), [&](const Permutation& permutation) {
      return stepper.outcomes(permuted(program, state, permutation)) ==
             stepper.permuted_outcomes(outcomes, permutation);
    });
  };
  for (const auto& [state, edges] : seen)
    if (!holds_in(state))
      return false;
  for (int i = 0; i < count; ++i)
    if (!holds_in(random_state(program, random)))
      return false;
  return true;
}

bool has_symmetric_starts(const ir::Program& program, const std::vector<ir::Interval>& scalarsets) {
  Stepper stepper(program);
  const Outcomes starts = stepper.starts();
  const std::vector<Permutation> permutations = transpositions(scalarsets);
  return std::all_of(permutations.begin(), permutations.end(), [&](const Permutation& permutation) {
    return stepper.permuted_outcomes(starts, permutation) == starts;
  });
}

NaiveOrbits count_orbits(const ir::Program& program, const std::vector<ir::Interval>& scalarsets,
                         const SeenStates& seen) {
  NaiveOrbits result;
  const std::vector<Permutation> permutations = all_permutations(scalarsets);
  std::set<State> counted;
  for (const auto& [state, edges] : seen) {
    if (counted.contains(state))
      continue;
    ++result.orbits;
    result.edges += edges;
    for (const Permutation& permutation : permutations) {
      State other = permuted(program, state, permutation);
      const auto at = seen.find(other);
      if (at == seen.end())
        result.is_closed = false;
      else if (at->second != edges)
        result.has_equal_edges = false;
      counted.insert(std::move(other));
    }
  }
  return result;
}

}  // namespace tideline::cross
