// SPDX-License-Identifier: MIT
// The report for programs.
#include "report/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ir/print.h"
#include "ir/progress.h"

namespace tideline {

namespace {

using Json = nlohmann::ordered_json;

// Shown on the terminal only: no field of docs/formats/json.md.
bool is_terminal_only(std::string_view figure) {
  return figure == "frontier" || figure == "store_bytes";
}

template <typename T>
Json nullable(const std::optional<T>& value) {
  return value.has_value() ? Json(*value) : Json(nullptr);
}

Json leaf_value(const ir::Domain& domain, std::int64_t value) {
  if (value == ir::kUndefined)
    return nullptr;
  if (domain.kind == ir::DomainKind::kBoolean)
    return value != 0;
  const std::string text = domain.show(value);
  return text == std::to_string(value) ? Json(value) : Json(text);
}

Json state_json(const ir::Program& program, const Word* state) {
  Json result = Json::object();
  // Paths are distinct, so they are appended without the linear search that operator[] of an ordered object makes.
  auto& entries = result.get_ref<Json::object_t&>();
  ir::for_each_leaf(program, state, [&](const std::string& path, const ir::Domain& domain, std::int64_t value) {
    entries.emplace_back(path, leaf_value(domain, value));
  });
  return result;
}

Json steps_json(const ir::Program& program, const std::vector<ReplayedStep>& steps) {
  Json result = Json::array();
  for (const ReplayedStep& step : steps)
    result.push_back(Json{{"rule", step.rule}, {"state", state_json(program, step.state.data())}});
  return result;
}

const Counterexample* first_example(const RunReport& report) {
  return report.counterexamples.empty() ? nullptr : &report.counterexamples.front();
}

Json example_trace(const RunReport& report) {
  const Counterexample* example = first_example(report);
  return example == nullptr || example->steps.empty() ? Json(nullptr) : steps_json(*report.program, example->steps);
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json header(const std::string& model) {
  return Json{{"tool", "tideline"}, {"version", TIDELINE_VERSION}, {"model", model}};
}

Json location_json(Location where) {
  return where.line == 0 ? Json(nullptr) : Json{{"line", where.line}, {"column", where.column}};
}

const char* property_kind_name(ir::PropertyKind kind) {
  switch (kind) {
    case ir::PropertyKind::kInvariant:
      return "invariant";
    case ir::PropertyKind::kAssumption:
      return "assumption";
    case ir::PropertyKind::kCover:
      return "cover";
    case ir::PropertyKind::kLiveness:
      return "liveness";
  }
  return "?";
}

Json rules_json(const std::vector<ir::Rule>& rules) {
  Json result = Json::array();
  for (const ir::Rule& rule : rules)
    result.push_back(Json{{"name", rule.name}, {"line", rule.where.line}, {"instances", rule.command_count}});
  return result;
}

}  // namespace

std::string report_json(const RunReport& report) {
  Json json = header(report.model);
  json["search"] = report.search;
  json["engine"] = report.engine;
  json["threads"] = report.threads;
  json["symmetry"] = symmetry_name(report.symmetry);
  json["verdict"] = verdict_name(report.verdict);
  json["reason"] = reason_name(report.reason);
  const Counterexample* example = first_example(report);
  json["property"] = example == nullptr ? Json(nullptr) : nullable(example->property);
#define TIDELINE_FIELD(type, name, unit, meaning) \
  if (!is_terminal_only(#name))                   \
    json[#name] = nullable(report.figures.name);
  TIDELINE_FIGURES(TIDELINE_FIELD)
#undef TIDELINE_FIELD
  Json io = Json::object();
#define TIDELINE_FIELD(type, name, unit, meaning) io[#name] = report.figures.name.value_or(0);
  TIDELINE_IO_FIGURES(TIDELINE_FIELD)
#undef TIDELINE_FIELD
  json["io"] = std::move(io);
  // The searches of this version make no sweeps.
  json["sweep"] = Json{{"sweeps", nullptr},        {"layers", nullptr},        {"persistent", nullptr},
                       {"regress_edges", nullptr}, {"forward_edges", nullptr}, {"stationary_edges", nullptr},
                       {"largest_layer", nullptr}};
  json["trace"] = example_trace(report);
  return dump(json);
}

std::string trace_json(const RunReport& report) {
  const Counterexample* example = first_example(report);
  Json json = header(report.model);
  json["verdict"] = verdict_name(report.verdict);
  json["reason"] = reason_name(report.reason);
  json["property"] = example == nullptr ? Json(nullptr) : nullable(example->property);
  json["message"] = example == nullptr ? Json(nullptr) : Json(example->message);
  json["where"] = example == nullptr ? Json(nullptr) : location_json(example->where);
  json["failing_rule"] = example == nullptr ? Json(nullptr) : nullable(example->failing_rule);
  json["trace"] = example_trace(report);
  return dump(json);
}

std::string walk_json(const ir::Program& program, const std::string& model, const std::vector<ReplayedStep>& steps,
                      const std::string& message) {
  Json json = header(model);
  json["message"] = message.empty() ? Json(nullptr) : Json(message);
  json["trace"] = steps_json(program, steps);
  return dump(json);
}

std::string info_json(const ir::Program& program, const std::string& model) {
  Json json = header(model);
  json["state_bits"] = program.state_bits;
  json["state_bytes"] = (program.state_bits + 7) / 8;
  json["variables"] = Json::array();
  for (const ir::Variable& variable : program.variables) {
    const std::uint64_t bits = variable.type->bits;
    json["variables"].push_back(Json{{"name", variable.name},
                                     {"type", ir::show_type(*variable.type)},
                                     {"bits", bits},
                                     {"declared_bits", variable.declared_bits == 0 ? bits : variable.declared_bits}});
  }
  for (const ir::FixedVariable& fixed : program.fixed)
    json["variables"].push_back(Json{{"name", fixed.name},
                                     {"type", fmt::format("always {}", fixed.value)},
                                     {"bits", 0},
                                     {"declared_bits", fixed.declared_bits}});
  json["starts"] = rules_json(program.starts);
  json["rules"] = rules_json(program.rules);
  json["properties"] = Json::array();
  for (const ir::Property& property : program.properties)
    json["properties"].push_back(
        Json{{"kind", property_kind_name(property.kind)}, {"name", property.name}, {"line", property.where.line}});
  json["functions"] = Json::array();
  for (const ir::Function& function : program.functions)
    json["functions"].push_back(function.name);
  json["components"] = Json::array();
  for (const ir::Component& component : program.components)
    json["components"].push_back(Json{{"name", component.name}, {"bits", program.bits_of(component)}});
  json["progress"] = Json::array();
  for (const ir::ProgressComponent& component : program.progress)
    json["progress"].push_back(
        Json{{"text", component.text}, {"bits", ir::progress_bits(component)}, {"descending", component.descending}});
  return dump(json);
}

}  // namespace tideline
