// SPDX-License-Identifier: MIT
#include "store/state_cache.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {

StateCache::StateCache(std::uint64_t state_bits, bool one_thread, PageBuffer pages)
    : cell_bytes_(std::max<std::uint64_t>(1, (state_bits + 31) / 32) * 4),
      bucket_bytes_(kHeader + kWays * cell_bytes_),
      one_thread_(one_thread),
      pages_(std::move(pages)),
      buckets_(pages_.size() / bucket_bytes_) {
  CHECK(buckets_ > 0);
}

}  // namespace tideline
