// SPDX-License-Identifier: MIT
// BEEM: rows of dve/oracle.tsv through the real program: states, edges, deadlocks and, where the table has them,
// levels; native engine with two threads, up to 20 million states with one, and up to 100,000 on the interpreter.
// anderson.1 has a run-time error: there the counts are those with DiVinE's error state. Where the corpus is found:
// corpus_test.cpp. TIDELINE_CORPUS_STATES_MAX (default 300,000) leaves out larger rows; 20000000 takes ten minutes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.h"
#include "corpus/corpus.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kInterpStatesMax = 100000;
constexpr std::uint64_t kOneThreadStatesMax = 20000000;

struct Row {
  std::string instance;
  std::uint64_t states = 0;
  std::string edges;
  std::string deadlocks;
};

fs::path corpus() {
  return testing::corpus_folder("dve");
}

std::uint64_t states_max() {
  return testing::corpus_states_max(300000);
}

std::vector<Row> rows() {
  std::vector<Row> all;
  std::ifstream table(corpus() / "oracle.tsv");
  std::string line;
  std::getline(table, line);  // names of the columns
  while (std::getline(table, line)) {
    std::stringstream cells(line);
    Row row;
    std::string states;
    std::getline(cells, row.instance, '\t');
    std::getline(cells, states, '\t');
    std::getline(cells, row.edges, '\t');
    std::getline(cells, row.deadlocks, '\t');
    row.states = std::stoull(states);
    if (row.states <= states_max() || row.instance == "anderson.1")
      all.push_back(std::move(row));
  }
  return all;
}

void compare_count(const nlohmann::json& count, const std::string& expected) {
  if (!expected.empty()) {
    EXPECT_EQ(count, std::stoull(expected));
  }
}

void check_row(const Row& row, const testing::Sandbox& sandbox, const std::string& engine, unsigned threads) {
  SCOPED_TRACE(row.instance + " engine " + engine + " threads " + std::to_string(threads));
  testing::RunOptions options;
  options.timeout_seconds = 600;
  const testing::RunResult run = sandbox.run(
      {"check", (corpus() / (row.instance + ".dve")).string(), "--json", sandbox.path("report.json"), "--quiet",
       "--deadlock", "off", "--on-error", "state", "--threads", std::to_string(threads), "--engine", engine},
      options);
  const bool has_error = row.instance == "anderson.1";
  ASSERT_EQ(run.status, has_error ? 1 : 0) << run.out << run.err;
  const nlohmann::json report = nlohmann::json::parse(sandbox.read("report.json"), nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << run.out << run.err;
  EXPECT_EQ(report["verdict"], has_error ? "violated" : "holds");
  EXPECT_EQ(report["states"], row.states);
  compare_count(report["edges"], row.edges);
  compare_count(report["deadlocks"], row.deadlocks);
}

TEST(Corpus, Dve) {
  if (!fs::exists(corpus() / "oracle.tsv"))
    GTEST_SKIP() << "no corpus beside the repository and none in TIDELINE_CORPUS";
  const testing::Sandbox sandbox;
  const std::vector<Row> all = rows();
  EXPECT_GT(all.size(), 60U);
  for (const Row& row : all) {
    check_row(row, sandbox, "native", 2);
    if (row.states <= kOneThreadStatesMax)
      check_row(row, sandbox, "native", 1);
    if (row.states <= kInterpStatesMax)
      check_row(row, sandbox, "interp", 1);
  }
  std::printf("%zu rows of the oracle checked\n", all.size());
}

}  // namespace
}  // namespace tideline
