// SPDX-License-Identifier: MIT
#include "store/spanning_tree.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tideline {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kPartBlocks = 8192;
constexpr unsigned kWordBits = 64;

}  // namespace

SpanningTree::SpanningTree(Workdir& workdir, ir::CommandId commands)
    : command_bits_(std::max(1U, static_cast<unsigned>(std::bit_width(commands)))),
      numbers_((std::uint64_t{1} << (kWordBits - command_bits_)) - 1),
      log_(workdir, FileKind::kTree, "tree", sizeof(std::uint64_t), kBlockBytes, kPartBlocks),
      cursor_(log_) {}

Result<std::uint64_t> SpanningTree::origin_of(std::uint64_t number) {
  cursor_.seek(number);
  const Result<std::span<const std::uint8_t>> record = cursor_.next(number + 1);
  if (!record.is_ok())
    return record.status();
  std::uint64_t origin = 0;
  std::memcpy(&origin, record.value().data(), sizeof origin);
  return origin;
}

Result<std::vector<ir::CommandId>> SpanningTree::path_to(std::uint64_t number) {
  std::vector<ir::CommandId> commands;
  while (is_complete_ && number != kNoNumber) {
    const Result<std::uint64_t> origin = origin_of(number);
    if (!origin.is_ok())
      return origin.status();
    commands.push_back(origin.value() & ((std::uint64_t{1} << command_bits_) - 1));
    const std::uint64_t before = origin.value() >> command_bits_;
    if (before == 0) {
      std::reverse(commands.begin(), commands.end());
      return commands;
    }
    number = before - 1;
  }
  return std::vector<ir::CommandId>();
}

Status SpanningTree::save(SavedSet& out) {
  std::vector<RecordLog::Part> parts;
  if (Status status = log_.save(parts); !status.is_ok())
    return status;
  for (const RecordLog::Part& part : parts)
    out.files.push_back({"tree", part.name, part.records});
  out.numbers["tree_complete"] = is_complete_ ? 1 : 0;
  return Status::ok();
}

Status SpanningTree::load(const SavedSet& saved) {
  std::vector<RecordLog::Part> parts;
  for (const SavedSet::SavedFile& file : saved.files)
    if (file.role == "tree")
      parts.push_back({file.name, file.records});
  const auto complete = saved.numbers.find("tree_complete");
  is_complete_ = complete == saved.numbers.end() || complete->second != 0;
  return log_.load(parts);
}

}  // namespace tideline
