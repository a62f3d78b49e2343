// SPDX-License-Identifier: MIT
// libFuzzer target for the block file reader: whatever the bytes of a file are, opening and reading it gives an error
// or records, touches nothing outside its buffers and allocates no more than the file could hold. The first byte
// selects:
//   0  the bytes as they are
//   1  the bytes with all checksums made right as far as they can be found, so that what they protect is fuzzed, too
//   2  the bytes are records: they are written and read back
//   3  as 2, then a byte of the file is changed: an error or the same records
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fault/faulty_env.h"
#include "io/block_file.h"
#include "io/workdir.h"

namespace {

using namespace tideline;

constexpr const char* kName = "run-000000";
constexpr const char* kPath = "/tmp/w/run-000000";
constexpr std::size_t kRecordBytes = 3;
constexpr std::size_t kTrailerBytes = 40;
constexpr std::size_t kEntryBytes = 20 + kRecordBytes;

void require(bool condition) {
  if (!condition)
    std::abort();
}

template <typename T>
T get(const std::string& bytes, std::size_t offset) {
  T value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void put_checksum(std::string& bytes, std::size_t from, std::size_t to, std::uint64_t seed, std::size_t where) {
  const std::uint64_t sum = XXH3_64bits_withSeed(bytes.data() + from, to - from, seed);
  std::memcpy(bytes.data() + where, &sum, sizeof sum);
}

// Of the block at `offset`, if it lies in the file.
void sign_block(std::string& bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < kBlockHeaderBytes)
    return;
  const auto stored = get<std::uint32_t>(bytes, offset);
  if (bytes.size() - offset - kBlockHeaderBytes < stored)
    return;
  const std::uint64_t seed = XXH3_64bits_withSeed(bytes.data() + offset, kBlockHeaderBytes - 8, offset);
  put_checksum(bytes, offset + kBlockHeaderBytes, offset + kBlockHeaderBytes + stored, seed, offset + 16);
}

// Header, trailer and number of blocks are put right; the index and the blocks that it names get checksums.
void sign(std::string& bytes) {
  if (bytes.size() < kFileHeaderBytes + kTrailerBytes)
    return;
  const std::uint32_t header[] = {0x45444954, 0x454e494c, 1, 1, kRecordBytes, 0};
  std::memcpy(bytes.data(), header, sizeof header);
  put_checksum(bytes, 0, 24, 0, 24);
  const std::size_t trailer = bytes.size() - kTrailerBytes;
  const std::uint64_t blocks =
      get<std::uint64_t>(bytes, trailer + 8) % ((trailer - kFileHeaderBytes) / kEntryBytes + 1);
  const std::uint64_t index = trailer - blocks * kEntryBytes;
  std::uint64_t records = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    sign_block(bytes, get<std::uint64_t>(bytes, index + i * kEntryBytes));
    records += get<std::uint32_t>(bytes, index + i * kEntryBytes + 16);
  }
  const std::uint64_t values[] = {index, blocks, records};
  std::memcpy(bytes.data() + trailer, values, sizeof values);
  std::memcpy(bytes.data() + trailer + sizeof values, header, 8);
  put_checksum(bytes, index, bytes.size() - 8, index, bytes.size() - 8);
}

// All records of the file, one behind the other; false: an error, which names the file.
bool read_file(Workdir& workdir, std::size_t file_bytes, FileKind kind, std::string& records) {
  const Result<std::unique_ptr<BlockFileReader>> reader = BlockFileReader::open(workdir, kName, kind, kRecordBytes);
  if (!reader.is_ok()) {
    require(reader.status().message().find(kPath) != std::string::npos);
    return false;
  }
  const BlockIndex& index = reader.value()->index();
  std::vector<std::uint8_t> image;
  std::uint64_t count = 0;
  bool good = true;
  for (std::size_t i = 0; i < index.size(); ++i) {
    require(index[i].offset + kBlockHeaderBytes + index[i].stored_bytes <= file_bytes);
    require(index[i].raw_bytes <= 255 * file_bytes);
    std::vector<std::uint8_t> raw(index[i].raw_bytes);
    const Status status = reader.value()->read(i, image, raw.data());
    require(status.is_ok() || status.message().find(kPath) != std::string::npos);
    good = good && status.is_ok();
    records.append(raw.begin(), raw.end());
    count += index[i].records;
  }
  require(count == index.records());
  return good;
}

// Blocks whose sizes the records themselves choose.
void write_file(Workdir& workdir, const std::string& records) {
  Result<std::unique_ptr<BlockFileWriter>> writer =
      BlockFileWriter::create(workdir, kName, FileKind::kRun, kRecordBytes);
  require(writer.is_ok());
  const std::uint8_t key[kRecordBytes] = {};
  std::size_t at = 0;
  while (at < records.size()) {
    const std::size_t wanted = std::size_t{static_cast<std::uint8_t>(records[at])} * 4;
    const std::size_t bytes = std::min(records.size() - at, wanted + 1);
    const auto* from = reinterpret_cast<const std::uint8_t*>(records.data()) + at;
    require(writer.value()->add({from, bytes}, 1, key).is_ok());
    at += bytes;
  }
  require(writer.value()->finish(true).is_ok());
}

void fuzz_bytes(std::string bytes, bool with_checksums) {
  FaultyEnv env;
  Workdir workdir(env, "/tmp/w", 0);
  require(workdir.prepare().is_ok());
  if (with_checksums)
    sign(bytes);
  const std::size_t size = bytes.size();
  const auto kind = static_cast<FileKind>(size < kFileHeaderBytes ? 0 : get<std::uint32_t>(bytes, 12));
  env.set_contents(kPath, std::move(bytes));
  std::string records;
  (void)read_file(workdir, size, kind, records);
}

void fuzz_records(const std::string& records, bool with_damage, std::uint64_t damage) {
  FaultyEnv env;
  Workdir workdir(env, "/tmp/w", 0);
  write_file(workdir, records);
  const std::string bytes = env.contents(kPath);
  if (with_damage)
    env.flip_bit(kPath, damage / 8 % bytes.size(), damage % 8);
  std::string back;
  const bool good = read_file(workdir, bytes.size(), FileKind::kRun, back);
  require(good != with_damage);
  require(!good || back == records);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kBytesMax = std::size_t{64} << 10;
  constexpr std::size_t kDamageBytes = 4;
  if (size < 1 + kDamageBytes || size > kBytesMax)
    return 0;
  const unsigned selector = data[0] % 4;
  const std::string input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (selector < 2)
    fuzz_bytes(input, selector == 1);
  else
    fuzz_records(input.substr(kDamageBytes), selector == 3, get<std::uint32_t>(input, 0));
  return 0;
}
