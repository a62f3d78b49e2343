// SPDX-License-Identifier: MIT
// References: addresses, reading and writing runs of bits.
#include <algorithm>

#include "base/check.h"
#include "exec/native/emitter.h"

namespace tideline::native {
namespace {

constexpr std::uint64_t kWordBits = 64;
constexpr std::uint64_t kChunkBits = 56;  // as TL_CHUNK
// Longer runs are left to a helper function instead of straight code.
constexpr std::uint64_t kInlineBitsMax = 4 * kChunkBits;

std::string mask_literal(std::uint64_t width) {
  return fmt::format("0x{:x}ull", width >= kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
}

// Lets a statement use the bit offset several times.
bool is_short(const std::string& text) {
  return text.size() <= 8;
}

}  // namespace

bool Emitter::is_value_slot(const ir::Ref& ref) const {
  return ref.root == ir::Root::kLocal && frame_.locals[ref.slot].kind == ir::LocalKind::kValue;
}

std::string Emitter::base_text(const Address& address) const {
  return address.base.empty() ? state_ : address.base;
}

Address Emitter::address(const ir::Ref& ref) {
  Address result;
  if (ref.root != ir::Root::kState)
    result = places_[ref.slot];
  for (std::size_t i = 0; i < ref.subscripts.size(); ++i) {
    const ir::Subscript& subscript = ref.subscripts[i];
    const ir::Interval hull = subscript.domain->hull();
    result.offset += subscript.offset_before;
    Value index = needed(*subscript.index);
    const bool later_effects =
        std::any_of(ref.subscripts.begin() + static_cast<std::ptrdiff_t>(i) + 1, ref.subscripts.end(),
                    [](const ir::Subscript& later) { return ir::Analysis::has_effects(*later.index); });
    const bool fits = ir::Analysis::fits(*subscript.index, *subscript.domain);
    if (!fits || later_effects)
      index = named(std::move(index));
    if (!fits)
      fail_if("!" + in_domain_text(index, *subscript.domain));
    if (index.constant && subscript.domain->contains(*index.constant)) {
      result.offset += static_cast<std::uint64_t>(*index.constant - hull.lo) * subscript.stride;
    } else {
      Term term;
      term.position = shortened(plain(position_text(index, hull.lo))).text;
      const ir::Interval range = subscript.index->range;
      term.position_min = static_cast<std::uint64_t>(std::clamp(range.lo, hull.lo, hull.hi) - hull.lo);
      term.position_max = static_cast<std::uint64_t>(std::clamp(range.hi, hull.lo, hull.hi) - hull.lo);
      term.stride = subscript.stride;
      result.terms.push_back(std::move(term));
    }
    if (subscript.is_slot) {
      const Address flag = result.plus(subscript.stride - 1);
      fail_if(fmt::format("{} == 0", read_bits(flag, 1)));
    }
  }
  result.offset += ref.offset;
  return result;
}

Address Emitter::captured(Address address) {
  for (Term& term : address.terms) {
    const std::string name = fmt::format("i{}", fresh());
    out_.line("const uint64_t {} = {};", name, term.position);
    term.position = name;
  }
  if (!address.bit.empty()) {
    const unsigned number = fresh();
    out_.line("uint64_t* const q{} = {};", number, address.base);
    out_.line("const uint64_t i{} = {};", number, address.bit);
    address.base = fmt::format("q{}", number);
    address.bit = fmt::format("i{}", number);
  }
  return address;
}

void Emitter::bind(ir::SlotIndex slot, const ir::Ref& ref) {
  const Address target = address(ref);
  if (bind_counts_[slot] <= 1) {
    places_[slot] = captured(target);
    return;
  }
  out_.line("p{} = {};", slot, base_text(target));
  out_.line("b{} = {};", slot, bit_text(target));
}

void Emitter::set_packed(ir::SlotIndex slot, std::string pointer) {
  places_[slot].base = std::move(pointer);
}

std::string Emitter::read_bits(const Address& address, std::uint64_t width) {
  if (width == 0)
    return "0ull";
  const std::string base = base_text(address);
  const std::uint64_t first = address.offset % kWordBits;
  switch (reach_of(address, width)) {
    case Reach::kOneWord: {
      const std::uint64_t word = word_of(address);
      if (address.is_constant()) {
        if (first == 0)
          return fmt::format("({}[{}] & {})", base, word, mask_literal(width));
        if (first + width == kWordBits)
          return fmt::format("({}[{}] >> {})", base, word, first);
        return fmt::format("(({}[{}] >> {}) & {})", base, word, first, mask_literal(width));
      }
      Address inside = address;
      inside.offset -= word * kWordBits;  // may wrap; the terms bring it back
      return fmt::format("(({}[{}] >> {}) & {})", base, word, bit_text(inside), mask_literal(width));
    }
    case Reach::kTwoWords:
      return fmt::format("((({}[{}] >> {}) | ({}[{}] << {})) & {})", base, word_of(address), first, base,
                         word_of(address) + 1, kWordBits - first, mask_literal(width));
    case Reach::kInWord: {
      std::string bit = bit_text(address);
      if (!is_short(bit)) {
        const std::string name = fmt::format("i{}", fresh());
        out_.line("const uint64_t {} = {};", name, bit);
        bit = name;
      }
      return fmt::format("(({}[{} >> 6] >> ({} & 63)) & {})", base, bit, bit, mask_literal(width));
    }
    case Reach::kUnaligned:
      return fmt::format("{}({}, {}, {})", base == "s" ? "tl_peek" : "tl_get", base, bit_text(address),
                         mask_literal(width));
  }
  return "";
}

void Emitter::write_bits(const Address& address, std::uint64_t width, const std::string& code) {
  if (width == 0)
    return;
  const std::string base = base_text(address);
  const std::uint64_t first = address.offset % kWordBits;
  const std::string mask = mask_literal(width);
  switch (reach_of(address, width)) {
    case Reach::kOneWord: {
      const std::uint64_t word = word_of(address);
      std::string shift = fmt::format("{}", first);
      if (!address.is_constant()) {
        Address inside = address;
        inside.offset -= word * kWordBits;
        shift = fmt::format("i{}", fresh());
        out_.line("const uint64_t {} = {};", shift, bit_text(inside));
      }
      out_.line("{}[{}] = ({}[{}] & ~({} << {})) | ({} << {});", base, word, base, word, mask, shift, code, shift);
      return;
    }
    case Reach::kTwoWords: {
      const std::uint64_t word = word_of(address);
      const std::uint64_t low = kWordBits - first;
      const std::string name = fmt::format("x{}", fresh());
      out_.line("const uint64_t {} = {};", name, code);
      out_.line("{}[{}] = ({}[{}] & ~({} << {})) | ({} << {});", base, word, base, word, mask, first, name, first);
      out_.line("{}[{}] = ({}[{}] & ~({} >> {})) | ({} >> {});", base, word + 1, base, word + 1, mask, low, name, low);
      return;
    }
    case Reach::kInWord: {
      const std::string bit = fmt::format("i{}", fresh());
      out_.line("const uint64_t {} = {};", bit, bit_text(address));
      out_.line("{}[{} >> 6] = ({}[{} >> 6] & ~({} << ({} & 63))) | ({} << ({} & 63));", base, bit, base, bit, mask,
                bit, code, bit);
      return;
    }
    case Reach::kUnaligned:
      out_.line("tl_put({}, {}, {}, {});", base, bit_text(address), mask, code);
      return;
  }
}

void Emitter::copy_bits(const Address& to, const Address& from, std::uint64_t width) {
  if (width > kInlineBitsMax) {
    out_.line("tl_copy({}, {}, {}, {}, {}ull);", base_text(to), bit_text(to), base_text(from), bit_text(from), width);
    return;
  }
  for (std::uint64_t done = 0; done < width; done += kChunkBits) {
    const std::uint64_t some = std::min(kChunkBits, width - done);
    write_bits(to.plus(done), some, read_bits(from.plus(done), some));
  }
}

void Emitter::zero_bits(const Address& address, std::uint64_t width) {
  if (width > kInlineBitsMax) {
    out_.line("tl_zero({}, {}, {}ull);", base_text(address), bit_text(address), width);
    return;
  }
  for (std::uint64_t done = 0; done < width; done += kChunkBits)
    write_bits(address.plus(done), std::min(kChunkBits, width - done), "0ull");
}

void Emitter::clear_object(const Address& address, const ir::Type& type) {
  switch (type.kind) {
    case ir::TypeKind::kSimple:
      write_bits(address, type.bits, unsigned_literal(type.domain->encode(type.domain->hull().lo)));
      break;
    case ir::TypeKind::kArray: {
      const std::string name = fmt::format("k{}", fresh());
      const ir::Interval hull = type.domain->hull();
      for_each_member(*type.domain, name, [&] {
        Address element = address;
        Value index;
        index.text = name;
        element.terms.push_back({position_text(index, hull.lo), 0, hull.size() - 1, type.stride()});
        clear_object(element, *type.element);
      });
      break;
    }
    case ir::TypeKind::kRecord:
      for (const ir::Field& field : type.fields)
        clear_object(address.plus(field.offset), *field.type);
      break;
    case ir::TypeKind::kMultiset:
      zero_bits(address, type.bits);
      break;
  }
}

Value Emitter::same_bits(const ir::Expr& expr) {
  Address left = address(expr.refs[0]);
  if (ir::Analysis::has_effects(expr.refs[1]))
    left = captured(std::move(left));
  const Address right = address(expr.refs[1]);
  const std::uint64_t width = expr.refs[0].type->bits;
  if (width == 0)
    return constant_value(1);
  if (width <= kChunkBits)
    return plain(fmt::format("({} == {})", read_bits(left, width), read_bits(right, width)));
  return plain(fmt::format("tl_same({}, {}, {}, {}, {}ull)", base_text(left), bit_text(left), base_text(right),
                           bit_text(right), width));
}

std::string Emitter::occupied_text(const Address& multiset, const ir::Type& type, const std::string& position) {
  Address slot = multiset.plus(type.stride() - 1);
  slot.terms.push_back({position, 0, type.domain->hull().size() - 1, type.stride()});
  return fmt::format("({} != 0)", read_bits(slot, 1));
}

std::string Emitter::code_for(Value value, const ir::Expr& expr, const ir::Domain& domain) {
  const std::int64_t bias = code_bias(domain);
  if (value.constant) {
    const bool possible = *value.constant == ir::kUndefined ? domain.has_undefined : domain.contains(*value.constant);
    if (possible)
      return unsigned_literal(domain.encode(*value.constant));
    out_.line("{}", exits_.fail);
    return "0ull";
  }
  if (!domain.has_undefined)
    value = defined(std::move(value));
  if (ir::Analysis::fits(expr, domain) && value.domain != nullptr) {
    const std::int64_t shift = code_bias(*value.domain) - bias;
    if (shift == 0)
      return value.text;
    if (!value.may_be_undefined)
      return native::plus(value.text, shift);
    value = named(std::move(value));
    return fmt::format("({} ? {} : 0)", value.text, native::plus(value.text, shift));
  }
  const bool uses_twice = value.may_be_undefined || !ir::Analysis::fits(expr, domain);
  if (uses_twice) {
    if (value.domain != nullptr) {
      value = named(std::move(value));  // decoding may use it twice
      value.text = integer_text(value);
      value.domain = nullptr;
    }
    value = named(std::move(value));
  }
  if (!ir::Analysis::fits(expr, domain)) {
    const std::string wrong = "!" + in_domain_text(value, domain);
    fail_if(value.may_be_undefined ? fmt::format("{} != TL_UNDEFINED && {}", value.text, wrong) : wrong);
  }
  const std::string code = position_text(value, bias);
  return value.may_be_undefined ? fmt::format("({} == TL_UNDEFINED ? 0 : {})", value.text, code) : code;
}

std::string Emitter::integer_for(Value value, const ir::Expr& expr, const ir::Domain& domain) {
  if (value.domain != nullptr && value.may_be_undefined)
    value = named(std::move(value));
  const bool fits = value.constant ? *value.constant == ir::kUndefined || domain.contains(*value.constant)
                                   : ir::Analysis::fits(expr, domain);
  if (fits)
    return integer_text(value);
  Value integer = plain(integer_text(value));
  integer.may_be_undefined = value.may_be_undefined;
  integer = named(std::move(integer));
  const std::string wrong = "!" + in_domain_text(integer, domain);
  fail_if(integer.may_be_undefined ? fmt::format("{} != TL_UNDEFINED && {}", integer.text, wrong) : wrong);
  return integer.text;
}

}  // namespace tideline::native
