// SPDX-License-Identifier: MIT
// Calls. A function takes the context, the state and its parameters: a value as an int64_t, a packed object as a
// pointer to a copy that the caller made and the function owns, a reference as a pointer and a bit; last, where its
// result goes. It returns a status.
#include "exec/native/emitter.h"

namespace tideline::native {

void Emitter::pass_argument(const ir::Function& callee, std::size_t i, const ir::Argument& argument, bool keep,
                            std::string& passed) {
  const ir::Local& parameter = callee.frame.locals[i];
  switch (parameter.kind) {
    case ir::LocalKind::kValue: {
      std::string text = integer_for(value(*argument.value), *argument.value, *parameter.type->domain);
      passed += ", " + (keep ? named(plain(std::move(text))).text : text);
      break;
    }
    case ir::LocalKind::kAlias: {
      Address target = address(*argument.ref);
      if (keep)
        target = captured(std::move(target));
      passed += fmt::format(", (uint64_t*){}, {}", base_text(target), bit_text(target));
      break;
    }
    case ir::LocalKind::kPacked: {
      Address copy;
      if (argument.value) {
        const std::string code = named([&] {
                                   Value coded;
                                   coded.text =
                                       code_for(value(*argument.value), *argument.value, *parameter.type->domain);
                                   coded.domain = parameter.type->domain;
                                   return coded;
                                 }())
                                     .text;
        copy.base = declare_packed(parameter.type->bits);
        write_bits(copy, parameter.type->bits, code);
      } else {
        const Address from = address(*argument.ref);
        copy.base = declare_packed(parameter.type->bits);
        copy_bits(copy, from, parameter.type->bits);
      }
      passed += ", " + copy.base;
      break;
    }
  }
}

Value Emitter::call(const ir::Expr& expr) {
  const ir::Function& callee = *expr.callee;
  std::string passed = fmt::format("c, (uint64_t*){}", state_);
  for (std::size_t i = 0; i < expr.arguments.size(); ++i) {
    bool keep = false;
    for (std::size_t later = i + 1; later < expr.arguments.size(); ++later) {
      const ir::Argument& other = expr.arguments[later];
      keep = keep || (other.value && ir::Analysis::has_effects(*other.value)) ||
             (other.ref && ir::Analysis::has_effects(*other.ref));
    }
    pass_argument(callee, i, expr.arguments[i], keep, passed);
  }
  Value result = constant_value(ir::kUndefined);
  if (callee.result != nullptr) {
    result = plain(fmt::format("x{}", fresh()));
    out_.line("int64_t {};", result.text);
    passed += ", &" + result.text;
    result.may_be_undefined = module_.analysis.may_be_undefined(expr, frame_);
  }
  const std::string invocation = fmt::format("f{}({})", module_.function_numbers.at(&callee), passed);
  const bool fails = module_.analysis.may_fail(callee);
  if (module_.analysis.may_discard(callee)) {
    const std::string status = fmt::format("x{}", fresh());
    out_.line("const int {} = {};", status, invocation);
    out_.line("if (TL_SELDOM({} == TL_DISCARDED)) {}", status, exits_.discard);
    if (fails)
      fail_if(status);
  } else if (fails) {
    fail_if(invocation);
  } else {
    out_.line("(void){};", invocation);
  }
  return result;
}

}  // namespace tideline::native
