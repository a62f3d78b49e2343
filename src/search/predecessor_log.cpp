// SPDX-License-Identifier: MIT
#include "search/predecessor_log.h"

#include <algorithm>

#include "base/check.h"

namespace tideline {
namespace {

constexpr std::uint64_t kNumberBytesMax = 10;

}  // namespace

bool PredecessorLog::add(std::span<const ir::CommandId> commands) {
  const std::uint64_t most = end_ + (commands.size() + 1) * kNumberBytesMax;
  if (most > bytes_.size() && !bytes_.extend_to(most + most / 16) && !bytes_.extend_to(most))
    return false;
  if (records_++ % kRecordsPerMark == 0)
    marks_.push_back({states_, end_});
  write(commands.size());
  for (const ir::CommandId command : commands)
    write(command);
  states_ += commands.size();
  return true;
}

PredecessorLog::Origin PredecessorLog::origin(std::uint64_t state) const {
  CHECK(state < states_);
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), state,
                                      [](std::uint64_t number, const Mark& mark) { return number < mark.first_state; });
  const Mark& mark = *(after - 1);
  std::uint64_t record = static_cast<std::uint64_t>(after - 1 - marks_.begin()) * kRecordsPerMark;
  std::uint64_t first = mark.first_state;
  for (std::uint64_t offset = mark.offset;; ++record) {
    const std::uint64_t count = read(offset);
    for (std::uint64_t i = 0; i < count; ++i) {
      const ir::CommandId command = read(offset);
      if (first + i == state)
        return {record, command};
    }
    first += count;
  }
}

// Seven bits per byte, the low ones first; the high bit says that more follow.
void PredecessorLog::write(std::uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes_.data()[end_++] = static_cast<std::uint8_t>(number | 0x80);
  bytes_.data()[end_++] = static_cast<std::uint8_t>(number);
}

std::uint64_t PredecessorLog::read(std::uint64_t& offset) const {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = bytes_.data()[offset++];
    number |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80)
      return number;
  }
}

}  // namespace tideline
