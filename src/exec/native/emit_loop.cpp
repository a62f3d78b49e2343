// SPDX-License-Identifier: MIT
// Loops: over domains, over computed bounds, over the occupied slots of a multiset.
#include "exec/native/emitter.h"

namespace tideline::native {

void Emitter::for_each_member(const ir::Domain& domain, const std::string& name, const std::function<void()>& body) {
  const std::vector<ir::Interval> parts = joined_parts(domain);
  if (parts.size() == 1) {
    const ir::Interval part = parts.front();
    if (part.lo == part.hi) {
      out_.open("{{");
      out_.line("const int64_t {} = {};", name, signed_literal(part.lo));
    } else {
      out_.open("for (int64_t {} = {}; {} <= {}; {}++) {{", name, signed_literal(part.lo), name,
                signed_literal(part.hi), name);
    }
    body();
    out_.close();
    return;
  }
  const std::string table = fmt::format("d{}", fresh());
  const std::string row = fmt::format("k{}", fresh());
  std::string rows;
  for (const ir::Interval& part : parts)
    rows += fmt::format("{{{}, {}}}, ", signed_literal(part.lo), signed_literal(part.hi));
  out_.open("{{");
  out_.line("static const int64_t {}[{}][2] = {{{}}};", table, parts.size(), rows);
  out_.open("for (unsigned {} = 0; {} < {}; {}++) {{", row, row, parts.size(), row);
  out_.open("for (int64_t {} = {}[{}][0]; {} <= {}[{}][1]; {}++) {{", name, table, row, name, table, row, name);
  body();
  out_.close();
  out_.close();
  out_.close();
}

std::string Emitter::loop_name(ir::SlotIndex slot) {
  return is_assigned(slot) ? fmt::format("k{}", fresh()) : slot_name(slot);
}

void Emitter::copy_loop_name(ir::SlotIndex slot, const std::string& name) {
  if (is_assigned(slot))
    out_.line("int64_t {} = {};", slot_name(slot), name);
}

void Emitter::for_each_value(const ir::LoopRange& loop, ir::SlotIndex slot, const std::function<void()>& body) {
  const std::string name = loop_name(slot);
  auto turn = [&] {
    copy_loop_name(slot, name);
    body();
  };
  if (loop.domain != nullptr) {
    for_each_member(*loop.domain, name, turn);
    return;
  }
  out_.open("{{");  // the bounds' names
  const Value from = named(needed(*loop.from));
  const Value to = named(needed(*loop.to));
  Value by = loop.by ? named(needed(*loop.by)) : constant_value(1);
  if (loop.by && loop.by->range.contains(0))
    fail_if(integer_text(by) + " == 0");
  const std::string last = integer_text(to);
  const std::string step = integer_text(by);
  const bool goes_up = !loop.by || loop.by->range.lo > 0;
  const bool goes_down = loop.by && loop.by->range.hi < 0;
  const std::string more = goes_up     ? fmt::format("{} <= {}", name, last)
                           : goes_down ? fmt::format("{} >= {}", name, last)
                                       : fmt::format("({} > 0 ? {} <= {} : {} >= {})", step, name, last, name, last);
  // The step after the last turn may leave the 64 bits, unless it is 1 and the bound is not extreme.
  const bool plain = !loop.by && loop.to->range.hi < INT64_MAX;
  out_.open("for (int64_t {} = {}; {};{}) {{", name, integer_text(from), more, plain ? " " + name + "++" : "");
  turn();
  if (!plain)
    out_.line("if (__builtin_add_overflow({}, {}, &{})) break;", name, step, name);
  out_.close();
  out_.close();
}

void Emitter::for_each_occupied(const Address& multiset, const ir::Type& type, ir::SlotIndex slot,
                                const std::function<void()>& body) {
  const std::string name = slot_name(slot);
  out_.open("for (int64_t {} = 0; {} < {}; {}++) {{", name, name, type.domain->hull().size(), name);
  out_.open("if {} {{", occupied_text(multiset, type, "(uint64_t)" + name));
  body();
  out_.close();
  out_.close();
}

}  // namespace tideline::native
