// SPDX-License-Identifier: MIT
#include "exec/native/guard_masks.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/check.h"
#include "ir/walk.h"

namespace tideline::native {
namespace {

constexpr std::uint64_t kInstancesMax = 64;  // bits of a word
constexpr std::uint64_t kCodesMax = 64;      // words of an index

// A conjunct that can be evaluated first.
struct Candidate {
  GuardMask mask;
  std::string condition;    // statements that put it into a word
  std::string index;        // statements that put the variable it compares with a constant into an index; or none
  std::uint64_t codes = 0;  // words of the index
  std::uint64_t code = 0;   // of the constant
};

bool is_plain(const ir::Expr& expr) {
  bool plain = true;
  ir::for_each_expr(expr, [&plain](const ir::Expr& part) {
    plain = plain && part.op != ir::ExprOp::kCall && part.op != ir::ExprOp::kForall && part.op != ir::ExprOp::kExists &&
            part.op != ir::ExprOp::kMultisetCount;
  });
  return plain;
}

// `read = constant`, in either order: the read, if it is one of the state, whose values are codes. (A parameter is a
// number.)
const ir::Expr* compared_read(const ir::Expr& expr, std::int64_t& constant) {
  if (expr.op != ir::ExprOp::kEqual)
    return nullptr;
  for (const std::size_t i : {0U, 1U}) {
    const ir::Expr& read = *expr.args[i];
    const ir::Expr& other = *expr.args[1 - i];
    if (read.op == ir::ExprOp::kRead && read.refs[0].root != ir::Root::kLocal && other.op == ir::ExprOp::kConstant) {
      constant = other.constant;
      return &read;
    }
  }
  return nullptr;
}

bool is_increasing(const ir::Domain& domain) {
  return std::is_sorted(domain.parts.begin(), domain.parts.end(),
                        [](const ir::Interval& a, const ir::Interval& b) { return a.lo < b.lo; });
}

// The candidates of one guard.
class Finder {
 public:
  Finder(const Module& module, const GuardMasks::Guard& guard)
      : module_(module),
        rule_(*guard.rule),
        instances_(module, guard.rule->frame, guard.rule->bindings, guard.conjuncts) {}

  std::vector<Candidate> find() {
    std::vector<Candidate> found;
    if (instances_.loops_may_fail())  // M2
      return found;
    for (const Instances::Conjunct& conjunct : instances_.conjuncts()) {
      if (conjunct.may_fail || module_.analysis.may_cover(*conjunct.expr))  // M1
        break;
      if (std::optional<Candidate> candidate = candidate_of(*conjunct.expr))
        found.push_back(std::move(*candidate));
    }
    return found;
  }

 private:
  std::optional<Candidate> candidate_of(const ir::Expr& conjunct) {
    needed_.assign(rule_.frame.locals.size(), false);
    need(conjunct);
    Candidate made;
    made.mask.conjunct = &conjunct;
    for (std::size_t k = instances_.depth(); k >= 1; --k) {
      if (!needed_[instances_.loop(k).slot])
        continue;
      made.mask.first = k;
      made.mask.last = std::max(made.mask.last, k);
    }
    if (!is_plain(conjunct) || made.mask.last == 0 || !loops_fit(made.mask))
      return {};
    made.condition = condition_text(made.mask, conjunct);
    std::int64_t constant = 0;
    const ir::Expr* read = compared_read(conjunct, constant);
    if (read == nullptr)
      return made;
    const ir::Domain& domain = *read->refs[0].type->domain;
    if (domain.codes() > kCodesMax || !domain.contains(constant))
      return made;
    made.index = index_text(made.mask, *read);
    made.codes = domain.codes();
    made.code = domain.encode(constant);
    return made;
  }

  void need(const ir::Expr& expr) {
    ir::for_each_ref(expr, [this](const ir::Ref& ref) { need_slot(ref); });
  }

  // What a slot is bound to is needed as well.
  void need_slot(const ir::Ref& ref) {
    if (ref.root == ir::Root::kState || needed_[ref.slot])
      return;
    needed_[ref.slot] = true;
    for (const ir::Binding& binding : rule_.bindings) {
      if (binding.slot != ref.slot)
        continue;
      if (binding.kind == ir::BindingKind::kValue) {
        need(*binding.value);
      } else if (binding.kind != ir::BindingKind::kParameter) {
        need_slot(binding.ref);
        ir::for_each_index(binding.ref, [this](const ir::Expr& index) { need(index); });
      }
    }
  }

  [[nodiscard]] bool loops_fit(const GuardMask& mask) const {
    std::uint64_t instances = 1;
    for (std::size_t k = mask.first; k <= mask.last; ++k) {
      const ir::Binding& loop = instances_.loop(k);
      if (loop.kind != ir::BindingKind::kParameter || !is_increasing(*loop.domain))  // M3
        return false;
      const std::uint64_t size = loop.domain->hull().size();
      if (size > kInstancesMax || (instances *= size) > kInstancesMax)
        return false;
    }
    return instances > 1;
  }

  std::string condition_text(const GuardMask& mask, const ir::Expr& conjunct) {
    Emitter emitter(module_, rule_.frame);
    emitter.out().line("uint64_t q0 = 0;");
    loops(emitter, mask, mask.first, [&](const std::string& bit) {
      const std::string truth = truth_text(emitter.needed(conjunct), true);
      emitter.out().line("q0 |= (uint64_t)!!({}) << ({});", truth, bit);
    });
    emitter.out().line("w[0] = q0;");
    return emitter.out().str();
  }

  std::string index_text(const GuardMask& mask, const ir::Expr& read) {
    Emitter emitter(module_, rule_.frame);
    const ir::Domain& domain = *read.refs[0].type->domain;
    emitter.out().line("memset(w, 0, {} * sizeof *w);", domain.codes());
    loops(emitter, mask, mask.first, [&](const std::string& bit) {
      const Value value = emitter.value(read);
      CHECK(value.constant || value.domain != nullptr);
      const std::string code = value.constant ? unsigned_literal(domain.encode(*value.constant)) : value.text;
      emitter.out().line("w[{}] |= 1ull << ({});", code, bit);
    });
    return emitter.out().str();
  }

  // The loops from level k on around what `body` emits.
  template <typename Body>
  void loops(Emitter& emitter, const GuardMask& mask, std::size_t k, const Body& body) {
    emitter.set_state("s");
    emitter.exits() = {"return;", "return;", ""};  // not reached (M1, M2)
    if (k <= mask.last) {
      const ir::Binding& loop = instances_.loop(k);
      emitter.for_each_member(*loop.domain, emitter.slot_name(loop.slot), [&] { loops(emitter, mask, k + 1, body); });
      return;
    }
    for (const ir::Binding& binding : rule_.bindings) {
      if (!needed_[binding.slot])
        continue;
      if (binding.kind == ir::BindingKind::kAlias)
        emitter.bind(binding.slot, binding.ref);
      else if (binding.kind == ir::BindingKind::kValue)
        emitter.out().line("const int64_t {} = {};", emitter.slot_name(binding.slot),
                           emitter.as_integer(emitter.value(*binding.value)));
    }
    body(instance_bit_text(instances_, emitter, mask.first, mask.last));
  }

  const Module& module_;
  const ir::Rule& rule_;
  Instances instances_;
  std::vector<bool> needed_;  // slots that the conjunct depends on
};

}  // namespace

std::string instance_bit_text(const Instances& instances, const Emitter& emitter, std::size_t first, std::size_t last) {
  std::string text;
  std::uint64_t weight = 1;
  for (std::size_t k = last; k >= first; --k) {
    const ir::Interval hull = instances.loop(k).domain->hull();
    Value parameter;
    parameter.text = emitter.slot_name(instances.loop(k).slot);
    text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", position_text(parameter, hull.lo), weight);
    weight *= hull.size();
  }
  return text;
}

GuardMasks::GuardMasks(const Module& module, const std::vector<Guard>& guards)
    : module_(module), masks_(guards.size()) {
  std::vector<std::vector<Candidate>> candidates;
  std::unordered_map<std::string, std::size_t> uses;
  for (const Guard& guard : guards) {
    candidates.push_back(Finder(module_, guard).find());
    for (const Candidate& candidate : candidates.back()) {
      ++uses[candidate.condition];
      ++uses[candidate.index];
    }
  }
  uses[""] = 0;
  std::unordered_map<std::string, std::size_t> places;  // the first word that a text fills
  CText functions;
  CText calls;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const auto best =
        std::max_element(candidates[i].begin(), candidates[i].end(), [&](const Candidate& a, const Candidate& b) {
          return std::max(uses[a.condition], uses[a.index]) < std::max(uses[b.condition], uses[b.index]);
        });
    if (best == candidates[i].end())
      continue;
    const bool is_index = uses[best->index] > uses[best->condition];
    const std::string& text = is_index ? best->index : best->condition;
    const auto [place, is_new] = places.emplace(text, words_);
    if (is_new) {
      words_ += is_index ? best->codes : 1;
      const std::size_t number = places.size() - 1;
      functions.open("static void w{}(tl_context* c, const uint64_t* restrict s, uint64_t* restrict w) {{", number);
      functions.append(text);
      functions.close();
      calls.line("w{}(c, s, m + {});", number, place->second);
    }
    masks_[i] = best->mask;
    masks_[i].word = place->second + (is_index ? best->code : 0);
  }
  functions_ = functions.str();
  calls_ = calls.str();
}

}  // namespace tideline::native
