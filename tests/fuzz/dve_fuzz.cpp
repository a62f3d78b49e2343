// SPDX-License-Identifier: MIT
// libFuzzer target for the DVE front end: whatever the bytes are, dve::parse returns a model or errors, the errors can
// be shown, and a model keeps what model.h promises. The first byte selects options, so that --define,
// --invariant and --progress texts are fuzzed as well.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "front/dve/parse.h"

namespace {

using namespace tideline::dve;

void require(bool condition) {
  if (!condition)
    std::abort();
}

// X1 and X2: operands first, and no deep trees.
void check_expressions(const Model& model) {
  std::vector<unsigned> depths;
  const auto depth = [&](ExprId operand) {
    require(operand == kNothing || operand < depths.size());
    return operand == kNothing ? 0 : depths[operand];
  };
  for (const Expr& expr : model.exprs) {
    depths.push_back(1 + std::max(depth(expr.left), depth(expr.right)));
    require(depths.back() <= kNestingMax);
    require(expr.op != Op::kVariable || !model.variables.at(expr.variable).is_array);
    require(expr.op != Op::kElement || model.variables.at(expr.variable).is_array);
    require(expr.op != Op::kInState || expr.state < model.processes.at(expr.process).states.size());
  }
}

void check_target(const Model& model, const Assignment& target) {
  const Variable& variable = model.variables.at(target.variable);
  require(!variable.is_constant && variable.is_array == (target.index != kNothing));
}

void check_transition(const Model& model, const Process& process, const Transition& one) {
  require(one.source < process.states.size() && one.target < process.states.size());
  require(one.guard == kNothing || one.guard < model.exprs.size());
  require((one.sync == SyncKind::kNone) == (one.channel == kNothing));
  for (const Assignment& target : one.received)
    check_target(model, target);
  for (const Assignment& target : one.effects)
    check_target(model, target);
  if (one.sync == SyncKind::kNone)
    return;
  const Channel& channel = model.channels.at(one.channel);
  require(!channel.is_typed || one.sent.size() + one.received.size() == channel.types.size());
}

// X3.
void check_processes(const Model& model) {
  for (const Process& process : model.processes) {
    require(!process.states.empty() && process.initial < process.states.size());
    for (const Transition& one : process.transitions)
      check_transition(model, process, one);
    for (const Assertion& one : process.assertions)
      require(one.state < process.states.size() && one.condition < model.exprs.size());
  }
}

void check_measure(const Model& model) {
  for (const MeasureComponent& one : model.progress)
    require((one.value == kNothing) ? one.process < model.processes.size() : one.value < model.exprs.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kBytesMax = std::size_t{64} << 10;
  if (size == 0 || size > kBytesMax)
    return 0;
  const std::uint8_t selector = data[0];
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view model_text =
      "const int N = 2; const byte A[2] = {3, 4}; byte x, y[3]; channel c; process P { byte z; state s, t; init s; "
      "trans s -> t { guard x < N; effect x = x + 1; }; } system async;";

  ParseOptions options;
  std::string_view text = input;
  if ((selector & 6) == 2) {
    options.defines.emplace_back("N", std::string(input));
    text = model_text;
  } else if ((selector & 6) == 4) {
    options.invariants.emplace_back(input);
    text = model_text;
  } else if ((selector & 6) == 6) {
    options.progress = input;
    text = model_text;
  }
  tideline::Diagnostics diagnostics("fuzz", text);
  const auto model = parse(text, options, diagnostics);
  // A model or errors, never both and never neither.
  require(model.has_value() != diagnostics.has_errors());
  if (model) {
    check_expressions(*model);
    check_processes(*model);
    check_measure(*model);
  }
  static_cast<void>(diagnostics.render());
  return 0;
}
