// SPDX-License-Identifier: MIT
// For the tests of the native engine: compares it with the interpreter, entry by entry, over the first states of a
// program.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exec/interp/interpreter.h"
#include "exec/native/native.h"
#include "ir/program.h"

namespace tideline::test {

// A directory that disappears at the end of the test.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tideline-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data()) != nullptr ? pattern : "";
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What was met on the way, so that a test can see that it tested something.
struct Explored {
  std::size_t states = 0;
  std::size_t edges = 0;
  std::size_t failures = 0;
  std::size_t outside = 0;  // edges to states outside the assumptions
  std::size_t violations = 0;
  std::set<std::uint64_t> keys;  // of the progress measure
  bool agreed = false;
};

inline std::unique_ptr<Engine> native_engine(const ir::Program& program, const std::string& cache_dir) {
  NativeOptions options;
  options.cache_dir = cache_dir;
  Result<std::unique_ptr<Engine>> engine = NativeBuild::prepare(program, options)->take();
  if (!engine.is_ok()) {
    ADD_FAILURE() << engine.status().message();
    return nullptr;
  }
  return std::move(engine.value());
}

inline std::string show_entries(const Successors& entries) {
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < 20; ++i)
    text += " " + std::to_string(entries.command(i)) + (entries.failed(i) ? "!" : entries.outside(i) ? "?" : "");
  return text;
}

inline ::testing::AssertionResult same_entries(const Successors& a, const Successors& b, std::size_t words) {
  if (a.size() != b.size() || a.failures() != b.failures() || a.all_proper() != b.all_proper())
    return ::testing::AssertionFailure() << "expected commands" << show_entries(a) << ", found" << show_entries(b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.command(i) != b.command(i) || a.failed(i) != b.failed(i) || a.outside(i) != b.outside(i))
      return ::testing::AssertionFailure()
             << "entry " << i << ": command " << a.command(i) << (a.failed(i) ? " failed" : "") << ", but "
             << b.command(i) << (b.failed(i) ? " failed" : "");
    if (!a.failed(i) && std::memcmp(a.state(i), b.state(i), words * sizeof(Word)) != 0)
      return ::testing::AssertionFailure() << "entry " << i << " of command " << a.command(i) << ": states differ";
  }
  return ::testing::AssertionSuccess();
}

// The keys of all states, found at once and one by one.
inline bool same_keys(NextState& interp, NextState& native, const std::vector<std::vector<Word>>& states,
                      std::set<std::uint64_t>& keys) {
  std::vector<Word> together;
  std::vector<std::uint64_t> expected(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    together.insert(together.end(), states[i].begin(), states[i].end() - 1);
    interp.progress(states[i].data(), 1, &expected[i]);
  }
  together.push_back(~Word{0});
  keys.insert(expected.begin(), expected.end());
  bool agreed = true;
  for (NextState* engine : {&interp, &native}) {
    std::vector<std::uint64_t> found(states.size(), ~std::uint64_t{0});
    engine->progress(together.data(), states.size(), found.data());
    EXPECT_EQ(found, expected);
    agreed = agreed && found == expected;
  }
  return agreed;
}

// Breadth-first on the interpreter, with the native engine beside it, up to `states_max` states.
inline Explored compare_engines(const ir::Program& program, NextState& native, std::size_t states_max) {
  Explored seen;
  Interpreter interp(program);
  const std::size_t words = interp.words();
  EXPECT_EQ(words, native.words());
  Successors expected(words);
  Successors found(words);
  interp.initial(expected);
  native.initial(found);
  std::set<std::vector<Word>> known;
  std::vector<std::vector<Word>> queue;
  auto take_over = [&] {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!expected.proper(i)) {
        seen.outside += expected.outside(i) ? 1u : 0u;
        continue;
      }
      std::vector<Word> state(expected.state(i), expected.state(i) + words);
      if (known.insert(state).second) {
        state.push_back(~Word{0});  // what follows a state must not matter
        queue.push_back(std::move(state));
      }
    }
    seen.failures += expected.failures();
  };
  if (const auto same = same_entries(expected, found, words); !same) {
    ADD_FAILURE() << "initial states: " << same.message();
    return seen;
  }
  take_over();
  for (std::size_t at = 0; at < queue.size() && at < states_max; ++at) {
    const std::vector<Word> state = queue[at];
    ++seen.states;
    const CheckResult checked = interp.check(state.data());
    const CheckResult native_checked = native.check(state.data());
    if (checked.kind != native_checked.kind || checked.property != native_checked.property) {
      ADD_FAILURE() << "state " << at << ": property " << checked.property << " kind " << static_cast<int>(checked.kind)
                    << ", but " << native_checked.property << " kind " << static_cast<int>(native_checked.kind);
      return seen;
    }
    seen.violations += checked.kind != CheckResult::Kind::kHolds ? 1 : 0;
    expected.clear();
    found.clear();
    interp.expand(state.data(), expected);
    native.expand(state.data(), found);
    if (const auto same = same_entries(expected, found, words); !same) {
      ADD_FAILURE() << "successors of state " << at << ": " << same.message();
      return seen;
    }
    seen.edges += expected.size() - expected.failures();
    take_over();
  }
  seen.agreed = same_keys(interp, native, queue, seen.keys);
  EXPECT_EQ(interp.covered(), native.covered());
  seen.agreed = seen.agreed && interp.covered() == native.covered();
  return seen;
}

inline Explored compare_engines(ir::Program& program, const std::string& cache_dir, std::size_t states_max = 500) {
  EXPECT_TRUE(ir::number_commands(program));
  const std::unique_ptr<Engine> engine = native_engine(program, cache_dir);
  if (engine == nullptr)
    return {};
  const std::unique_ptr<NextState> native = engine->make();
  return compare_engines(program, *native, states_max);
}

}  // namespace tideline::test
