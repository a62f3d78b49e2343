// SPDX-License-Identifier: MIT
#include "front/murphi/effects.h"

#include "front/murphi/symbols.h"

namespace tideline::murphi {
namespace {

bool writes_argument(const Call& call, std::size_t k) {
  return k < call.callee->effects.writes_parameter.size() && call.callee->effects.writes_parameter[k];
}

bool mark(bool& flag) {
  const bool is_news = !flag;
  flag = true;
  return is_news;
}

// One round of propagation through the calls of `caller` (null: a rule); true if something is new.
bool propagate(Effects* caller, const std::vector<Call>& calls) {
  bool is_news = false;
  for (const Call& call : calls) {
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      const Origin& origin = call.arguments[k];
      if (!writes_argument(call, k))
        continue;
      if (origin.kind == Origin::Kind::kState)
        is_news |= mark(call.callee->effects.writes_state);
      if (origin.kind == Origin::Kind::kParameter && caller != nullptr && !caller->writes_parameter[origin.parameter]) {
        caller->writes_parameter[origin.parameter] = true;
        is_news = true;
      }
    }
    if (caller != nullptr && call.callee->effects.writes_state)
      is_news |= mark(caller->writes_state);
  }
  return is_news;
}

}  // namespace

void finish_effects(const std::vector<FunctionInfo*>& functions, const std::vector<Call>& outside,
                    const std::vector<PureCall>& pure_calls, Diagnostics& diagnostics) {
  std::vector<Call> all_outside = outside;
  for (const PureCall& pure : pure_calls)
    all_outside.push_back(pure.call);
  bool is_news = true;
  while (is_news) {
    is_news = propagate(nullptr, all_outside);
    for (FunctionInfo* info : functions)
      is_news |= propagate(&info->effects, info->effects.calls);
  }
  for (FunctionInfo* info : functions) {
    info->function->writes_state = info->effects.writes_state;
    for (const Call& call : info->effects.calls)
      info->function->is_recursive |= call.callee == info;
  }
  for (const PureCall& pure : pure_calls) {
    if (pure.call.callee->effects.writes_state)
      diagnostics.error(
          pure.call.where,
          "'" + pure.call.callee->function->name + "' changes the state and cannot be called in " + pure.place,
          "only functions without side effects can");
  }
}

}  // namespace tideline::murphi
