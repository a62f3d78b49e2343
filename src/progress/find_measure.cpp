// SPDX-License-Identifier: MIT
#include "progress/find_measure.h"

#include <algorithm>
#include <cmath>

#include "ir/progress.h"
#include "progress/component.h"
#include "progress/program_facts.h"

namespace tideline::progress {
namespace {

// Values of a state that are looked at, at most; and memory for their columns.
constexpr std::size_t kCellsMax = 2000;
constexpr double kCostOfSweep = 0.02;
constexpr std::uint64_t kColumnBytesMax = std::uint64_t{192} << 20;

// Of a state space that is known as a whole: layers of so many states, or of this share, are small enough.
constexpr double kSmallLayer = 1000;
constexpr double kSmallShare = 0.02;

// Fewer states where a state has many cells.
SampleOptions fit_to_memory(SampleOptions options, std::size_t cells) {
  const std::uint64_t states = kColumnBytesMax / (sizeof(std::uint32_t) * std::max<std::uint64_t>(1, cells));
  options.limits.prefix_states = std::min(options.limits.prefix_states, states / 4);
  options.limits.walk_states = std::min(options.limits.walk_states, states / 4);
  return options;
}

class Finder {
 public:
  Finder(ir::Program& program, EngineSource& engines, const FindOptions& options)
      : program_(program),
        options_(options),
        cells_(find_cells(program, options.sample.scalarsets, kCellsMax)),
        facts_(program_facts(program, cells_)),
        sample_(take_sample(program, engines, fit_to_memory(options.sample, cells_.cells.size()))),
        limits_(options.selection) {
    if (sample_.complete)
      limits_.layer_share =
          std::clamp(kSmallLayer / static_cast<double>(sample_.size()), limits_.layer_share, kSmallShare);
  }

  Findings run() {
    Findings findings;
    findings.sampled_states = sample_.size();
    findings.expanded_states = sample_.expanded.size();
    findings.sampled_edges = sample_.targets.size();
    findings.complete = sample_.complete;
    findings.interrupted = sample_.interrupted;
    if (sample_.interrupted || sample_.size() < 2)
      return findings;
    columns_ = make_columns(cells_, sample_);
    Selection selection({cells_, columns_, facts_}, sample_, limits_);
    std::vector<std::vector<Term>> known;
    for (unsigned level = 1; level <= kLevels; ++level) {
      if (options_.level != 0 && level != options_.level)
        continue;
      const double bound = kRegressBounds[level - 1];
      std::vector<Term> terms = selection.select(bound);
      const Estimate judged = judge(terms, bound);
      if (terms.empty() || std::find(known.begin(), known.end(), terms) != known.end())
        continue;
      known.push_back(terms);
      findings.measures.push_back(make_measure(level, terms, judged));
    }
    std::stable_sort(findings.measures.begin(), findings.measures.end(),
                     [](const Measure& a, const Measure& b) { return a.score < b.score; });
    return findings;
  }

 private:
  // On all sampled edges, of which the selection has seen a part; terms at the end go while the bound is exceeded.
  Estimate judge(std::vector<Term>& terms, double bound) const {
    while (true) {
      Estimate result = estimate(sample_, layers_of(cells_, columns_, terms, sample_.size()));
      if (terms.empty() || result.worst_regress <= bound)
        return result;
      terms.pop_back();
    }
  }

  Measure make_measure(unsigned level, const std::vector<Term>& terms, const Estimate& judged) {
    Measure measure;
    measure.level = level;
    measure.estimate = judged;
    measure.score = score_of(judged, limits_);
    measure.is_proved = std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.is_proved; });
    for (const Term& term : terms) {
      measure.components.push_back(make_component(program_, cells_, columns_, term));
      measure.key_bits += ir::progress_bits(measure.components.back());
    }
    return measure;
  }

  ir::Program& program_;
  const FindOptions& options_;
  Cells cells_;
  std::vector<CellFacts> facts_;
  Sample sample_;
  SelectionLimits limits_;
  Columns columns_;
};

}  // namespace

double score_of(const Estimate& estimate, const SelectionLimits& limits) {
  return std::log2(std::max(estimate.largest_share, limits.layer_share)) + 2 * std::log2(estimate.revisits) +
         estimate.edges.forward + kCostOfSweep * static_cast<double>(estimate.sweeps);
}

Findings find_measures(ir::Program& program, EngineSource& engines, const FindOptions& options) {
  return Finder(program, engines, options).run();
}

std::vector<ir::ProgressComponent> find_measure(ir::Program& program, EngineSource& engines,
                                                const FindOptions& options) {
  Findings findings = find_measures(program, engines, options);
  return findings.measures.empty() ? std::vector<ir::ProgressComponent>() : std::move(findings.measures[0].components);
}

}  // namespace tideline::progress
