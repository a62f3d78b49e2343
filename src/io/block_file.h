// SPDX-License-Identifier: MIT
// Files of checksummed, compressed blocks with an index at the end (docs/formats/block_file.md): what every file of a
// working directory but the manifest is. A block holds whole records; its first record is its key in the index.
//
// B1  every byte is covered by a checksum; a block's is seeded with its offset, so a block in the wrong place is wrong.
// B2  a file without its end (the writer died) is never read.
// B3  a wrong byte is an error that names file and offset.
// B4  nothing is allocated because a file says so: what an index claims is first compared with the file's length.
// Cost: 24 bytes per block and 20 plus a key in the index. RAM: the index (24 bytes and a key per block), twice that
// while a file is opened; a writer holds up to 128 KiB and a block. Threads: a writer is used by one; a reader's read()
// by several at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/workdir.h"

namespace tideline {

// What is in a file; part of its header.
enum class FileKind : std::uint32_t { kRun = 1, kQueue = 2, kVisited = 3, kPart = 4, kTree = 6, kValues = 7 };

// Where a block is and what is in it.
struct BlockInfo {
  std::uint64_t offset = 0;  // of its header
  std::uint32_t stored_bytes = 0;
  std::uint32_t raw_bytes = 0;
  std::uint32_t records = 0;
};

// The blocks of a file, with their keys.
class BlockIndex {
 public:
  explicit BlockIndex(std::size_t key_bytes) : key_bytes_(key_bytes) {}
  void add(const BlockInfo& block, const std::uint8_t* key) {
    blocks_.push_back(block);
    keys_.insert(keys_.end(), key, key + key_bytes_);
    records_ += block.records;
  }
  void reserve(std::size_t blocks) {
    blocks_.reserve(blocks);
    keys_.reserve(blocks * key_bytes_);
  }
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] const BlockInfo& operator[](std::size_t i) const { return blocks_[i]; }
  [[nodiscard]] const std::uint8_t* key(std::size_t i) const { return keys_.data() + i * key_bytes_; }
  [[nodiscard]] std::size_t key_bytes() const { return key_bytes_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  void shrink_to_fit() {
    blocks_.shrink_to_fit();
    keys_.shrink_to_fit();
  }
  // Memory held.
  [[nodiscard]] std::uint64_t bytes() const { return blocks_.capacity() * sizeof(BlockInfo) + keys_.capacity(); }

 private:
  std::size_t key_bytes_;
  std::vector<BlockInfo> blocks_;
  std::vector<std::uint8_t> keys_;
  std::uint64_t records_ = 0;
};

inline constexpr std::size_t kBlockHeaderBytes = 24;
inline constexpr std::size_t kFileHeaderBytes = 32;

// Of the records of a block: what LZ4 takes at once.
inline constexpr std::size_t kBlockRawBytesMax = 0x7E000000;

// Appends a block's image (header and compressed records) that will lie at `offset` to `out`.
BlockInfo append_block_image(std::span<const std::uint8_t> raw, std::uint32_t records, std::uint64_t offset,
                             std::vector<std::uint8_t>& out);
// Decompresses an image into `raw` (room for info.raw_bytes). With `verify`, the checksum is compared first. Errors say
// what is wrong, not where. Not more than info says is read and written, whatever the bytes are.
Status open_block_image(const std::uint8_t* image, const BlockInfo& info, bool verify, std::uint8_t* raw);

class BlockFileWriter {
 public:
  // `record_bytes`: of a record and of a key.
  static Result<std::unique_ptr<BlockFileWriter>> create(Workdir& workdir, const std::string& name, FileKind kind,
                                                         std::size_t record_bytes);
  Status add(std::span<const std::uint8_t> raw, std::uint32_t records, const std::uint8_t* key);
  // An image that append_block_image() made for next_offset().
  Status add_image(std::span<const std::uint8_t> image, const BlockInfo& block, const std::uint8_t* key);
  [[nodiscard]] std::uint64_t next_offset() const { return offset_; }
  // Writes the index and closes the file; with `sync`, all of it is on the disk afterwards. Without, readers see it.
  // After an error of add(), add_image() or finish() each of them fails: the file has a gap.
  Status finish(bool sync);
  [[nodiscard]] const BlockIndex& index() const { return index_; }
  BlockIndex take_index() {
    index_.shrink_to_fit();
    return std::move(index_);
  }
  // Writes what is collected. Until the next add() several threads may use the two functions below at once.
  Status settle() { return pending_.empty() ? status_ : write_pending(); }
  // As the reader's: blocks that were added, while the file is still being written.
  Status read_images(std::size_t i, std::size_t count, std::vector<std::uint8_t>& images);
  Status open_image(std::size_t i, const std::uint8_t* image, std::uint8_t* raw) const;

 private:
  BlockFileWriter(std::unique_ptr<File> file, std::string path, std::size_t record_bytes);
  Status write_pending();
  void put_index();

  std::unique_ptr<File> file_;
  std::string path_;
  Status status_;  // the first error
  BlockIndex index_;
  std::uint64_t offset_ = 0;
  std::vector<std::uint8_t> pending_;  // images that are not yet written
};

class BlockFileReader {
 public:
  // Reads and checks header and index.
  static Result<std::unique_ptr<BlockFileReader>> open(Workdir& workdir, const std::string& name, FileKind kind,
                                                       std::size_t record_bytes);
  // For a file just written, whose index is known.
  static Result<std::unique_ptr<BlockFileReader>> open(Workdir& workdir, const std::string& name, BlockIndex index);

  [[nodiscard]] const BlockIndex& index() const { return index_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  // The records of block i into `raw` (index()[i].raw_bytes). `image` is a buffer to use.
  Status read(std::size_t i, std::vector<std::uint8_t>& image, std::uint8_t* raw);
  // The images of blocks i .. i+count-1, one behind the other, into `images`.
  Status read_images(std::size_t i, std::size_t count, std::vector<std::uint8_t>& images);
  // Decompresses the image of block i with its checksum compared.
  Status open_image(std::size_t i, const std::uint8_t* image, std::uint8_t* raw) const;

 private:
  BlockFileReader(std::unique_ptr<File> file, std::string path, BlockIndex index);

  std::unique_ptr<File> file_;
  std::string path_;
  BlockIndex index_;
};

}  // namespace tideline
