// SPDX-License-Identifier: MIT
#include "report/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/format.h"

namespace tideline {
namespace {

using progress::Findings;
using progress::Measure;

std::string percent(double share) {
  return share > 0 && share < 0.0005 ? fmt::format("{:.3f} %", 100 * share) : fmt::format("{:.1f} %", 100 * share);
}

std::string sample_text(const Findings& findings, const std::string& model) {
  if (findings.complete)
    return fmt::format("{}: all {} and {} were looked at; the figures are exact\n", model,
                       show_plural(findings.sampled_states, "state"), show_plural(findings.sampled_edges, "edge"));
  return fmt::format("{}: a sample of {}, {} of them expanded, {}; the figures are estimates\n", model,
                     show_plural(findings.sampled_states, "state"), show_count(findings.expanded_states),
                     show_plural(findings.sampled_edges, "edge"));
}

std::string row_text(std::size_t rank, const Measure& measure) {
  const progress::Estimate& estimate = measure.estimate;
  const std::string sweeps = (estimate.sweeps >= progress::kSweepsMax ? ">= " : "") + show_count(estimate.sweeps);
  std::string out =
      fmt::format("{:>4} {:>6} {:>9} {:>9} {:>11} {:>9} {:>14} {:>7} {:>7} {:>5}{}\n", rank, measure.level,
                  percent(estimate.edges.regress), percent(estimate.edges.forward), percent(estimate.edges.stationary),
                  show_count(estimate.layers), percent(estimate.largest_share), sweeps,
                  fmt::format("{:.2f}", estimate.revisits), measure.key_bits, measure.is_proved ? "  proved" : "");
  for (const ir::ProgressComponent& component : measure.components)
    out += fmt::format("            {}\n", printable(component.text));
  return out;
}

}  // namespace

std::string measures_text(const Findings& findings, const std::string& model, std::uint64_t seed) {
  std::string out = sample_text(findings, model);
  if (findings.measures.empty())
    return out + "no progress measure was found: nothing in the model makes progress\n";
  out += fmt::format("\n{:>4} {:>6} {:>9} {:>9} {:>11} {:>9} {:>14} {:>7} {:>7} {:>5}\n", "rank", "level", "regress",
                     "forward", "stationary", "layers", "largest layer", "sweeps", "visits", "bits");
  for (std::size_t i = 0; i < findings.measures.size(); ++i)
    out += row_text(i + 1, findings.measures[i]);
  out +=
      "\nShares are of edges, of states for the largest layer; visits: expansions per state. The best has the "
      "smallest\n"
      "largest layer for its visits. Below each measure its components, the most significant first.\n";
  out += fmt::format("To use the best: tideline check {} --progress auto:{}{}\n", model,
                     findings.measures.front().level, seed == 1 ? "" : fmt::format(" --seed {}", seed));
  return out;
}

std::string measures_json(const Findings& findings, const std::string& model) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["tool"] = "tideline";
  json["version"] = TIDELINE_VERSION;
  json["model"] = model;
  json["complete"] = findings.complete;
  json["sampled_states"] = findings.sampled_states;
  json["expanded_states"] = findings.expanded_states;
  json["sampled_edges"] = findings.sampled_edges;
  json["measures"] = Json::array();
  for (const Measure& measure : findings.measures) {
    Json components = Json::array();
    for (const ir::ProgressComponent& component : measure.components)
      components.push_back(printable(component.text));
    const progress::Estimate& estimate = measure.estimate;
    json["measures"].push_back(Json{{"level", measure.level},
                                    {"components", std::move(components)},
                                    {"key_bits", measure.key_bits},
                                    {"proved", measure.is_proved},
                                    {"regress_share", estimate.edges.regress},
                                    {"forward_share", estimate.edges.forward},
                                    {"stationary_share", estimate.edges.stationary},
                                    {"layers", estimate.layers},
                                    {"largest_layer", estimate.largest_layer},
                                    {"largest_layer_share", estimate.largest_share},
                                    {"sweeps", estimate.sweeps},
                                    {"visits", estimate.revisits}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tideline
