// SPDX-License-Identifier: MIT
// The native engine against the interpreter on random programs. TIDELINE_SEED=n runs only that one, TIDELINE_SEEDS=n
// runs n.
#include <gtest/gtest.h>

#include <cstdlib>

#include "native_support.h"
#include "random_ir.h"

namespace tideline::test {
namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(NativeRandom, AgreesWithTheInterpreter) {
  const ScratchDirectory cache;
  const std::uint64_t only = number("TIDELINE_SEED", 0);
  const std::uint64_t count = number("TIDELINE_SEEDS", 40);
  Explored total;
  for (std::uint64_t seed = only != 0 ? only : 1; seed <= (only != 0 ? only : count); ++seed) {
    const std::unique_ptr<ir::Program> program = random_program(seed);
    const Explored seen = compare_engines(*program, cache.path(), 60);
    EXPECT_TRUE(seen.agreed) << "seed " << seed;
    total.states += seen.states;
    total.edges += seen.edges;
    total.failures += seen.failures;
    total.violations += seen.violations;
    total.keys.insert(seen.keys.begin(), seen.keys.end());
    if (std::getenv("TIDELINE_VERBOSE") != nullptr)
      std::printf("seed %lu: %zu states, %zu edges, %zu failures\n", static_cast<unsigned long>(seed), seen.states,
                  seen.edges, seen.failures);
    if (!seen.agreed)
      break;
  }
  if (only == 0) {
    EXPECT_GT(total.edges, count);
    EXPECT_GT(total.failures, count / 4);
    EXPECT_GT(total.keys.size(), count / 2);
  }
  std::printf("%zu states, %zu edges, %zu failures, %zu keys\n", total.states, total.edges, total.failures,
              total.keys.size());
  RecordProperty("states", static_cast<int>(total.states));
  RecordProperty("edges", static_cast<int>(total.edges));
  RecordProperty("failures", static_cast<int>(total.failures));
}

}  // namespace
}  // namespace tideline::test
