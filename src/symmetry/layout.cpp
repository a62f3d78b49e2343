// SPDX-License-Identifier: MIT
#include "symmetry/layout.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/check.h"
#include "ir/bits.h"

namespace tideline::symmetry {
namespace {

bool same(const std::vector<Dimension>& a, const std::vector<Dimension>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dimension& x, const Dimension& y) { return x.first == y.first && x.stride == y.stride; });
}

std::uint64_t mask_of(std::uint64_t width) {
  return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width);
}

}  // namespace

// Walks the types of the variables and collects chunks.
class Layout::Builder {
 public:
  Builder(Layout& layout, const ir::Program& program) : layout_(layout), program_(program) {}

  void build(const Word* example) {
    layout_.fixed_.assign(program_.state_words(), 0);
    chunks_ = &layout_.chunks_;
    for (const ir::Variable& variable : program_.variables)
      walk(*variable.type, variable.offset);
    for (Chunk& chunk : layout_.chunks_)
      find_usual(chunk, example);
  }

 private:
  [[nodiscard]] const Scalarset* scalarset_at(const ir::Interval& values) const {
    const auto found = std::find_if(layout_.scalarsets_.begin(), layout_.scalarsets_.end(),
                                    [&values](const Scalarset& s) { return s.values == values; });
    return found == layout_.scalarsets_.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool names_elements(const ir::Domain& domain) const {
    return std::any_of(domain.parts.begin(), domain.parts.end(),
                       [this](const ir::Interval& part) { return scalarset_at(part) != nullptr; });
  }

  // Does a permutation change objects of this type?
  [[nodiscard]] bool is_affected(const ir::Type& type) const {
    switch (type.kind) {
      case ir::TypeKind::kSimple:
        return names_elements(*type.domain);
      case ir::TypeKind::kArray:
        return names_elements(*type.domain) || is_affected(*type.element);
      case ir::TypeKind::kRecord:
        return std::any_of(type.fields.begin(), type.fields.end(),
                           [this](const ir::Field& field) { return is_affected(*field.type); });
      case ir::TypeKind::kMultiset:
        return is_affected(*type.element);
    }
    return false;
  }

  void walk(const ir::Type& type, std::uint64_t bit) {
    if (!is_affected(type)) {
      add_plain(bit, type.bits);
      return;
    }
    switch (type.kind) {
      case ir::TypeKind::kSimple:
        add_reference(*type.domain, bit);
        break;
      case ir::TypeKind::kArray:
        walk_array(type, bit);
        break;
      case ir::TypeKind::kRecord:
        for (const ir::Field& field : type.fields)
          walk(*field.type, bit + field.offset);
        break;
      case ir::TypeKind::kMultiset:
        walk_multiset(type, bit);
        break;
    }
  }

  void walk_array(const ir::Type& type, std::uint64_t bit) {
    const ir::Interval hull = type.domain->hull();
    const auto bit_of = [&](std::int64_t index) {
      return bit + static_cast<std::uint64_t>(index - hull.lo) * type.stride();
    };
    std::int64_t next = hull.lo;  // of the indices walked so far; gaps between the parts of a union are fixed
    std::vector<ir::Interval> parts = type.domain->parts;
    std::sort(parts.begin(), parts.end(), [](const ir::Interval& a, const ir::Interval& b) { return a.lo < b.lo; });
    for (const ir::Interval& part : parts) {
      if (next < part.lo)
        fix(bit_of(next), bit_of(part.lo) - bit_of(next));
      next = part.hi + 1;
      if (const Scalarset* scalarset = scalarset_at(part)) {
        dimensions_.push_back({scalarset->first, scalarset->count, type.stride()});
        walk(*type.element, bit_of(part.lo));
        dimensions_.pop_back();
        continue;
      }
      for (std::int64_t index = part.lo; index <= part.hi; ++index)
        walk(*type.element, bit_of(index));
    }
  }

  void walk_multiset(const ir::Type& type, std::uint64_t bit) {
    MultisetSite site;
    site.dimensions = dimensions_;
    site.bit = bit;
    site.slots = type.domain->hull().size();
    site.stride = type.stride();
    CHECK(chunks_ == &layout_.chunks_);  // front ends refuse multisets in multisets
    chunks_ = &site.chunks;
    std::vector<Dimension> outer = std::exchange(dimensions_, {});
    walk(*type.element, 0);
    dimensions_ = std::move(outer);
    chunks_ = &layout_.chunks_;
    site.has_dimensions = std::any_of(site.chunks.begin(), site.chunks.end(),
                                      [](const Chunk& chunk) { return !chunk.dimensions.empty(); });
    layout_.multisets_.push_back(std::move(site));
  }

  [[nodiscard]] bool in_multiset() const { return chunks_ != &layout_.chunks_; }

  void fix(std::uint64_t bit, std::uint64_t width) {
    if (in_multiset())
      return;
    for (; width > 0; ++bit, --width)
      layout_.fixed_[bit / 64] |= Word{1} << (bit % 64);
  }

  void add_plain(std::uint64_t bit, std::uint64_t width) {
    if (!in_multiset() && dimensions_.empty()) {
      fix(bit, width);
      return;
    }
    while (width > 0) {
      const std::uint64_t some = std::min(width, kChunkBits);
      add_bits(bit, static_cast<unsigned>(some));
      bit += some;
      width -= some;
    }
  }

  // The chunk that ends with these bits: the one before, if there is room, or a new one.
  Chunk& add_bits(std::uint64_t bit, unsigned width) {
    if (!chunks_->empty()) {
      Chunk& last = chunks_->back();
      if (same(last.dimensions, dimensions_) && last.bit + last.width == bit && last.width + width <= kChunkBits) {
        last.width += width;
        return last;
      }
    }
    Chunk chunk;
    chunk.dimensions = dimensions_;
    chunk.bit = bit;
    chunk.width = width;
    chunks_->push_back(std::move(chunk));
    return chunks_->back();
  }

  void add_reference(const ir::Domain& domain, std::uint64_t bit) {
    const unsigned width = domain.bits();
    Chunk& chunk = add_bits(bit, width);
    Reference reference;
    reference.shift = chunk.width - width;
    reference.mask = mask_of(width);
    reference.elements = table_of(domain);
    chunk.references.push_back(reference);
  }

  const std::vector<Element>* table_of(const ir::Domain& domain) {
    const std::vector<Element>*& known = table_by_domain_[&domain];
    if (known != nullptr)
      return known;
    auto table = std::make_unique<std::vector<Element>>(std::size_t{1} << domain.bits(), kNoElement);
    for (const ir::Interval& part : domain.parts) {
      const Scalarset* scalarset = scalarset_at(part);
      for (Element k = 0; scalarset != nullptr && k < scalarset->count; ++k)
        (*table)[domain.encode(part.lo + k)] = static_cast<Element>(scalarset->first + k);
    }
    known = table.get();
    layout_.tables_.push_back(std::move(table));
    return known;
  }

  // An off-diagonal instance, in case it is an array over pairs of the same scalarset.
  static void find_usual(Chunk& chunk, const Word* example) {
    std::uint64_t bit = chunk.bit;
    for (std::size_t i = 1; i < chunk.dimensions.size(); ++i)
      bit += chunk.dimensions[i].stride * (i % chunk.dimensions[i].count);
    chunk.usual = ir::get_bits(example, bit, chunk.width);
    for (const Reference& reference : chunk.references)
      if ((*reference.elements)[(chunk.usual >> reference.shift) & reference.mask] != kNoElement)
        chunk.usual &= ~(reference.mask << reference.shift);
  }

  Layout& layout_;
  const ir::Program& program_;
  std::vector<Chunk>* chunks_ = nullptr;  // where new chunks go: the layout's, or those of a multiset
  std::vector<Dimension> dimensions_;     // of the arrays around the walk's place
  std::map<const ir::Domain*, const std::vector<Element>*> table_by_domain_;
};

Layout::Layout(const ir::Program& program, const std::vector<ir::Interval>& scalarsets, const Word* example) {
  for (const ir::Interval& values : scalarsets) {
    CHECK(values.size() + elements_ <= kElementsMax);
    scalarsets_.push_back({values, static_cast<Element>(elements_), static_cast<Element>(values.size())});
    elements_ += values.size();
  }
  Builder(*this, program).build(example);
}

}  // namespace tideline::symmetry
