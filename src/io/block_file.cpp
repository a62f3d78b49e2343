// SPDX-License-Identifier: MIT
#include "io/block_file.h"

#include <fmt/format.h>
#include <lz4.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace tideline {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and so are we");

constexpr std::uint64_t kMagic = 0x454e494c45444954;  // "TIDELINE"
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kTrailerBytes = 40;
constexpr std::size_t kEntryBytes = 20;  // and a key
constexpr std::size_t kWriteBytes = std::size_t{128} << 10;
constexpr std::uint64_t kLz4RatioMax = 255;

template <typename T>
void put(std::vector<std::uint8_t>& out, T value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

template <typename T>
T get(const std::uint8_t* from) {
  T value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint64_t checksum(const void* data, std::size_t bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(data, bytes, seed);
}

// Of a block: of its header but for the checksum, chained with that of what follows.
std::uint64_t block_checksum(const std::uint8_t* image, std::size_t stored_bytes, std::uint64_t offset) {
  return checksum(image + kBlockHeaderBytes, stored_bytes, checksum(image, kBlockHeaderBytes - 8, offset));
}

Status damaged(const std::string& path, std::uint64_t offset, std::string_view what) {
  return Status::error(
      fmt::format("{} is damaged at byte {}: {} (begin the search again; if that happens twice, with "
                  "--workdir on another disk)",
                  path, offset, what));
}

struct Trailer {
  std::uint64_t index_offset = 0;
  std::uint64_t blocks = 0;
  std::uint64_t records = 0;
};

}  // namespace

// A block: stored bytes, raw bytes, records, compression (0 none, 1 LZ4), checksum; then the stored bytes.
BlockInfo append_block_image(std::span<const std::uint8_t> raw, std::uint32_t records, std::uint64_t offset,
                             std::vector<std::uint8_t>& out) {
  CHECK(raw.size() <= kBlockRawBytesMax);
  const std::size_t begin = out.size();
  const int bound = LZ4_compressBound(static_cast<int>(raw.size()));
  out.resize(begin + kBlockHeaderBytes + static_cast<std::size_t>(bound));
  std::uint8_t* image = out.data() + begin;
  int stored =
      LZ4_compress_default(reinterpret_cast<const char*>(raw.data()),
                           reinterpret_cast<char*>(image + kBlockHeaderBytes), static_cast<int>(raw.size()), bound);
  std::uint32_t compression = 1;
  if (stored <= 0 || static_cast<std::size_t>(stored) >= raw.size()) {
    compression = 0;
    stored = static_cast<int>(raw.size());
    std::copy(raw.begin(), raw.end(), image + kBlockHeaderBytes);
  }
  const BlockInfo info{offset, static_cast<std::uint32_t>(stored), static_cast<std::uint32_t>(raw.size()), records};
  const std::uint32_t header[4] = {info.stored_bytes, info.raw_bytes, records, compression};
  std::memcpy(image, header, sizeof header);
  const std::uint64_t sum = block_checksum(image, info.stored_bytes, offset);
  std::memcpy(image + sizeof header, &sum, sizeof sum);
  out.resize(begin + kBlockHeaderBytes + info.stored_bytes);
  return info;
}

Status open_block_image(const std::uint8_t* image, const BlockInfo& info, bool verify, std::uint8_t* raw) {
  const auto compression = get<std::uint32_t>(image + 12);
  if (verify) {
    if (get<std::uint32_t>(image) != info.stored_bytes || get<std::uint32_t>(image + 4) != info.raw_bytes ||
        get<std::uint32_t>(image + 8) != info.records)
      return Status::error("the block is not the one in the index");
    if (block_checksum(image, info.stored_bytes, info.offset) != get<std::uint64_t>(image + 16))
      return Status::error("the block's checksum is wrong");
  }
  if (compression == 0 && info.stored_bytes == info.raw_bytes) {
    std::copy_n(image + kBlockHeaderBytes, info.raw_bytes, raw);
    return Status::ok();
  }
  if (compression != 1 || info.stored_bytes > kBlockRawBytesMax || info.raw_bytes > kBlockRawBytesMax)
    return Status::error("the block is compressed in an unknown way");
  const int bytes =
      LZ4_decompress_safe(reinterpret_cast<const char*>(image + kBlockHeaderBytes), reinterpret_cast<char*>(raw),
                          static_cast<int>(info.stored_bytes), static_cast<int>(info.raw_bytes));
  return bytes == static_cast<int>(info.raw_bytes) ? Status::ok() : Status::error("the block does not decompress");
}

BlockFileWriter::BlockFileWriter(std::unique_ptr<File> file, std::string path, std::size_t record_bytes)
    : file_(std::move(file)), path_(std::move(path)), index_(record_bytes) {}

// The header: magic, version, kind, bytes of a record, nothing, checksum.
Result<std::unique_ptr<BlockFileWriter>> BlockFileWriter::create(Workdir& workdir, const std::string& name,
                                                                 FileKind kind, std::size_t record_bytes) {
  Result<std::unique_ptr<File>> file = workdir.create_file(name);
  if (!file.is_ok())
    return file.status();
  std::unique_ptr<BlockFileWriter> writer(
      new BlockFileWriter(std::move(file.value()), workdir.path_of(name), record_bytes));
  put(writer->pending_, kMagic);
  put(writer->pending_, kVersion);
  put(writer->pending_, static_cast<std::uint32_t>(kind));
  put(writer->pending_, static_cast<std::uint32_t>(record_bytes));
  put(writer->pending_, std::uint32_t{0});
  put(writer->pending_, checksum(writer->pending_.data(), writer->pending_.size(), 0));
  writer->offset_ = writer->pending_.size();
  return writer;
}

Status BlockFileWriter::write_pending() {
  CHECK(file_ != nullptr);
  if (status_.is_ok())
    status_ = file_->append(pending_.data(), pending_.size());
  pending_.clear();
  return status_;
}

Status BlockFileWriter::add(std::span<const std::uint8_t> raw, std::uint32_t records, const std::uint8_t* key) {
  const BlockInfo block = append_block_image(raw, records, offset_, pending_);
  index_.add(block, key);
  offset_ += kBlockHeaderBytes + block.stored_bytes;
  return pending_.size() < kWriteBytes ? status_ : write_pending();
}

Status BlockFileWriter::add_image(std::span<const std::uint8_t> image, const BlockInfo& block,
                                  const std::uint8_t* key) {
  CHECK(block.offset == offset_ && image.size() == kBlockHeaderBytes + block.stored_bytes);
  pending_.insert(pending_.end(), image.begin(), image.end());
  index_.add(block, key);
  offset_ += image.size();
  return pending_.size() < kWriteBytes ? status_ : write_pending();
}

// The index: per block offset, stored bytes, raw bytes, records, key; then the trailer: where the index begins, blocks,
// records, magic, checksum of all of that.
void BlockFileWriter::put_index() {
  const std::size_t begin = pending_.size();
  for (std::size_t i = 0; i < index_.size(); ++i) {
    put(pending_, index_[i].offset);
    put(pending_, index_[i].stored_bytes);
    put(pending_, index_[i].raw_bytes);
    put(pending_, index_[i].records);
    pending_.insert(pending_.end(), index_.key(i), index_.key(i) + index_.key_bytes());
  }
  put(pending_, offset_);
  put(pending_, std::uint64_t{index_.size()});
  put(pending_, index_.records());
  put(pending_, kMagic);
  put(pending_, checksum(pending_.data() + begin, pending_.size() - begin, offset_));
}

Status BlockFileWriter::finish(bool sync) {
  put_index();
  if (write_pending().is_ok())
    status_ = sync ? file_->sync() : file_->flush();
  file_.reset();
  pending_ = {};
  return status_;
}

BlockFileReader::BlockFileReader(std::unique_ptr<File> file, std::string path, BlockIndex index)
    : file_(std::move(file)), path_(std::move(path)), index_(std::move(index)) {}

Result<std::unique_ptr<BlockFileReader>> BlockFileReader::open(Workdir& workdir, const std::string& name,
                                                               BlockIndex index) {
  Result<std::unique_ptr<File>> file = workdir.open_file(name);
  if (!file.is_ok())
    return file.status();
  return std::unique_ptr<BlockFileReader>(
      new BlockFileReader(std::move(file.value()), workdir.path_of(name), std::move(index)));
}

namespace {

Status check_header(File& file, const std::string& path, FileKind kind, std::size_t record_bytes) {
  std::uint8_t header[kFileHeaderBytes];
  if (file.size() < kFileHeaderBytes + kTrailerBytes)
    return damaged(path, file.size(), "the file is too short: its writer did not finish it");
  if (Status status = file.read(0, header, sizeof header); !status.is_ok())
    return status;
  if (get<std::uint64_t>(header) != kMagic)
    return damaged(path, 0, "it does not begin like a file of Tideline");
  if (checksum(header, sizeof header - 8, 0) != get<std::uint64_t>(header + 24))
    return damaged(path, 0, "the header's checksum is wrong");
  if (get<std::uint32_t>(header + 8) != kVersion)
    return Status::error(
        fmt::format("{} has format version {}, this program reads version {}: resume with the "
                    "version of Tideline that began the search",
                    path, get<std::uint32_t>(header + 8), kVersion));
  const auto found_kind = get<std::uint32_t>(header + 12);
  const auto found_bytes = get<std::uint32_t>(header + 16);
  if (found_kind != static_cast<std::uint32_t>(kind) || found_bytes != record_bytes)
    return Status::error(
        fmt::format("{} is of kind {} with records of {} bytes, where the search has kind {} and {} "
                    "bytes: it belongs to another search",
                    path, found_kind, found_bytes, static_cast<std::uint32_t>(kind), record_bytes));
  return Status::ok();
}

// Reads the trailer and the bytes of the index with it, and compares their checksum.
Result<std::vector<std::uint8_t>> read_index(File& file, const std::string& path, std::size_t entry_bytes,
                                             Trailer& trailer) {
  const std::uint64_t end = file.size();
  std::uint8_t bytes[kTrailerBytes];
  if (Status status = file.read(end - kTrailerBytes, bytes, sizeof bytes); !status.is_ok())
    return status;
  trailer = {get<std::uint64_t>(bytes), get<std::uint64_t>(bytes + 8), get<std::uint64_t>(bytes + 16)};
  if (get<std::uint64_t>(bytes + 24) != kMagic)
    return damaged(path, end - kTrailerBytes, "the file has no end: its writer did not finish it");
  if (trailer.blocks > end / entry_bytes || trailer.index_offset > end ||
      end - trailer.index_offset != trailer.blocks * entry_bytes + kTrailerBytes)
    return damaged(path, end - kTrailerBytes, "the index has the wrong length");
  std::vector<std::uint8_t> index(end - trailer.index_offset);
  if (Status status = file.read(trailer.index_offset, index.data(), index.size()); !status.is_ok())
    return status;
  if (checksum(index.data(), index.size() - 8, trailer.index_offset) != get<std::uint64_t>(bytes + 32))
    return damaged(path, trailer.index_offset, "the index's checksum is wrong");
  return index;
}

// What the index says is possible: the blocks lie one behind the other from the header to the index, and none claims
// more records' bytes than its stored bytes could hold.
Status check_blocks(const BlockIndex& index, const std::string& path, const Trailer& trailer) {
  std::uint64_t end = kFileHeaderBytes;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const BlockInfo& block = index[i];
    if (block.offset != end || block.stored_bytes > block.raw_bytes || block.raw_bytes > kBlockRawBytesMax ||
        block.raw_bytes > block.stored_bytes * kLz4RatioMax)
      return damaged(path, trailer.index_offset, fmt::format("the index has no sense at block {}", i));
    end += kBlockHeaderBytes + block.stored_bytes;
  }
  if (end != trailer.index_offset)
    return damaged(path, trailer.index_offset, "the index does not follow its last block");
  if (index.records() != trailer.records)
    return damaged(path, trailer.index_offset, "the index counts other records than the end does");
  return Status::ok();
}

BlockIndex parse_index(const std::vector<std::uint8_t>& bytes, std::uint64_t blocks, std::size_t record_bytes) {
  BlockIndex index(record_bytes);
  index.reserve(blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint8_t* entry = bytes.data() + i * (kEntryBytes + record_bytes);
    index.add({get<std::uint64_t>(entry), get<std::uint32_t>(entry + 8), get<std::uint32_t>(entry + 12),
               get<std::uint32_t>(entry + 16)},
              entry + kEntryBytes);
  }
  return index;
}

}  // namespace

Result<std::unique_ptr<BlockFileReader>> BlockFileReader::open(Workdir& workdir, const std::string& name, FileKind kind,
                                                               std::size_t record_bytes) {
  Result<std::unique_ptr<File>> file = workdir.open_file(name);
  if (!file.is_ok())
    return file.status();
  const std::string path = workdir.path_of(name);
  if (Status status = check_header(*file.value(), path, kind, record_bytes); !status.is_ok())
    return status;
  Trailer trailer;
  const Result<std::vector<std::uint8_t>> bytes = read_index(*file.value(), path, kEntryBytes + record_bytes, trailer);
  if (!bytes.is_ok())
    return bytes.status();
  BlockIndex index = parse_index(bytes.value(), trailer.blocks, record_bytes);
  if (Status status = check_blocks(index, path, trailer); !status.is_ok())
    return status;
  return std::unique_ptr<BlockFileReader>(new BlockFileReader(std::move(file.value()), path, std::move(index)));
}

namespace {

Status read_blocks(File& file, const BlockIndex& index, std::size_t i, std::size_t count,
                   std::vector<std::uint8_t>& images) {
  CHECK(count > 0 && i + count <= index.size());
  const BlockInfo& last = index[i + count - 1];
  const std::uint64_t begin = index[i].offset;
  images.resize(last.offset + kBlockHeaderBytes + last.stored_bytes - begin);
  return file.read(begin, images.data(), images.size());
}

Status open_block(const std::string& path, const BlockInfo& block, const std::uint8_t* image, std::uint8_t* raw) {
  Status status = open_block_image(image, block, true, raw);
  return status.is_ok() ? status : damaged(path, block.offset, status.message());
}

}  // namespace

Status BlockFileWriter::read_images(std::size_t i, std::size_t count, std::vector<std::uint8_t>& images) {
  if (Status status = settle(); !status.is_ok())
    return status;
  return read_blocks(*file_, index_, i, count, images);
}

Status BlockFileWriter::open_image(std::size_t i, const std::uint8_t* image, std::uint8_t* raw) const {
  return open_block(path_, index_[i], image, raw);
}

Status BlockFileReader::read_images(std::size_t i, std::size_t count, std::vector<std::uint8_t>& images) {
  return read_blocks(*file_, index_, i, count, images);
}

Status BlockFileReader::open_image(std::size_t i, const std::uint8_t* image, std::uint8_t* raw) const {
  return open_block(path_, index_[i], image, raw);
}

Status BlockFileReader::read(std::size_t i, std::vector<std::uint8_t>& image, std::uint8_t* raw) {
  if (Status status = read_images(i, 1, image); !status.is_ok())
    return status;
  return open_image(i, image.data(), raw);
}

}  // namespace tideline
