// SPDX-License-Identifier: MIT
#include "store/short_set.h"

#include "base/check.h"
#include "store/key_set_impl.h"

namespace tideline {

ShortKey::ShortKey(std::uint64_t state_bits) : state_bits_(state_bits), mix_(bits_for(state_bits)) {
  CHECK(state_bits <= kStateBitsMax);
}

template class KeySet<ShortKey>;

}  // namespace tideline
