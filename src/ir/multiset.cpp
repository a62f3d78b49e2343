// SPDX-License-Identifier: MIT
#include "ir/multiset.h"

#include <vector>

#include "ir/bits.h"

namespace tideline::ir {

// Insertion sort: multisets are short and nearly sorted.
void sort_slots(std::uint64_t* words, std::uint64_t at, std::uint64_t stride, std::uint64_t count) {
  std::vector<std::uint64_t> moved(stride / 64 + 2);
  for (std::uint64_t i = 1; i < count; ++i) {
    copy_bits(moved.data(), 0, words, at + i * stride, stride);
    std::uint64_t k = i;
    while (k > 0 && compare_bits(words, at + (k - 1) * stride, moved.data(), 0, stride) < 0) {
      copy_bits(words, at + k * stride, words, at + (k - 1) * stride, stride);
      --k;
    }
    if (k != i)
      copy_bits(words, at + k * stride, moved.data(), 0, stride);
  }
}

void sort_multisets(const Type& type, std::uint64_t* words, std::uint64_t at) {
  if (!type.contains_multiset())
    return;
  switch (type.kind) {
    case TypeKind::kSimple:
      break;
    case TypeKind::kArray:
      for (std::uint64_t i = 0; i < type.domain->hull().size(); ++i)
        sort_multisets(*type.element, words, at + i * type.stride());
      break;
    case TypeKind::kRecord:
      for (const Field& field : type.fields)
        sort_multisets(*field.type, words, at + field.offset);
      break;
    case TypeKind::kMultiset:
      sort_slots(words, at, type.stride(), type.domain->hull().size());
      break;
  }
}

}  // namespace tideline::ir
