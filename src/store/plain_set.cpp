// SPDX-License-Identifier: MIT
#include "store/plain_set.h"

#include "store/array_set_impl.h"

namespace tideline {

template class ArraySet<WholeStates>;

}  // namespace tideline
