// SPDX-License-Identifier: MIT
#include "store/signature_set.h"

#include <algorithm>
#include <cmath>

#include "store/key_set_impl.h"

namespace tideline {

double Signature::omission_probability(std::uint64_t states) const {
  const auto count = static_cast<double>(states);
  return std::min(1.0, std::ldexp(count * (count + 1), -static_cast<int>(bits_) - 1));
}

template class KeySet<Signature>;

}  // namespace tideline
