// SPDX-License-Identifier: MIT
// Which functions write the state. Guards, properties and the bindings of rules must not (invariant P3 of
// ir/program.h); whether a call does is known only when every call has been seen, because a var parameter may be bound
// to a state variable at one call and to a local one at another.
//
// A function writes the state if it assigns to a state variable, if it calls a function that writes the state, or if it
// writes a var parameter that is bound to a part of the state somewhere.
//
// Functions are declared before they are used, so the only recursion is a function that calls itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace tideline::murphi {

struct FunctionInfo;

// Where an object lives.
struct Origin {
  enum class Kind : std::uint8_t { kState, kLocal, kParameter } kind = Kind::kLocal;
  std::size_t parameter = 0;  // kParameter: which of the enclosing function's
};

struct Call {
  FunctionInfo* callee = nullptr;
  Location where;
  std::vector<Origin> arguments;  // by parameter; of by-value ones kLocal
};

// What a rule, property or function does, as far as this analysis needs it.
struct Effects {
  bool writes_state = false;
  std::vector<bool> writes_parameter;
  std::vector<Call> calls;
};

// A call in a place that must not write the state.
struct PureCall {
  Call call;
  const char* place = "";  // "a guard"
};

// Completes the effects of `functions` (in order of declaration) with those of their calls and of `outside`, the calls
// made by rules, and sets writes_state and is_recursive of each ir::Function. Reports the pure calls that write.
void finish_effects(const std::vector<FunctionInfo*>& functions, const std::vector<Call>& outside,
                    const std::vector<PureCall>& pure_calls, Diagnostics& diagnostics);

}  // namespace tideline::murphi
