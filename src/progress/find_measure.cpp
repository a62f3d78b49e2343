// SPDX-License-Identifier: MIT
#include "progress/find_measure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "ir/progress.h"
#include "progress/component.h"
#include "progress/program_facts.h"

namespace tideline::progress {
namespace {

// Values of a state that are looked at, at most; and memory for their columns.
constexpr std::size_t kCellsMax = 2000;
constexpr std::uint64_t kColumnBytesMax = std::uint64_t{192} << 20;

// In the score.
constexpr double kCostOfSweep = 0.02;

// Of a state space that is known as a whole: layers of so many states, or of this share, are small enough.
constexpr double kSmallLayer = 1000;
constexpr double kSmallShare = 0.02;

// A regress edge in forward edges: what it costs in sweeps differs much between models, so several are tried.
constexpr std::array<double, 3> kCostsOfRegress = {0.5, 4, 16};
// Of the search for small improvements.
constexpr int kTriesMax = 30;
constexpr double kImprovementMin = 0.02;

// Fewer states where a state has many cells.
SampleOptions fit_to_memory(SampleOptions options, std::size_t cells) {
  const std::uint64_t states = kColumnBytesMax / (sizeof(std::uint32_t) * std::max<std::uint64_t>(1, cells));
  options.limits.states = std::min(options.limits.states, states);
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
    limits_.interrupted = options.sample.interrupted;
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
    std::vector<Judged> found;
    for (unsigned level = 1; level <= kLevels; ++level)
      if ((options_.level == 0 || level == options_.level) && !limits_.is_interrupted())
        add_level(selection, level, found);
    std::stable_sort(found.begin(), found.end(), [](const Judged& a, const Judged& b) { return a.score < b.score; });
    if (!found.empty())
      improve(found.front());
    findings.interrupted = limits_.is_interrupted();
    for (const Judged& judged : found)
      findings.measures.push_back(make_measure(judged));
    return findings;
  }

 private:
  struct Judged {
    unsigned level = 0;
    std::vector<Term> terms;
    Estimate estimate;
    double score = 0;
  };

  // On all sampled edges, of which the selection has seen a part.
  [[nodiscard]] Judged judge(unsigned level, std::vector<Term> terms) const {
    Judged judged{level, std::move(terms), {}, 0};
    judged.estimate = estimate(sample_, layers_of(cells_, columns_, judged.terms, sample_.size()));
    judged.score = score_of(judged.estimate, limits_);
    return judged;
  }

  [[nodiscard]] static bool is_within(const Judged& judged) {
    return judged.estimate.worst_regress <= kRegressBounds[judged.level - 1];
  }

  // The best of several ways to choose, unless a lower level has it already.
  void add_level(Selection& selection, unsigned level, std::vector<Judged>& found) const {
    std::optional<Judged> best;
    for (const double cost : kCostsOfRegress) {
      Judged judged = judge(level, selection.select(kRegressBounds[level - 1], cost));
      while (!judged.terms.empty() && !is_within(judged))
        judged = judge(level, {judged.terms.begin(), judged.terms.end() - 1});
      if (!judged.terms.empty() && (!best || judged.score < best->score))
        best = std::move(judged);
      if (level == 1)
        break;  // there are no regress edges
    }
    if (best &&
        std::none_of(found.begin(), found.end(), [&](const Judged& other) { return other.terms == best->terms; }))
      found.push_back(std::move(*best));
  }

  // Small changes, as long as they better the score: leave a term out, turn it round, let it change places.
  void improve(Judged& best) const {
    int tries = kTriesMax;
    for (bool improved = true; std::exchange(improved, false);)
      for (std::size_t i = 0; i < best.terms.size(); ++i)
        for (const std::vector<Term>& terms : changed(best.terms, i)) {
          if (--tries < 0 || limits_.is_interrupted())
            return;
          Judged judged = judge(best.level, terms);
          if (!is_within(judged) || judged.score > best.score - kImprovementMin)
            continue;
          best = std::move(judged);
          improved = true;
          break;
        }
  }

  [[nodiscard]] std::vector<std::vector<Term>> changed(const std::vector<Term>& terms, std::size_t i) const {
    std::vector<std::vector<Term>> all;
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (terms.size() > 1) {
      all.push_back(terms);
      all.back().erase(all.back().begin() + at);
    }
    if (i > 0) {
      all.push_back(terms);
      std::swap(all.back()[i - 1], all.back()[i]);
    }
    if (terms[i].kind != OrderKind::kTable) {
      all.push_back(terms);
      all.back()[i].kind = terms[i].kind == OrderKind::kAscending ? OrderKind::kDescending : OrderKind::kAscending;
      all.back()[i].is_proved = false;
    }
    return all;
  }

  Measure make_measure(const Judged& judged) {
    Measure measure;
    measure.level = judged.level;
    measure.estimate = judged.estimate;
    measure.score = judged.score;
    measure.is_proved =
        std::all_of(judged.terms.begin(), judged.terms.end(), [](const Term& term) { return term.is_proved; });
    for (const Term& term : judged.terms) {
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
         estimate.edges.forward + 2 * estimate.edges.regress + kCostOfSweep * static_cast<double>(estimate.sweeps);
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
