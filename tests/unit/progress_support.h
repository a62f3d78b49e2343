// SPDX-License-Identifier: MIT
// For tests of progress measures: models from text, and keys of states by a small evaluator of our own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "exec/interp/interpreter.h"
#include "front/dve/dve.h"
#include "front/murphi/murphi.h"
#include "ir/bits.h"
#include "ir/progress.h"
#include "search/search.h"

namespace tideline::progress {

inline std::unique_ptr<ir::Program> load(const std::string& text, bool is_dve = false) {
  Diagnostics diagnostics("test", text);
  std::unique_ptr<ir::Program> program =
      is_dve ? dve::load("test.dve", text, {}, diagnostics) : murphi::load("test.m", text, {}, diagnostics);
  EXPECT_NE(program, nullptr) << diagnostics.render();
  return program;
}

// The interpreter, and nothing else.
class InterpSource final : public EngineSource {
 public:
  explicit InterpSource(const ir::Program& program) : engine_(program) {}
  Engine& current() override { return engine_; }
  Engine* poll() override { return nullptr; }

 private:
  InterpEngine engine_;
};

// Only what components are made from.
inline std::int64_t evaluate(const ir::Expr& expr, const Word* state) {
  using ir::ExprOp;
  const auto arg = [&](std::size_t i) { return evaluate(*expr.args[i], state); };
  const auto value = [state](const ir::Ref& ref) {
    return ref.type->domain->decode(ir::get_bits(state, ref.offset, ref.type->bits));
  };
  switch (expr.op) {
    case ExprOp::kConstant:
      return expr.constant;
    case ExprOp::kRead:
      return value(expr.refs[0]);
    case ExprOp::kIsUndefined:
      return value(expr.refs[0]) == ir::kUndefined ? 1 : 0;
    case ExprOp::kConditional:
      return arg(0) != 0 ? arg(1) : arg(2);
    case ExprOp::kLess:
      return arg(0) < arg(1) ? 1 : 0;
    case ExprOp::kAdd:
      return arg(0) + arg(1);
    case ExprOp::kSubtract:
      return arg(0) - arg(1);
    case ExprOp::kMultisetCount: {
      const ir::Ref& ref = expr.refs[0];
      std::int64_t count = 0;
      for (std::uint64_t i = 0; i < ref.type->domain->hull().size(); ++i)
        count += static_cast<std::int64_t>(ir::get_bits(state, ref.offset + (i + 1) * ref.type->stride() - 1, 1));
      return count;
    }
    default:
      ADD_FAILURE() << "an operator that no component has";
      return 0;
  }
}

inline std::uint64_t key_of(const std::vector<ir::ProgressComponent>& components, const Word* state) {
  std::uint64_t key = 0;
  for (const ir::ProgressComponent& component : components)
    key = (key << ir::progress_bits(component)) | ir::progress_code(component, evaluate(*component.value, state));
  return key;
}

}  // namespace tideline::progress
