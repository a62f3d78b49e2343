// SPDX-License-Identifier: MIT
// The corpus of models nobody here wrote: every row of murphi/oracle.tsv through the real program: verdict, states,
// rules fired, exit status; native engine with two threads, up to a million states with one, and up to 50,000 on the
// interpreter. Rows with symmetry
// "normalised" come from a tool that sometimes keeps several states of an orbit: there the counts are upper bounds, and
// rows with "orbits" say the exact ones. The corpus is found at $TIDELINE_CORPUS or ../shared/corpus; where it is
// absent the tests are reported as skipped. TIDELINE_CORPUS_STATES_MAX (default 1,000,000) leaves out larger rows.
#include "corpus/corpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.h"

namespace tideline {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kInterpStatesMax = 50000;
constexpr std::uint64_t kOneThreadStatesMax = 1000000;

struct Row {
  std::string file;
  std::string symmetry;
  std::string deadlock;
  std::string verdict;
  std::string states;
  std::string rules_fired;
};

fs::path corpus() {
  return testing::corpus_folder("murphi");
}

std::uint64_t states_max() {
  return testing::corpus_states_max(1000000);
}

bool applies(const Row& row) {
  return row.states.empty() || std::stoull(row.states) <= states_max();
}

// One row is Rumur's alone and stands against CMurphi's reading, which we follow: in ldash_range a loop `for i := 0 to
// -1` counts down for Rumur, which then reports an index error; for CMurphi it does not run, and the model is, without
// symmetry, the same as ldash-1.2.1.false, whose row CMurphi confirmed.
void follow_cmurphi(Row& row) {
  if (row.file != "ldash_range-1.2.1.false.m")
    return;
  row.verdict = "holds";
  row.states = "12207";
  row.rules_fired = "85650";
}

std::vector<Row> rows() {
  std::vector<Row> all;
  std::ifstream table(corpus() / "oracle.tsv");
  std::string line;
  std::getline(table, line);  // names of the columns
  while (std::getline(table, line)) {
    std::stringstream cells(line);
    Row row;
    std::getline(cells, row.file, '\t');
    std::getline(cells, row.symmetry, '\t');
    std::getline(cells, row.deadlock, '\t');
    std::getline(cells, row.verdict, '\t');
    std::getline(cells, row.states, '\t');
    std::getline(cells, row.rules_fired, '\t');
    follow_cmurphi(row);
    if (applies(row))
      all.push_back(std::move(row));
  }
  return all;
}

void compare_count(const nlohmann::json& count, const std::string& expected, const std::string& symmetry) {
  if (expected.empty())
    return;
  if (symmetry == "normalised") {
    EXPECT_LE(count, std::stoull(expected));
  } else {
    EXPECT_EQ(count, std::stoull(expected));
  }
}

void check_row(const Row& row, const testing::Sandbox& sandbox, const std::string& engine, unsigned threads) {
  SCOPED_TRACE(row.file + " symmetry " + row.symmetry + " deadlock " + row.deadlock + " engine " + engine +
               " threads " + std::to_string(threads));
  testing::RunOptions options;
  options.timeout_seconds = 600;
  const testing::RunResult run =
      sandbox.run({"check", (corpus() / row.file).string(), "--json", sandbox.path("report.json"), "--quiet",
                   "--symmetry", row.symmetry == "off" ? "off" : "on", "--deadlock", row.deadlock, "--threads",
                   std::to_string(threads), "--engine", engine},
                  options);
  ASSERT_EQ(run.status, row.verdict == "holds" ? 0 : 1) << run.out << run.err;
  const nlohmann::json report = nlohmann::json::parse(sandbox.read("report.json"), nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << run.out << run.err;
  EXPECT_EQ(report["verdict"], row.verdict == "holds" ? "holds" : "violated");
  EXPECT_EQ(report["engine"], engine);
  if (row.verdict != "holds") {
    EXPECT_EQ(report["reason"], row.verdict);
  }
  compare_count(report["states"], row.states, row.symmetry);
  compare_count(report["edges"], row.rules_fired, row.symmetry);
}

TEST(Corpus, Murphi) {
  if (!fs::exists(corpus() / "oracle.tsv"))
    GTEST_SKIP() << "no corpus beside the repository and none in TIDELINE_CORPUS";
  const testing::Sandbox sandbox;
  const std::vector<Row> all = rows();
  EXPECT_GT(all.size(), 100U);
  for (const Row& row : all) {
    const std::uint64_t states = row.states.empty() ? 0 : std::stoull(row.states);
    check_row(row, sandbox, "native", 2);
    if (states <= kOneThreadStatesMax)
      check_row(row, sandbox, "native", 1);
    if (states <= kInterpStatesMax)
      check_row(row, sandbox, "interp", 1);
  }
  std::printf("%zu rows of the oracle checked\n", all.size());
}

}  // namespace
}  // namespace tideline
